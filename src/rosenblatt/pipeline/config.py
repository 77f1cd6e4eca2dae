"""The config of a training: whatever decides the model, as TOML that a person edits.

KEYS is the one table of what may be set: reading a file, checking it, printing it and what the model keeps of it follow
from it, so a new setting is one line there. The name of a key is the name of the setting in Python.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import wraps
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from rosenblatt import claims
from rosenblatt.claims import Form, Misfit, either, listed, number, table, text, truth, whole, words
from rosenblatt.data import FORMATS, How
from rosenblatt.data.memory import parse_size
from rosenblatt.data.table import nearest_hint
from rosenblatt.data.values import ORDERS, WRITTEN
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Plan, TextSettings, Wishes
from rosenblatt.features.category import Ordered
from rosenblatt.features.plan import UNITS
from rosenblatt.features.textsettings import LEAST_POWER, MOST_BITS, MOST_POWER, MOST_WORDS, WEIGHTS
from rosenblatt.features.units import MOST_UNITS
from rosenblatt.features.wishes import MOST_KNOTS, OVERS, WRITINGS
from rosenblatt.harmless import called, one_line
from rosenblatt.learn.kernel.choice import MOST_DEGREE
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.settings import LARGEST_SEED
from rosenblatt.learn.smoothing import NAMED_PRIORS
from rosenblatt.loops.kernels import KERNELS
from rosenblatt.loops.ties import TIES
from rosenblatt.model import Model
from rosenblatt.pipeline.choices import COUNTINGS, DEVICES, MODELS, Choices
from rosenblatt.pipeline.families import by_name
from rosenblatt.pipeline.merit import MERITS
from rosenblatt.pipeline.operating import Goal
from rosenblatt.pipeline.tries import ASKED_WEIGHTS
from rosenblatt.pipeline.weighing import BALANCED
from rosenblatt.pipeline.wishes import spoken_of

COLUMNS = "columns"
KINDS = ("text", "category", "numeric", "bent", "date", "bins", "tags", "drop", "ordered")
MOST_BYTES = 10_000_000  # of a file; a larger one is no config
HEAD = "What `rosenblatt train` does with the data. Change it, and give it to train with --config FILE."


class Key(NamedTuple):
    """A setting: the table of the file that it stands in, its name, what it may be, and what it is for."""

    section: str
    name: str
    form: Form
    about: str
    default: Any = None


def _model(value: Any, where: str) -> None:
    """A family of the table, or auto."""
    words("auto", *by_name())(value, where)


def _size(value: Any, where: str) -> None:
    """Bytes, as a number or with their unit."""
    try:
        parse_size(value, where)
    except SettingError:
        raise claims.refuse(where, "a size such as '500kB' or '1MB'", value) from None


KEYS = (
    Key("reading", "label", text, "the column to predict; otherwise label, class or target"),
    Key("reading", "format", words(*FORMATS), "where the content does not tell"),
    Key("reading", "header", truth, "CSV: whether the first line names the columns"),
    Key("reading", "delimiter", text, "CSV: the character between values"),
    Key("reading", "quotes", truth, "CSV: whether quotes may surround a value"),
    Key("reading", "encoding", text, "CSV and folders of texts, where it is not utf-8"),
    Key("reading", "strings", listed(text), "CSV: columns that are text although they look like numbers", ()),
    Key("reading", "names", either(listed(text), text), "svmlight: the names of the columns, or a file of them"),
    Key("reading", "sheet", text, "Excel: the name of the sheet; otherwise the first"),
    Key("reading", "relabel", table(text), "new names for labels, such as {old = 'new'}"),
    Key("reading", "unlabelled", words("refuse", "skip"), "rows without a label: an error, or left out", "refuse"),
    Key("split", "test", text, "a file of rows for the test; otherwise a fifth of the rows"),
    Key("split", "validation", text, "a file of rows to choose by; otherwise a fifth of the rows, with test a quarter"),
    Key("split", "cv", whole(2), "so many folds in place of a test part"),
    Key("split", "group", text, "rows with the same value in this column stay in one part"),
    Key("split", "time", text, "train on the earliest rows by this column, test on the latest"),
    Key(
        "split",
        "calibration",
        either(words("folds", "none"), number(0, 0.5)),
        "a share of rows held out for probabilities and sets, which are then guaranteed; or folds, or none",
        "folds",
    ),
    Key("features", "scale", truth, "whether numbers are centred and scaled", True),
    Key("features", "unit", words(*UNITS), "scaled to unit length: the text of a row, whole rows, none", "text"),
    Key("features", "rare", truth, "whether values of sparse rows count words and are weighed by rarity", False),
    Key("features", "share", truth, "whether rare names of a column with many share a feature, (other)", True),
    Key(
        "features",
        "knots",
        whole(0, MOST_KNOTS),
        "of the curve of each column of numbers, at most; 0: straight; unset: both are tried",
    ),
    Key(
        "features",
        "units",
        whole(0, MOST_UNITS),
        "association units over all columns, which follow curves without keeping rows; 0: none; unset: tried",
    ),
    Key("features", "over", words(*OVERS), "knots at quantiles of the rows, or of the distinct values", "rows"),
    Key(
        "text",
        "weight",
        words(*WEIGHTS),
        "presence (0/1), counts, tfidf (counts times rarity); of two classes ratio or ratio-idf",
        "presence",
    ),
    Key(
        "text",
        "rarity",
        number(LEAST_POWER, MOST_POWER),
        "the power of rarity in tfidf and ratio-idf; unset: 1, or 1.5 of more classes than two",
    ),
    Key("text", "damped", truth, "n occurrences count 1 + ln n", False),
    Key("text", "pairs", truth, "the same as ngrams = 2", False),
    Key(
        "text", "ngrams", whole(0, MOST_WORDS), "neighbouring words together, up to so many; 0: no words; unset: tried"
    ),
    Key("text", "characters", truth, "also runs of 3 to 5 characters within words; unset: tried"),
    Key("text", "capitals", truth, "also words in capitals, as features of their own", False),
    Key("text", "stems", text, "a language: words that share a stem are one"),
    Key("text", "stop_words", either(words("english"), listed(text)), "words that are left out: 'english', or a list"),
    Key("text", "min_documents", whole(1), "words and n-grams in fewer rows are left out", 1),
    Key("text", "max_features", whole(1), "only so many words and n-grams, those in most rows"),
    Key("text", "hash_bits", whole(1, MOST_BITS), "no dictionary but 2 ** hash_bits features"),
    Key("search", "model", _model, f"{', '.join(MODELS[:-1])} or {MODELS[-1]}", "auto"),
    Key(
        "search",
        "weights",
        words(*ASKED_WEIGHTS),
        "of a perceptron, averaged, final, pocket or voted; otherwise searched",
    ),
    Key(
        "search",
        "ties",
        words(*TIES),
        "of a perceptron: a score of 0 is a mistake, or of the second or the first class",
    ),
    Key("search", "bias", truth, "of a perceptron: whether there is a constant feature", True),
    Key("search", "margin", number(0), "of a perceptron, in multiples of the mean |f(x)|²; otherwise searched"),
    Key("search", "passes", whole(1), "of a perceptron; otherwise searched"),
    Key(
        "search", "rule", words(*RULES), "of a perceptron: what a step does; otherwise perceptron, and arow over words"
    ),
    Key("search", "C", number(0), "of rules pa1, pa2 and arow: how far a step may go; otherwise searched"),
    Key("search", "k", either(words("inf"), number(0, infinite=True)), "of naive Bayes; otherwise searched"),
    Key("search", "counting", words(*COUNTINGS), "of naive Bayes: words present or not, or counted; otherwise both"),
    Key("search", "priors", words(*NAMED_PRIORS), "of naive Bayes: P(y) smoothed by k, or uniform; otherwise shares"),
    Key("search", "kernel", words(*KERNELS), "of model kernel: rbf, poly or cosine; otherwise searched"),
    Key("search", "degree", whole(1, MOST_DEGREE), "of the kernels poly and cosine; otherwise searched"),
    Key("search", "gamma", number(0), "of the kernels rbf and poly; otherwise searched"),
    Key(
        "search", "device", words(*DEVICES), "where a kernel is learned: cpu, gpu, or auto where both agree to the bit"
    ),
    Key("search", "choose_by", words(*MERITS), "what candidates are compared by", "accuracy"),
    Key(
        "search",
        "class_weights",
        either(words(BALANCED), table(number(0))),
        "how much rows of each class count, in the fit and in the choice: 'balanced', or such as {rare = 5}",
    ),
    Key("search", "fit_all", truth, "after the test, fit the choice to all rows", False),
    Key("search", "seed", whole(0, LARGEST_SEED), "decides the split and the order of the rows", 0),
    Key("search", "seeds", whole(1), "also fit in so many orders and report the spread", 1),
    Key("search", "shards", whole(1), "parts of the rows that a perceptron visits at the same time", 1),
    Key("search", "record", truth, "keep the training rows and the updates in the model", False),
    Key(
        "search", "size", _size, "of the model file at most, such as '1MB': the weights that matter least are left out"
    ),
    Key("goal", "positive", text, "of two classes, the one that matters"),
    Key("goal", "max_false_positives", number(0, 1), "share of the other class that may be taken for it"),
    Key("goal", "cost_false_positive", number(0), "what it costs to take the other for it"),
    Key("goal", "cost_false_negative", number(0), "what it costs to miss one"),
)
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))
DEFAULTS = {key.name: key.default for key in KEYS}
NAMES = frozenset(DEFAULTS)
P = ParamSpec("P")
R = TypeVar("R")
# What is said of a column; the reason is for people.
COLUMN = claims.fields(
    {"kind": words(*KINDS)}, {"order": listed(text), "reads": words(*WRITTEN, *ORDERS), "reason": text}, others=False
)


@dataclass(frozen=True)
class Config:
    """What is set, by the names of KEYS, and what columns are said to be."""

    values: Mapping[str, Any] = field(default_factory=dict)
    wishes: Wishes = field(default_factory=Wishes)  # of columns alone

    def without(self, names: Iterable[str]) -> Config:
        """The config without these settings: they were said elsewhere, which counts more."""
        gone = set(names)
        return replace(self, values={name: value for name, value in self.values.items() if name not in gone})

    def joined(self, values: Mapping[str, Any], wishes: Wishes) -> Config:
        """The config with settings that were said elsewhere, unless they are what they are by default."""
        said = {name: value for name, value in values.items() if _is_set(name, value)}
        spoken = spoken_of(wishes)
        kept = {kind: [name for name in getattr(self.wishes, kind) if name not in spoken] for kind in KINDS[:-1]}
        orders = {name: order for name, order in self.wishes.ordered.items() if name not in spoken}
        both = {kind: [*names, *getattr(wishes, kind)] for kind, names in kept.items()}
        reads = {name: reads for name, reads in self.wishes.reads.items() if name not in spoken} | {**wishes.reads}
        return Config({**self.values, **said}, wishes_of(both, {**orders, **wishes.ordered}, reads))

    @property
    def all_wishes(self) -> Wishes:
        """What columns are, and how they become features."""
        own = self._of(field.name for field in fields(Wishes))
        return replace(self.wishes, **own, words=TextSettings(**self._of(field.name for field in fields(TextSettings))))

    @property
    def choices(self) -> Choices:
        """What is fixed of the search."""
        own = self._of(field.name for field in fields(Choices))
        own |= {"k": float(own["k"])} if isinstance(own.get("k"), str) else {}
        return Choices(**own, wishes=self.all_wishes)

    @property
    def how(self) -> How:
        """How the data is read."""
        own: Any = self._of(How.__annotations__)
        found: How = own
        return found

    @property
    def goal(self) -> Goal | None:
        """What is asked of the positive class; None where none is named."""
        own = self._of(field.name for field in fields(Goal))
        if own and "positive" not in own:
            raise SettingError(f"goal.{min(own)} is about a class. Name it with positive.")
        return Goal(**own) if own else None

    def get(self, name: str) -> Any:
        return self.values.get(name, DEFAULTS[name])

    def _of(self, names: Iterable[str]) -> dict[str, Any]:
        return {name: self.values[name] for name in names if name in self.values}

    def to_dict(self) -> dict[str, Any]:
        """The config as the tables of a file, of plain values alone; what JSON or TOML cannot hold is left out."""
        plain: dict[str, Any] = {section: {} for section in SECTIONS}
        for key in KEYS:
            value = _plain(self.values.get(key.name))
            if _fits(key.form, value) and _is_set(key.name, value):
                plain[key.section][key.name] = value
        columns: dict[str, Any] = {name: {"kind": k} for k in KINDS[:-1] for name in getattr(self.wishes, k)}
        columns |= {name: {"kind": "ordered", "order": list(o)} for name, o in self.wishes.ordered.items()}
        for name, reads in self.wishes.reads.items():
            columns[name]["reads"] = reads
        return {name: held for name, held in {**plain, COLUMNS: dict(sorted(columns.items()))}.items() if held}


def wishes_of(
    named: Mapping[str, Sequence[str]], ordered: Mapping[str, Sequence[str]], reads: Mapping[str, str] | None = None
) -> Wishes:
    """Wishes of columns alone, from the columns of each kind, the orders of some, and how the numbers of some read."""
    return Wishes(
        named["text"], named["category"], named["numeric"], named["drop"], ordered,
        bent=named["bent"], date=named["date"], bins=named["bins"], tags=named["tags"], reads=reads or {},
    )  # fmt: skip


def asked_for(
    config: Config,
    given: Mapping[str, Any],
    columns: Wishes,
    choices: Choices | None,
    wishes: Wishes | None,
    goal: Goal | None,
) -> Config:
    """All that a call of `train` asks for. What is given by name comes before objects, and these before the config."""
    if goal is not None:  # one of its own, not a part of that of the config
        config = config.without(field.name for field in fields(Goal)).joined(asdict(goal), Wishes())
    for each in (None if choices is None else choices.wishes, wishes):
        if each is not None:
            config = config.joined(_named({**vars(each), **vars(each.words)}), each)
    if choices is not None:
        config = config.joined(_named(vars(choices)), Wishes())
    return config.joined(given, columns)


def _named(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that are settings by these names."""
    return {name: value for name, value in values.items() if name in DEFAULTS}


