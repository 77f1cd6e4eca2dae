"""The last weights of a run, as in the notes."""

from __future__ import annotations

from typing import ClassVar

from rosenblatt.learn.variant import Variant


class Final(Variant):
    """The weights themselves."""

    name: ClassVar[str] = "final"
    last: ClassVar[bool] = True
