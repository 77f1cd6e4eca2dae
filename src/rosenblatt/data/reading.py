"""How one source is to be read: the settings of `read`, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rosenblatt.data import formats
from rosenblatt.errors import SettingError


@dataclass(frozen=True)
class Reading:
    """The settings of one call of `read`, for files and folders; `How` names them for callers."""

    label: Any = None
    labelled: bool = True
    format: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    quotes: bool | None = None
    encoding: str | None = None
    strings: Sequence[str] = ()
    names: str | Sequence[str] | None = None
    relabel: Mapping[str, str] | None = None
    raw: bool = False
    lines: str | None = None
    sheet: str | None = None
    usual: str | None = None

    def __post_init__(self) -> None:
        known = [form.name for form in formats.FORMATS]
        if self.format is not None and self.format not in known:
            raise SettingError(f"format must be one of {', '.join(known)}; got {self.format!r}.")
        if self.delimiter is not None and (len(self.delimiter) != 1 or not self.delimiter.isascii()):
            raise SettingError(f"delimiter must be one ASCII character; got {self.delimiter!r}.")
        try:
            "".encode(self.encoding or "utf-8")  # Python also knows base64, rot13 and zlib by such names
        except (LookupError, ValueError):
            raise SettingError(
                f"there is no text encoding named {self.encoding!r}. Name one such as latin-1 (--encoding latin-1)."
            ) from None

    @property
    def says_table(self) -> bool:
        """Whether a setting is for tables alone."""
        return any(each is not None for each in (self.header, self.delimiter, self.quotes))

    def column(self, source: str) -> str | None:
        """The label as the name of a column."""
        if not isinstance(self.label, str | Path | None):
            raise SettingError(f"label must be the name of a column of {source}; got a {type(self.label).__name__}.")
        return None if self.label is None else str(self.label)

    def plain(self) -> dict[str, Any]:
        """The settings that decide what is in the columns: their names and those of the labels come after reading."""
        kept = {name: value for name, value in vars(self).items() if name not in ("names", "relabel")}
        return kept | {"label": str(self.label), "strings": list(self.strings)}

    def feature_names(self) -> Sequence[str] | None:
        """The names of columns 1, 2, …; None where nobody gives any."""
        from rosenblatt.data.svmlight import feature_names

        return None if self.names is None else feature_names(self.names)