def refusing_unknown(job: Callable[P, R]) -> Callable[P, R]:
    """The function, which answers to the name of a setting that it does not have with those that it has."""
    names = sorted(name for name, each in signature(job).parameters.items() if each.kind is each.KEYWORD_ONLY)

    @wraps(job)
    def asked(*given: P.args, **settings: P.kwargs) -> R:
        for name in settings:
            if name not in names:
                raise SettingError(
                    f"train has no setting named {name!r}.{nearest_hint(name, names)} Settings are: {', '.join(names)}."
                )
        return job(*given, **settings)

    return asked


def config_of(model: Model, file: str) -> str:
    """The config that the model in this file was trained with, as TOML: with it `train` makes the same model again."""
    kept = model.card.get("config")
    if kept is None:
        raise DataError(
            f"{file}: the model keeps no config: an older version or a cluster made it. Train it again to have one."
        )
    notes = ["The model was updated since, with rows of other files."] if model.card["updates"] else []
    return to_toml(read_config(kept, f"{file}: the card.config"), model.plan, notes=notes)


def read_config(source: str | PathLike[str] | Mapping[str, Any] | Config | None, name: str = "config") -> Config:
    """The config in a file or a dictionary, checked; SettingError says where it is wrong, and what is allowed there."""
    if source is None or isinstance(source, Config):
        return source or Config()
    name = name if isinstance(source, Mapping) else str(source)
    plain = source if isinstance(source, Mapping) else _parsed(Path(source))
    try:
        return _checked(plain)
    except Misfit as error:
        raise SettingError(f"{name}: {error}. Change it, or leave it out.") from None


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SettingError(f"{path}: cannot be read ({error.strerror}). Give the file that --plan-only made.") from None
    try:
        if len(content) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES:,} bytes")
        return tomllib.loads(content.decode("utf8"))
    except (ValueError, RecursionError) as error:
        what = " ".join(str(error).split())
        raise SettingError(f"{path}: not TOML ({what}). Begin with what train --plan-only prints.") from None


