"""HTML and SVG in which every string is escaped unless it was made here.

`tag` is the only way to make markup, and it escapes whatever is not markup already. So no name, word or cell of the
data can become a tag, an attribute or a script, whoever writes the next section of the report.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TypeAlias

from rosenblatt.harmless import visible

VOID = frozenset({"meta", "br", "hr"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Child: TypeAlias = "str | int | Iterable[Child] | None"


def text(value: object) -> Markup:
    """The value as text: no character of it has a meaning in HTML, and those that cannot be shown have a sign."""
    return Markup(html.escape(visible(str(value)), quote=True))


def tag(name: str, /, *children: Child, **attributes: str | float | None) -> Markup:
    """An element. Attribute names: `class_` is class, `stroke_width` is stroke-width; None leaves one out."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Markup(f"<{name}{shown}>")
    return Markup(f"<{name}{shown}>{joined(children)}</{name}>")


def joined(children: Child) -> Markup:
    """The children one after the other, each escaped unless it is markup."""
    if children is None:
        return Markup("")
    if isinstance(children, Markup):
        return children
    if isinstance(children, str | int):
        return text(children)
    return Markup("".join(joined(child) for child in children))


def _plain(value: str | float) -> str:
    """A coordinate in as few characters as a screen can show."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def table(
    head: Iterable[Child], rows: Iterable[Iterable[Child]], caption: str, numbers: Iterable[int] = (), kind: str = ""
) -> Markup:
    """A table whose first column heads its rows.

    `numbers` are the columns to align on the right, `kind` is a class of style.py.
    """
    right = set(numbers)

    def cell(column: int, name: str, child: Child, scope: str | None) -> Markup:
        return tag(name, child, class_="n" if column in right else None, scope=scope)

    lines = [
        tag("tr", *(cell(k, "td", child, None) if k else cell(k, "th", child, "row") for k, child in enumerate(row)))
        for row in rows
    ]
    heads = tag("tr", *(cell(k, "th", child, "col") for k, child in enumerate(head)))
    inner = tag("table", tag("caption", caption), tag("thead", heads), tag("tbody", lines), class_=kind or None)
    return scrolled(inner, caption)


def scrolled(inner: Markup, label: str) -> Markup:
    """A part that may be wider than the screen; the keyboard reaches it too."""
    return tag("div", inner, class_="wide", tabindex=0, role="region", aria_label=label)


def facts(rows: Iterable[tuple[str, Child]]) -> Markup:
    """Names and what they stand for, one under the other."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows))


def numbers_of(picture: str, twin: Markup) -> Markup:
    """The numbers of a picture, folded away under it; they are printed unfolded."""
    return tag("details", tag("summary", f"{picture} in numbers"), twin)


def card(title: str, *children: Child, wide: bool = False) -> Markup:
    """A section of the page."""
    return tag("section", tag("h2", title), *children, class_="card whole" if wide else "card")
