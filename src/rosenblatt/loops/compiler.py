"""numba, loaded when the first loop is compiled. Only `compile` imports this."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numba.extending
import numpy as np
from numba.core.compiler_lock import global_compiler_lock

from rosenblatt.loops import forking
from rosenblatt.loops.kept import Kept, folder

forking.register()


def make(loop: Any, waiting: list[Callable[[], None]]) -> None:
    """Sets loop.made to what is compiled when it is first called with arguments of new types, and kept on the disk.

    What waits to be registered comes first. Two threads may ask at once; the second one waits.
    """
    with global_compiler_lock:
        while waiting:
            waiting.pop(0)()
        if loop.made is None:
            options = {
                "nogil": True,
                "error_model": "numpy",
                "fastmath": set(loop.fastmath),
                "forceinline": loop.inlined,
            }
            found = numba.njit(loop.function, **options)
            place = folder()
            if found is loop.function:  # with the JIT off it is
                found = np.errstate(over="ignore")(found)  # hashes wrap; compiled code does not look
            elif place is not None:
                found._cache = Kept(loop.function, place)
            loop.made = found


def type_of(dispatcher: Any) -> Any:
    """The type under which numba knows a function that it compiles."""
    return numba.types.Dispatcher(dispatcher)


def overload(dispatch: Any, storage: type, body: Any, fastmath: frozenset[str]) -> None:
    """Has calls of `dispatch` with rows in this storage compiled as the body."""
    # Left to itself the compiler calls the longer bodies, and passing thirty words per call triples a short row's time.
    options: Any = {"fastmath": set(fastmath), "error_model": "numpy", "forceinline": True}

    @numba.extending.overload(dispatch, strict=False, jit_options=options)
    def choose(rows, *arguments):
        return body if getattr(rows, "instance_class", None) is storage else None