def _checked(plain: Mapping[str, Any]) -> Config:
    values: dict[str, Any] = {}
    _refuse_unknown(plain, (*SECTIONS, COLUMNS), "", "Tables")
    for section in SECTIONS:
        held = plain.get(section, {})
        known = {key.name: key for key in KEYS if key.section == section}
        table(claims.anything)(held, section)
        _refuse_unknown(held, known, f"{section}.", f"Keys of [{section}]")
        for name, value in held.items():
            known[name].form(value, f"{section}.{name}")
        values |= held
    columns = plain.get(COLUMNS, {})
    table(COLUMN)(columns, COLUMNS)
    for name, said in columns.items():
        if ("order" in said) != (said["kind"] == "ordered"):
            raise Misfit(f"{COLUMNS}.{name}.order (its values, lowest first) is for kind 'ordered', and needed there")
        if "reads" in said and said["reads"] not in WRITINGS.get(said["kind"], ()):
            kinds = [kind for kind, writings in WRITINGS.items() if said["reads"] in writings]
            raise Misfit(f"{COLUMNS}.{name}.reads: {said['reads']!r} is for {', '.join(kinds)}")
    named = {kind: [name for name, said in columns.items() if said["kind"] == kind] for kind in KINDS}
    orders = {name: columns[name]["order"] for name in named.pop("ordered")}
    reads = {name: said["reads"] for name, said in columns.items() if "reads" in said}
    return Config(values, wishes_of(named, orders, reads))


