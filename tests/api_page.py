"""docs/api.md from the docstrings: `python tests/api_page.py` writes it, a test notices when it is stale."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "api.md"
INTRODUCTION = """# Reference

Made from the docstrings by `python tests/api_page.py`; a test compares the two. The guides say how things are used
together: [the perceptron](perceptron.md), [curves](kernel.md), [naive Bayes](naive_bayes.md), [from a file to
rows](data.md), [from data to a model](train.md), [proofs](proofs.md), [traces](trace.md), [reports, plots, notebooks
and exports](report.md), [clusters](scale_cluster.md).
Names that are not on this page may change without notice. Everything raises `ValueError` (`DataError` or `SettingError`
of `rosenblatt.errors`) with one line that says what is wrong with the data or a setting, and what to do.
"""
PARTS: dict[str, list[str]] = {
    "Classifiers": [
        "rosenblatt.Perceptron",
        "rosenblatt.KernelPerceptron",
        "rosenblatt.AssociationUnits",
        "rosenblatt.NaiveBayes",
    ],
    "Counting": ["rosenblatt.estimate", "rosenblatt.report.estimate.Estimate"],
    "From data to a model": [
        *("rosenblatt.train", "rosenblatt.pipeline.Choices", "rosenblatt.pipeline.Goal", "rosenblatt.model.Model"),
        "rosenblatt.model.flips.Flip",
        *("rosenblatt.model.Evaluation", "rosenblatt.compare", "rosenblatt.model.Comparison"),
        *("rosenblatt.save", "rosenblatt.load", "rosenblatt.estimator"),
        *("rosenblatt.pipeline.train_with_evidence", "rosenblatt.pipeline.update.update"),
        *("rosenblatt.pipeline.forget.forget", "rosenblatt.pipeline.forget.check_receipt"),
        *("rosenblatt.review", "rosenblatt.model.doubts.Review", "rosenblatt.model.doubts.Doubt"),
        "rosenblatt.proofs.repair.Repair",
    ],
    "Data and features": [
        *("rosenblatt.data.read", "rosenblatt.data.table.Table", "rosenblatt.features.Wishes"),
        *("rosenblatt.features.TextSettings", "rosenblatt.features.Plan", "rosenblatt.features.learn"),
        *("rosenblatt.features.learn_and_encode", "rosenblatt.features.Classes", "rosenblatt.features.split_rows"),
    ],
    "Proofs": [
        *("rosenblatt.prove", "rosenblatt.proofs.Separable", "rosenblatt.proofs.Inseparable"),
        *("rosenblatt.proofs.Undecided", "rosenblatt.proofs.from_json", "rosenblatt.proofs.plot_verdict"),
    ],
    "Traces": [
        *("rosenblatt.trace", "rosenblatt.traces.Trace", "rosenblatt.traces.Step"),
        *("rosenblatt.descend", "rosenblatt.traces.descent.Descent", "rosenblatt.draw"),
        *("rosenblatt.compare_orders", "rosenblatt.report.orders.Orders", "rosenblatt.show_lab"),
    ],
    "Plots, reports, exports": [
        *("rosenblatt.plot_boundary", "rosenblatt.plot_passes", "rosenblatt.plot_weights"),
        *("rosenblatt.report.html.write_report", "rosenblatt.store.export_sql.to_sql"),
        *("rosenblatt.store.export_json.to_json", "rosenblatt.store.export_onnx.to_onnx"),
        "rosenblatt.lab.export.export_lab",
    ],
    "Clusters": ["rosenblatt.distributed.train", "rosenblatt.distributed.fragments"],
}
FIELDS_ALONE = {"Choices", "Goal", "Wishes", "TextSettings"}  # what their methods do is no business of callers
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
FIELD = re.compile(r"^    (\w+): ")
ALIGNED = re.compile(r"\S {2,}\S")


def make_page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for title, paths in PARTS.items():
        parts += [f"## {title}\n", *(describe(path) for path in paths)]
    return "\n".join(parts)


def describe(path: str) -> str:
    """The entry of one public name: how it is called, what it says of itself, and its methods."""
    home, _, name = path.rpartition(".")
    thing = getattr(import_module(home), name)
    called = fields_of(thing) if is_dataclass(thing) else f"{name}{signature(thing)}"
    text = f"### {path}\n\n```text\n{called}\n```\n\n{as_markdown(document(thing, path))}\n"
    if inspect.isclass(thing) and name not in FIELDS_ALONE:
        listed_members = [describe_member(thing, member) for member in members(thing)]
        text += "\n" + "".join(listed_members) if listed_members else ""
    return text


def fields_of(thing: type) -> str:
    """The fields of a dataclass as they are written, with the comments that explain them."""
    written: dict[str, str] = {}
    for base in reversed(thing.__mro__):
        if is_dataclass(base):
            lines = inspect.getsource(base).splitlines()
            written |= {found[1]: line.strip() for line in lines if (found := FIELD.match(line))}
    shown = [re.sub(r"field\(default_factory=(\w+)\)", r"\1()", written[field.name]) for field in fields(thing)]
    return "\n".join([f"{thing.__name__}(...), with the fields", "", *shown])


def members(thing: type) -> list[str]:
    """Public methods and properties that the class, or a base of this package, defines and describes."""
    found: dict[str, Any] = {}
    for base in thing.__mro__:
        if base.__module__.startswith("rosenblatt"):
            found |= {name: member for name, member in vars(base).items() if name not in found}
    return [
        name
        for name, member in found.items()
        if not name.startswith(("_", "set_")) and is_member(member) and inspect.getdoc(member)
    ]


def is_member(member: Any) -> bool:
    return inspect.isfunction(member) or isinstance(member, property | cached_property | staticmethod | classmethod)


def describe_member(thing: type, name: str) -> str:
    member = inspect.getattr_static(thing, name)
    called = "" if isinstance(member, property | cached_property) else signature(getattr(thing, name), bound=True)
    said = " ".join(document(member, name).split())
    return fill(f"- **`{name}{called}`** {said}", 118, subsequent_indent="  ", break_long_words=False) + "\n"


def document(thing: Any, path: str) -> str:
    text = inspect.getdoc(thing)
    assert text, f"{path} is public and has no docstring"
    return text


def signature(thing: Any, bound: bool = False) -> str:
    """The parameters as written. `inspect` shows annotations in ways that differ between versions of Python."""
    target = thing.__init__ if inspect.isclass(thing) else thing
    found = inspect.signature(target)
    parameters = list(found.parameters.values())
    if (inspect.isclass(thing) or bound) and parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    shown, starred = [], False
    for parameter in parameters:
        starred |= parameter.kind is parameter.VAR_POSITIONAL
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        marks = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = MISSING if parameter.default is parameter.empty else parameter.default
        kind = None if parameter.annotation is parameter.empty else parameter.annotation
        shown.append(marks + one(parameter.name, kind, default))
    returns = "" if found.return_annotation in (found.empty, "None", "Self") else f" -> {found.return_annotation}"
    return (f"({', '.join(shown)})" if bound else lines_of(shown)) + ("" if inspect.isclass(thing) else returns)


def one(name: str, kind: str | None, default: Any) -> str:
    text = name if kind in (None, "Any") else f"{name}: {kind}"
    if default is MISSING:
        return text
    shown = f"<{default.__name__}>" if callable(default) else repr(default)
    return f"{text} = {shown}" if ":" in text else f"{text}={shown}"


def lines_of(parameters: list[str]) -> str:
    """Parameters in lines of at most 100 characters."""
    lines = [""]
    for number, parameter in enumerate(parameters):
        piece = parameter + (", " if number < len(parameters) - 1 else "")
        if len(lines[-1]) + len(piece) > 96:
            lines.append("")
        lines[-1] += piece
    return f"({lines[0].rstrip()})" if len(lines) == 1 else "(\n    " + "\n    ".join(x.rstrip() for x in lines) + "\n)"


def as_markdown(text: str) -> str:
    """A docstring: prose as it is, numpydoc's sections as lists, aligned lines and examples as blocks."""
    pieces = SECTION.split(text)
    done = [paragraphs(pieces[0])]
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        done.append(f"**{title}**\n\n{paragraphs(body) if '>>>' in body else listed(body)}")
    return "\n\n".join(part for part in done if part)


def paragraphs(text: str) -> str:
    done = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        if part.lstrip().startswith(">>>"):
            done.append(f"```pycon\n{part}\n```")
        elif ALIGNED.search(part):
            done.append(f"```text\n{part}\n```")
        elif part.strip():
            done.append(part.strip())
    return "\n\n".join(done)


def listed(body: str) -> str:
    """Entries at the margin, each with its description indented below it."""
    entries: list[str] = []
    for line in body.strip("\n").splitlines():
        if line[:1].strip():
            head, _, kind = line.partition(" : ")
            entries.append(f"- `{head}`" + (f": {kind}" if kind else ""))
        elif line.strip():
            entries[-1] += "." if not entries[-1].endswith((".", ",")) and "\n" not in entries[-1] else ""
            entries[-1] += f"\n  {line.strip()}"
    return "\n".join(entries)


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf8")
