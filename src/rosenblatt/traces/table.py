"""A trace as the notes' table: Markdown, text for the terminal, CSV, JSON, a data frame."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.harmless import csv_lines, one_line
from rosenblatt.learn.losses import Losses, losses_of
from rosenblatt.traces import numerals
from rosenblatt.traces.courses import COURSES
from rosenblatt.traces.numerals import MOST_SHOWN
from rosenblatt.traces.step import MOST_WEIGHTS, Step, weights_text
from rosenblatt.traces.steps import Trace

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

VERSION = 1
KIND = "rosenblatt trace"
RECORDED_KIND = "rosenblatt recorded run"
HEAD = ("step", "weights", "score", "correct?", "update")
# All steps of a recorded run are updates: where their rows came from is told instead.
RECORDED_HEAD = ("step", "weights", "score", "row", "update")
WIDE_HEAD = ("step", "score", "row", "update")
MOST_ROWS = 20  # of a training set that is shown
MOST_NAMED = 6  # features of a row that has too many to show


def head_of(trace: Trace) -> tuple[str, ...]:
    """The heads of the columns."""
    if trace.course:
        return COURSES[trace.course].head
    return WIDE_HEAD if _wide(trace) else RECORDED_HEAD if trace.recorded else HEAD


def _wide(trace: Trace) -> bool:
    """Whether a recorded run has so many features, such as words, that names say more than the first numbers."""
    return bool(trace.recorded) and trace.X.shape[1] > MOST_SHOWN


def lines_of(trace: Trace) -> list[tuple[str, ...]]:
    """The cells of the notes' table: one line per step, and one with the weights at the end."""
    return [*(line_of(trace, step) for step in shown_steps(trace)), *last_line(trace)]


def shown_steps(trace: Trace) -> Sequence[Step]:
    """The steps that have a line: Cornell counts updates, the others visits."""
    return [step for step in trace if not step.correct] if trace.course == "cornell" else trace.steps


def line_of(trace: Trace, s: Step) -> tuple[str, ...]:
    """The cells of one step."""
    if trace.course in ("ucla", "cornell"):
        return _ucla(s) if trace.course == "ucla" else _cornell(trace, s)
    if not trace.recorded:
        return str(s.step), weights_text(s.before, s), s.arithmetic, "yes" if s.correct else "no", s.update
    row = f"{trace.recorded['origins'][s.row]} ({trace.classes[s.true]})"
    if not _wide(trace):
        return str(s.step), weights_text(s.before, s), s.arithmetic, row, s.update
    features = numerals.named(features_of(trace), s.features.tolist(), MOST_NAMED)
    if s.scores.size == 1:
        return str(s.step), numerals.numeral(float(s.scores[0])), row, f"{'+' if s.true else '-'}{features}"
    own, other = (numerals.numeral(float(s.scores[c])) for c in (s.true, s.predicted))
    rival = trace.classes[s.predicted]
    return str(s.step), f"{own} against {other} for {rival}", row, f"{trace.classes[s.true]} + and {rival} - {features}"


def _ucla(s: Step) -> tuple[str, ...]:
    """i, θ, y θᵀx, whether that is at most 0, and what is added."""
    y = 1 if s.true else -1
    sum_ = numerals.expanded(s.before.tolist(), s.features.tolist(), float(s.scores[0])).rpartition(" = ")[0]
    product = f"{y}·({sum_}) = {numerals.numeral(y * float(s.scores[0]))}"
    added = "" if s.correct else f"+ {numerals.numeral(s.rate)}·({y})·{numerals.vector(s.features.tolist())}"
    return str(s.row + 1), weights_text(s.before), product, "no" if s.correct else "yes", added


def _cornell(trace: Trace, s: Step) -> tuple[str, ...]:
    """t, w, i, y(w·x) and the new w; the bias stands last, and i is any wrong row."""
    t = int(trace.replay.updates[s.step - 1])
    y = 1 if s.true else -1
    f, before, after = (_last(trace, values).tolist() for values in (s.features, s.before, s.after))
    product = f"{y}·({numerals.vector(before)}·{numerals.vector(f)}) = {numerals.numeral(y * float(s.scores[0]))}"
    new = f"{numerals.vector(before)} {'+' if y > 0 else '−'} {numerals.vector(f)} = {numerals.vector(after)}"
    return str(t), numerals.vector(before), str(s.row + 1), product, new


def _last(trace: Trace, values: np.ndarray) -> np.ndarray:
    """A vector with its bias at the end."""
    return np.roll(values, -1) if trace.bias else values


