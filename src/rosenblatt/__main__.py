"""`python -m rosenblatt`, and the command `rosenblatt`: both begin here, before anything large is imported."""

import os
import signal

from rosenblatt.errors import LAST_WORDS


def main() -> None:
    """Runs the command that was typed.

    Until it has begun, Ctrl-C ends the process as other signals do, at once: Python would show where an import stood.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise it is to be ignored, or ours
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from rosenblatt.cli import main as run

        run()
    except MemoryError:  # too little to load the command
        os.write(2, LAST_WORDS)
        os._exit(1)  # an exception would need memory, too


if __name__ == "__main__":
    main()
