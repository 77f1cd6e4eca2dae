"""A process may be copied by `fork` while a thread of it compiles a loop; the copy must be able to compile too.

The copy has one thread, and a lock that another one held stays locked in it for ever. So whoever forks waits until
nobody compiles, and both processes go on with the lock free.
"""

from __future__ import annotations

import os

from numba.core.compiler_lock import global_compiler_lock


def register() -> None:
    """Takes numba's lock before every fork and lets go of it afterwards, on both sides."""
    if hasattr(os, "register_at_fork"):
        take, let_go = global_compiler_lock.acquire, global_compiler_lock.release
        os.register_at_fork(before=take, after_in_parent=let_go, after_in_child=let_go)
