"""What a file says, checked before it is used: whoever makes a file can give it a checksum that fits.

A form is a function that takes a value of JSON and the words for where it stands, and raises Misfit unless the value is
of that form. `array` does the same for an array. Whoever reads the file makes its own refusal of a Misfit: it knows the
name of the file, and what to do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

Form = Callable[[Any, str], None]
LARGEST = 2**63 - 1
SHOWN = 40  # characters of a value


class Misfit(ValueError):
    """A file says what cannot be; the message has where, what it should be, and what it is."""


def refuse(where: str, wanted: str, value: Any) -> Misfit:
    """The exception to raise."""
    try:
        plain = isinstance(value, str | int | float | None)
        shown = ascii(value) if plain else f"a value of type {type(value).__name__}"
    except ValueError:  # a number of more digits than Python writes
        shown = "a number too long to show"
    return Misfit(f"{where} must be {wanted}; got {shown if len(shown) <= SHOWN else shown[: SHOWN - 1] + '…'}")


def anything(value: Any, where: str) -> None:
    """Somebody else looks at it."""


def text(value: Any, where: str) -> None:
    if not isinstance(value, str):
        raise refuse(where, "a text", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise refuse(where, "a text of whole characters", value) from None


def hexadecimal(value: Any, where: str) -> None:
    """64 bits as 16 digits."""
    if not isinstance(value, str) or len(value) != 16 or not set(value) <= set("0123456789abcdef"):
        raise refuse(where, "16 hexadecimal digits", value)


def truth(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        raise refuse(where, "true or false", value)


def nothing(value: Any, where: str) -> None:
    if value is not None:
        raise refuse(where, "null", value)


def whole(low: int = 0, high: int = LARGEST) -> Form:
    """A whole number from low to high."""

    def form(value: Any, where: str) -> None:
        if type(value) is not int or not low <= value <= high:
            raise refuse(where, f"a whole number from {low} to {high}", value)

    return form


def number(low: float = -math.inf, high: float = math.inf, infinite: bool = False) -> Form:
    """A number from low to high, finite unless said otherwise."""

    def form(value: Any, where: str) -> None:
        try:
            fits = type(value) in (int, float) and low <= float(value) <= high
            fits = fits and (infinite or math.isfinite(value))
        except OverflowError:  # a whole number that no float can hold
            fits = False
        if not fits:
            raise refuse(where, "a number" if low == -high else f"a number from {low:g} to {high:g}", value)

    return form


def words(*known: str) -> Form:
    """One of these words."""

    def form(value: Any, where: str) -> None:
        if not isinstance(value, str) or value not in known:
            raise refuse(where, f"one of {', '.join(map(repr, known))}", value)

    return form


def either(*forms: Form) -> Form:
    """Of one of these forms; what is refused is refused in the words of the last."""

    def form(value: Any, where: str) -> None:
        for each in forms[:-1]:
            try:
                return each(value, where)
            except Misfit:
                continue
        return forms[-1](value, where)

    return form


def listed(each: Form, count: int | None = None) -> Form:
    """A list of such values, of so many if that is said."""

    def form(value: Any, where: str) -> None:
        if not isinstance(value, list) or count not in (None, len(value)):
            raise refuse(where, "a list" if count is None else f"a list of {count}", value)
        for place, item in enumerate(value):
            each(item, f"{where}[{place}]")

    return form


def row(*each: Form) -> Form:
    """A list with one value of each of these forms."""

    def form(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) != len(each):
            raise refuse(where, f"a list of {len(each)}", value)
        for place, (item, one) in enumerate(zip(value, each, strict=True)):
            one(item, f"{where}[{place}]")

    return form


def table(each: Form) -> Form:
    """Names with such values."""

    def form(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise refuse(where, "a table of names and values", value)
        for name, item in value.items():
            each(item, f"{where}.{name}")

    return form


def fields(needed: Mapping[str, Form], may: Mapping[str, Form] | None = None, others: bool = True) -> Form:
    """A table that has the needed fields, and may have those of `may`; unless said otherwise, any others too."""
    known = {*needed, *(may or {})}

    def form(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise refuse(where, "a table of names and values", value)
        for name, each in needed.items():
            if name not in value:
                raise Misfit(f"{where}.{name} is missing")
            each(value[name], f"{where}.{name}")
        for name, each in (may or {}).items():
            if name in value:
                each(value[name], f"{where}.{name}")
        if not others and not known.issuperset(value):
            raise Misfit(f"{where}.{min(set(value) - known)} is unknown")

    return form


def array(
    arrays: Mapping[str, np.ndarray],
    name: str,
    types: str,
    shape: tuple[int | None, ...],
    low: float | None = None,
    high: float | None = None,
) -> np.ndarray:
    """The array of that name: of one of the types (names of numpy's, with spaces between), of the shape (None where any
    length will do), finite, and from low to high."""
    import numpy as np

    if name not in arrays:
        raise Misfit(f"the array {name} is missing")
    found = arrays[name]
    lengths = found.ndim == len(shape) and all(w in (None, s) for w, s in zip(shape, found.shape, strict=True))
    if found.dtype.name not in types.split() or not lengths:
        given = f"{found.dtype.name} of shape {found.shape}"
        raise Misfit(f"the array {name} must be {types.replace(' ', ' or ')} of shape {shape}; got {given}")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise Misfit(f"the array {name} must be finite")
    if found.size and ((low is not None and found.min() < low) or (high is not None and found.max() > high)):
        raise Misfit(f"the array {name} must hold numbers from {low} to {high}; got {found.min()} to {found.max()}")
    return found