def training_set(trace: Trace) -> list[tuple[str, ...]]:
    """Berkeley's table of the rows: their numbers, features and labels."""
    sign = {0: "−", 1: "+"} if len(trace.classes) == 2 else dict(enumerate(map(str, trace.classes)))
    features = trace.X[:, 1:] if trace.bias else trace.X
    head = ("#", *(f"f{j}" for j in range(1, features.shape[1] + 1)), "y*")
    rows = zip(features.tolist(), trace.truth.tolist(), strict=True)
    return [head, *((str(i), *map(numerals.numeral, f), sign[c]) for i, (f, c) in enumerate(rows, 1))]


def last_line(trace: Trace) -> list[tuple[str, ...]]:
    """The weights at the end, as those before a step that was not made; none where they cannot be shown."""
    if trace.course == "cornell":
        return [(str(trace.n_mistakes), numerals.vector(_last(trace, trace.weights).tolist()), "", "", "")]
    if trace.course == "ucla":
        return [("", weights_text(trace.weights), "", "", "")]
    step = str(trace.recorded.get("run_steps", len(trace)) + 1)
    return [] if _wide(trace) else [(step, weights_text(trace.weights), "", "", "")]


def features_of(trace: Trace) -> list[str]:
    """The names of all features, the constant's first."""
    return (["bias"] if trace.bias else []) + [str(name) for name in trace.names]


def left_out(trace: Trace) -> str:
    """What a line of the table leaves out, in one sentence; nothing if it leaves out nothing."""
    width, classes = trace.X.shape[1], len(trace.classes)
    if _wide(trace):
        return f"each line shows at most {MOST_NAMED} of the {width} features by name, the largest of its row"
    parts = []
    if trace.start.ndim == 2 and trace.start.size > MOST_WEIGHTS:
        parts.append(f"the weights of at most 2 of {classes} classes (the true one, the one punished)")
    if width > MOST_SHOWN:
        parts.append(f"{MOST_SHOWN} of {width} numbers of each vector")
    return f"each line shows {' and '.join(parts)}" if parts else ""


def to_markdown(trace: Trace) -> str:
    """The table of the notes."""
    before = f"{markdown(training_set(trace))}\n" if has_set(trace) else ""
    return before + markdown([head_of(trace), *lines_of(trace)])


def has_set(trace: Trace) -> bool:
    """Whether the rows stand before the steps, as Berkeley has them; where there are many, the steps are enough."""
    return trace.course == "berkeley" and len(trace.X) <= MOST_ROWS and trace.X.shape[1] <= MOST_SHOWN


def markdown(lines: Sequence[tuple[str, ...]]) -> str:
    """Cells as a table in Markdown; the first line is the head."""
    head, *body = lines
    rows = [f"| {' | '.join(map(one_line, head))} |", "|" + "---|" * len(head)]
    for cells in body:
        # An empty cell is one space between its bars, as in the notes.
        rows.append("|" + "|".join(f" {cell} " if cell else " " for cell in map(one_line, cells)) + "|")
    return "\n".join(rows) + "\n"


def to_text(trace: Trace, last: int | None = None) -> str:
    """The same table in columns for a terminal; only the last steps if there are to be fewer."""
    before = f"{aligned(training_set(trace))}\n\n" if has_set(trace) else ""
    lines = lines_of(trace)
    lines = [head_of(trace), *(lines if last is None else lines[-last - 1 :])]
    return before + aligned(lines)


PASS_HEAD = ("pass", "updates", "0/1 loss", "perceptron loss")


def passes_of(trace: Trace, test: Trace | None = None) -> list[tuple[str, ...]]:
    """The cells of one line for the start and each pass: updates in it, and the losses of the weights after it.

    `test` is a trace over other rows, of which the 0/1 loss of the same weights is told beside.
    """
    found: list[tuple[str, ...]] = [PASS_HEAD if test is None else (*PASS_HEAD, "0/1 loss, test")]
    past, before = trace.replay, 0
    for number, (updates, losses) in enumerate(past.passed):
        line: tuple[str, ...] = (str(number), str(updates - before), *map(numerals.numeral, losses))
        if test is not None:
            line = (*line, numerals.numeral(losses_of(test._problem, past.raw[updates], trace.ties).zero_one))
        found.append(line)
        before = updates
    return found


