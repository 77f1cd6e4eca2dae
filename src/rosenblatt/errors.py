"""The exceptions of rosenblatt.

ValueError
 └── RosenblattError      anything wrong with what was given; the message says where, what, what it got, what to do
      ├── DataError       the data cannot be used as asked
      │    └── CellError  a cell holds neither text nor a number; a TypeError too, as scikit-learn's users expect
      └── SettingError    a parameter has a value it cannot have
"""

from __future__ import annotations

OUT_OF_MEMORY = "memory ran out. Give fewer rows, or let the process have more memory."
LAST_WORDS = f"rosenblatt: {OUT_OF_MEMORY}\n".encode()  # made beforehand, for a process that can make nothing any more


LONGEST, END = 1_500, 300  # letters of a message, and of its end: what is quoted from a file may have any length


class RosenblattError(ValueError):
    """Something given cannot be used. On the command line its message is the one line that the user sees."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[: LONGEST - END]} … {message[-END:]}")


class DataError(RosenblattError):
    """The data cannot be used as asked."""


class SettingError(RosenblattError):
    """A parameter has a value it cannot have."""


class CellError(DataError, TypeError):
    """A cell holds something that is neither text nor a number; a TypeError too, as scikit-learn's users expect."""
