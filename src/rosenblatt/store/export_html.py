"""A model as one page that classifies and explains by itself, offline: `web/decide`, with the model in it.

The page adds as `reference.scores` says and splits words by tables that Python made, so its scores have the bits of the
file's. What it cannot do to the bit is refused, with the reason.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.data.values import MISSING, WRITTEN
from rosenblatt.errors import SettingError
from rosenblatt.features.bent import HAT, Bent
from rosenblatt.features.category import Category, Ordered
from rosenblatt.features.letters import letters_of
from rosenblatt.features.lines import Line
from rosenblatt.features.moment import Moment
from rosenblatt.features.numeric import Numeric
from rosenblatt.features.terms import Wired
from rosenblatt.features.text import Text
from rosenblatt.loops.kernels import KERNELS
from rosenblatt.loops.rows import n_bytes, n_features, n_rows
from rosenblatt.loops.vector import add
from rosenblatt.model.formula import RowTerms
from rosenblatt.model.prune import pruned
from rosenblatt.web import embed, one_file

if TYPE_CHECKING:
    from rosenblatt.model import Model

PAGE = "decide/index.html"
LOGS = 1000  # counts of a word whose logarithm a page is given
MOST = 2_000_000  # bytes of a page
DATES = ("date", "timestamp", "day first", "month first")  # forms of dates that a page reads
MOST_ROWS = 8_000_000  # bytes of training rows that are looked at at all: those with many zeros are smaller in a page
MOST_COLUMNS = 40  # of which it is told what becomes of them


def to_html(model: Model, name: str, most: int = MOST) -> tuple[bytes, Model]:
    """The page, and the model that is in it: pruned, where all of it would not fit into so many bytes."""
    page = _page(model, name)
    if len(page) <= most:
        return page, model
    if model.learner.kept:
        raise _too_large(len(page), most)
    fitting = pruned(model, most, lambda each: len(_page(each, name)))
    return _page(fitting, name), fitting


def _too_large(size: int, most: int = MOST) -> SettingError:
    return SettingError(
        f"a page holds at most {most / 1e6:g} MB, and the training rows of this kernel make it {size / 1e6:.1f} MB. "
        "Use serve, or learn from fewer rows."
    )


def _page(model: Model, name: str) -> bytes:
    return one_file(PAGE, embed(page_data(model, name))).encode()


def page_data(model: Model, name: str) -> dict[str, Any]:
    """What the page needs, as plain values."""
    formula = model.learner.formula(model.plan)
    if formula.rows is None:
        formula = model.formula("a page")
    if formula.rows is None and list(formula.names) != list(model.plan.names):
        raise SettingError(
            "a page adds up words and other features, and this model counts the values of whole columns. "
            "Train with --model perceptron, or use serve."
        )
    lines = np.column_stack([formula.weights, formula.constant]) if formula.each is None else formula.each
    used = [line for line in model.plan.lines if line.width]
    firsts = np.cumsum([0, *(line.width for line in used)]).tolist()
    texts = [line for line in used if isinstance(line, Text)]
    rules = {line.rule for line in texts}
    if len(rules) > 1:
        raise SettingError("a page splits all texts by one rule, and this model has columns of two.")
    calibration = model.decision.calibration
    return {
        "name": Path(name).name,
        "classes": list(model.classes.names),
        "ties": "last" if model.decision.last else "first",
        "threshold": _finite(model.decision.threshold),
        "unit": model.plan.unit,
        "width": lines.shape[1] - 1,
        "weights": _packed(lines),
        "inputs": model.plan.plain.width,
        "units": next((_units(term, list(formula.names)) for term in formula.terms if isinstance(term, Wired)), None),
        "rows": None if formula.rows is None else _rows(formula.rows, model.classes.names),
        "logs_of_classes": formula.logs,
        "presence": formula.presence,
        "lines": [_line(line, first) for line, first in zip(used, firsts, strict=False)],
        "gone": list(MISSING),
        "letters": letters_of(rules.pop()) if rules else None,
        "logs": (np.log(np.arange(1.0, LOGS + 1)) + 1).tolist() if any(each.settings.damped for each in texts) else [],
        "calibration": None
        if calibration is None
        else {
            "slope": calibration.slope,
            "shift": calibration.shift,
            "limit": calibration.limit if np.isfinite(calibration.limit) else None,
            "doubt": calibration.doubt,
        },
        "card": _card(model),
        "columns": [[line.column, line.describe()] for line in used[:MOST_COLUMNS]],
    }


def _rows(terms: RowTerms, classes: Sequence[str]) -> dict[str, Any]:
    """The training rows of a kernel, as columns and values that are not 0, and how they are compared with others."""
    kernel, count = terms.support.kernel, n_rows(terms.support.rows)
    if n_bytes(terms.support.rows) > MOST_ROWS:
        raise _too_large(n_bytes(terms.support.rows))
    values = np.zeros((count, n_features(terms.support.rows) + 1))
    for place in range(count):
        add(terms.support.rows, place, 1.0, values[place])
    places = [np.flatnonzero(row[:-1]) for row in values]
    return {
        "kernel": KERNELS[kernel.kind],
        "degree": kernel.degree,
        "gamma": kernel.gamma,
        "coef0": kernel.coef0,
        "starts": np.cumsum([0, *map(len, places)]).tolist(),
        "columns": np.concatenate(places).tolist(),
        "values": _packed(np.concatenate([row[own] for row, own in zip(values, places, strict=True)])),
        "names": terms.names(classes),
    }


def _units(term: Wired, names: list[str]) -> dict[str, Any]:
    """Which features switch each unit on."""
    return {
        "fan": term.wires.shape[1],
        "wires": term.wires.ravel().tolist(),
        "signs": np.asarray(term.signs, int).ravel().tolist(),
        "thresholds": _packed(term.thresholds),
        "names": names,
    }


def _finite(threshold: float) -> float:
    """JSON has no infinite numbers; no score reaches this one."""
    return float(np.clip(threshold, -1.7e308, 1.7e308))


def _line(line: Line, first: int) -> dict[str, Any]:
    """What becomes of one column."""
    plain: dict[str, Any] = {"column": line.column, "first": first, "missing": None}
    if isinstance(line, Text):
        return {**plain, **_text(line)}
    if isinstance(line, Moment) and line.reads in DATES:
        parts = [
            {"name": name, "knots": list(part.knots), "size": len(part.names)} for name, part in line.every().items()
        ]
        gone = first + line.width - 1 if line.missing else None
        return {**plain, "kind": "date", "reads": line.reads, "parts": parts, "missing": gone}
    if line.reads not in ("number", "text", "boolean", *WRITTEN):
        raise SettingError(
            f"a page reads numbers, names and dates without a zone; column {line.column!r} reads {line.reads}. "
            "Use serve."
        )
    last = first + line.width - 1
    if line.reads in WRITTEN:
        plain |= {"reads": line.reads, "written": f"^(?:{WRITTEN[line.reads].pattern})$"}
    if isinstance(line, Numeric):
        more = {"kind": "straight", "fill": line.mean, "centre": line.centre, "spread": line.spread}
        return {**plain, **more, "missing": last if line.width > 1 else None}
    if isinstance(line, Bent):
        more = {"kind": "curve", "knots": list(line.knots), "slopes": line.slopes().tolist(), "hat": HAT}
        return {**plain, **more, "missing": last if line.missing else None}
    if isinstance(line, Category | Ordered) and not line.large:
        more = {"values": list(line.values), "numbers": line.reads == "number", "truths": line.reads == "boolean"}
        if isinstance(line, Ordered):
            return {
                **plain,
                **more,
                "kind": "ordered",
                "steps": line.steps().tolist(),
                "missing": last if line.missing else None,
            }
        term = line.term(first)
        return {**plain, **more, "kind": "named", "missing": term.missing, "other": term.other}
    raise SettingError(f"a page has no form for column {line.column!r} ({line.kind}). Use serve.")


def _text(line: Text) -> dict[str, Any]:
    settings = line.settings
    for name, why in (("stems", "stems of words"), ("capitals", "words in capitals"), ("hash_bits", "hashed words")):
        if getattr(settings, name):
            raise SettingError(f"a page does not know {why}, and column {line.column!r} has them. Use serve.")
    return {
        "kind": "text",
        "words": "\n".join(line.words.to_pylist()),
        "rarity": _packed(line.rarity),
        "counted": settings.weight in ("counts", "tfidf"),
        "damped": settings.damped,
        "longest": settings.longest,
        "characters": bool(settings.characters),
        "left": sorted(settings.left_out),
    }


def _packed(numbers: np.ndarray) -> str:
    return b64encode(np.ascontiguousarray(numbers, "<f8").tobytes()).decode()


def _card(model: Model) -> list[list[str]]:
    """What a person who is given the page should know of the model, in pairs."""
    card = model.card
    source = Path(card["source"]).name  # whoever is sent the page need not know the sender's folders
    facts = [["trained on", f"{card['rows']:,} rows of {source}"], ["model", card["choice"]["name"]]]
    if "test" in card:
        later = ", before the last step" if "narrowed" in card or "fit_all" in card else ""
        facts.append([f"right on test rows{later}", f"{card['test']['accuracy']:.1%}"])
    if "narrowed" in card:
        facts.append(
            ["last step", f"{card['features']:,} of {card['narrowed']:,} features kept, so that the page is small"]
        )
    elif "fit_all" in card:
        facts.append(["last step", "fitted to all rows, those of the test too"])
    if model.learner.kept:
        facts.append(["holds", model.learner.kept])
    return facts
