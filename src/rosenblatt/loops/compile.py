"""How every loop is compiled: on first use, cached on disk, without the GIL, and runnable with the JIT off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.extending import overload

from rosenblatt.loops import forking
from rosenblatt.loops.kept import Kept, folder

forking.register()

# Full fastmath would license wrong answers on NaN and infinity. Contracting a product and a sum into one
# instruction is harmless; reordering a sum pays for dense rows only, where it fills the vector units.
IN_ORDER = {"contract"}
ANY_ORDER = {"contract", "reassoc"}


def loop(function: Callable[..., Any]) -> Any:
    """The function, compiled when it is first called with arguments of new types."""
    compiled = numba.njit(function, nogil=True, error_model="numpy", fastmath=IN_ORDER)
    place = folder()
    if place is not None and compiled is not function:  # with the JIT off it is
        compiled._cache = Kept(function, place)
    return compiled


def per_storage(bodies: dict[type, Callable[..., Any]], any_order: frozenset[type] = frozenset()) -> Any:
    """A decorator: a call of the stub runs the body for the storage of its first argument.

    Compiled code makes the choice while compiling, by the type of the named tuple; with the JIT off the
    stub makes the same choice in Python. Bodies for the storages in `any_order` may reorder their sums.
    """

    def decorate(stub: Callable[..., Any]) -> Any:
        def dispatch(rows, *arguments):
            return bodies[type(rows)](rows, *arguments)

        dispatch.__name__, dispatch.__doc__ = stub.__name__, stub.__doc__
        for storage, body in bodies.items():
            _register(dispatch, storage, body, ANY_ORDER if storage in any_order else IN_ORDER)
        return dispatch

    return decorate


def _register(dispatch: Any, storage: type, body: Any, fastmath: set[str]) -> None:
    # Left to itself the compiler calls the longer bodies, and passing thirty words per call triples a short row's time.
    options: Any = {"fastmath": fastmath, "error_model": "numpy", "forceinline": True}

    @overload(dispatch, strict=False, jit_options=options)
    def choose(rows, *arguments):
        return body if getattr(rows, "instance_class", None) is storage else None