def _refuse_unknown(held: Mapping[str, Any], known: Iterable[str], where: str, what: str) -> None:
    names = list(known)
    for name in held:
        if name not in names:
            raise Misfit(f"{where}{name} is unknown.{nearest_hint(name, names)} {what} are: {', '.join(names)}")


def _is_set(name: str, value: Any) -> bool:
    default = DEFAULTS[name]
    empty = isinstance(value, Sequence | Mapping) and not isinstance(value, str) and not len(value)
    return not empty and (type(value) is not type(default) or value != default)


def _fits(form: Form, value: Any) -> bool:
    try:
        form(value, "")
    except Misfit:
        return False
    return True


def _plain(value: Any) -> Any:
    """The value as JSON holds it."""
    if isinstance(value, Path):
        return str(value)
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str) and called(value) != value:  # the name of a file that is no text
        return None
    if isinstance(value, float) and math.isinf(value):
        return "inf"
    if isinstance(value, Mapping):
        return {str(name): str(each) for name, each in value.items()}
    return list(value) if isinstance(value, tuple | list) else value


def to_toml(config: Config, plan: Plan, chosen: Container[str] = (), notes: Sequence[str] = ()) -> str:
    """The config as a file, every key with what it is for; those that are not set, and columns, as comments.

    chosen    columns of which the kind is set to what the plan chose, to be changed by whoever edits the file
    notes     sentences for its head
    """
    held = config.to_dict()
    lines = [f"# {HEAD}", *(f"# {one_line(note)}" for note in notes)]
    for section in SECTIONS:
        lines += ["", f"[{section}]"]
        for key in KEYS:
            if key.section == section:
                value = held.get(section, {}).get(key.name, key.default)
                unset = value is None or value == ()
                said = f"# {key.name} =" if unset else f"{key.name} = {toml_value(value)}"
                lines.append(f"{said}  # {key.about}")
    lines += ["", f"[{COLUMNS}]  # kinds: {', '.join(KINDS)} (with its order, lowest first)"]
    said = held.get(COLUMNS, {})
    lines += [_column(line.column, line, said, chosen) for line in plan.lines]
    return "\n".join([*lines, ""])


