"""Children heed the signals that end a command, even where this process was started to ignore them, as nohup does."""

from __future__ import annotations

import signal

ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


def let_children_heed() -> None:
    """A signal that is ignored stays so in a child; a handler, which does nothing either, is gone there."""
    for name in ENDING:
        number = getattr(signal, name)
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda number, frame: None)