def aligned(lines: Sequence[tuple[str, ...]]) -> str:
    """Cells in columns for a terminal."""
    lines = [tuple(map(one_line, line)) for line in lines]
    widths = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))]
    return "\n".join("  ".join(f"{cell:<{w}}" for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines)


def to_csv(trace: Trace) -> str:
    """One line per step with a column for every weight and feature, exact to the bit."""
    plain = [_plain(trace, step) for step in trace]
    return csv_lines([list(plain[0]), *(row.values() for row in plain)])


def to_frame(trace: Trace) -> pd.DataFrame:
    """The same as a pandas data frame."""
    import pandas as pd

    return pd.DataFrame([_plain(trace, step) for step in trace])


def to_arrow(trace: Trace) -> pa.Table:
    """The same as an Arrow table."""
    import pyarrow as pa

    return pa.Table.from_pylist([_plain(trace, step) for step in trace])


def to_json(trace: Trace) -> str:
    """Versioned JSON: what was run, and for each step what is needed to draw or check it (docs/trace.md)."""
    return json.dumps(run_of(trace) | {"steps": [step_of(step) for step in trace]}, allow_nan=False)


def step_of(s: Step) -> dict[str, Any]:
    """One step of the JSON."""
    return {
        "step": s.step,
        "pass": s.number,
        "row": s.row,
        "scores": s.scores.tolist(),
        "predicted": s.predicted,
        "true": s.true,
        "rival": s.rival,
        "after": s.after.tolist(),
    }


def run_of(trace: Trace) -> dict[str, Any]:
    """What was run: all of the JSON but the steps."""
    return (
        _choices(trace)
        | {
            "version": VERSION,
            "kind": RECORDED_KIND if trace.recorded else KIND,
            "classes": [str(name) for name in trace.classes],
            "features": features_of(trace),
            "bias": trace.bias,
            "rows": trace.X.tolist(),
            "truth": trace.truth.tolist(),
            "start": trace.start.tolist(),
            "ties": trace.ties,
        }
        | outcome_of(trace)
        | trace.recorded
    )


def outcome_of(trace: Trace) -> dict[str, Any]:
    """Why the run stopped: by name, in words, and the cycle where there is one; and the losses after each pass."""
    if not trace.stopped:
        return {}
    found: dict[str, Any] = {"stopped": trace.stopped, "why": trace.why()}
    if not trace.recorded:  # which has not all rows
        found["losses"] = {name: [getattr(each, name) for each in trace.losses] for name in Losses._fields}
    if trace.cycle is not None:
        cycle = trace.cycle
        found["cycle"] = {
            "length": cycle.passes,
            "unit": cycle.unit,
            "rows": cycle.rows.tolist(),
            "updates": cycle.updates.tolist(),
        }
    return found


def _choices(trace: Trace) -> dict[str, Any]:
    """Margin, rate, seed and a chosen order where they are not those of the notes."""
    found = {"margin": trace.margin, "rate": trace.rate, "seed": trace.seed, "order": trace.chosen}
    usual = {"margin": 0, "rate": 1, "seed": None, "order": ""}
    return {name: value for name, value in found.items() if value != usual[name]}


def _plain(trace: Trace, step: Step) -> dict[str, Any]:
    """One step as names and values."""
    features = features_of(trace)
    before, after = step.angles()
    row: dict[str, Any] = {"step": step.step, "pass": step.number, "row": step.row}
    if trace.recorded:
        row["origin"] = trace.recorded["origins"][step.row]
    row |= {"predicted": trace.classes[step.predicted], "true": trace.classes[step.true], "correct": step.correct}
    row |= _named("w", trace, features, step.before)
    row |= {f"f[{name}]": float(value) for name, value in zip(features, step.features, strict=True)}
    if step.scores.size == 1:
        row["score"] = float(step.scores[0])
    else:
        row |= {f"score[{c}]": float(score) for c, score in zip(trace.classes, step.scores, strict=True)}
    row |= {
        "update": step.update,
        "score moved": step.moved,
        "angle before": before,
        "angle after": after,
        "margin at most": step.bracket[1],
    }
    return row | _named("w after", trace, features, step.after)


def _named(what: str, trace: Trace, features: list[str], weights: np.ndarray) -> dict[str, float]:
    if weights.ndim == 1:
        return {f"{what}[{name}]": float(value) for name, value in zip(features, weights, strict=True)}
    return {
        f"{what}[{c}, {name}]": float(value)
        for c, line in zip(trace.classes, weights, strict=True)
        for name, value in zip(features, line, strict=True)
    }