def _column(name: str, line: Any, said: Mapping[str, Any], chosen: Container[str]) -> str:
    """A column as the plan has it. What is left out or cannot be asked for is no wish, so it stays a comment."""
    order = {"order": list(line.values)} if isinstance(line, Ordered) else {}
    reads = {"reads": line.reads} if line.reads in (*WRITTEN, *ORDERS) else {}
    found = said.get(name) or {"kind": "drop" if line.kind == "dropped" else line.kind, **order, **reads}
    wish = name in said or (name in chosen and found["kind"] in KINDS and found["kind"] != "drop")
    first = f": {values}" if (values := line.first_values()) else ""
    told = f"  # {line.width} feature{'s'[: line.width > 1]}{first}" if line.width else ""
    return f"{'' if wish else '# '}{toml_key(name)} = {toml_value({**found, 'reason': line.reason})}{told}"


def toml_key(name: str) -> str:
    """The name as a key of TOML."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)


def toml_value(value: Any) -> str:
    """The value in TOML, on one line: text, truth, a number, a list or a table."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):  # JSON escapes what TOML does, but for the last of the control characters
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(name)} = {toml_value(each)}" for name, each in value.items())
        return f"{{{inner}}}"
    return f"[{', '.join(toml_value(each) for each in value)}]"
