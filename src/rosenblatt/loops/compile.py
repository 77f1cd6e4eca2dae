"""How every loop is compiled: on first use, cached on disk, without the GIL, and runnable as plain Python.

A loop is a Python function. Compiled it is a hundred times faster, but loading the compiler takes longer than a message
takes to classify. So a loop that says how much it has to do runs as it is written until it has done as much as the
compiler would have cost. That changes no bit: `loop` leaves every product and every sum as Python has them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, update_wrapper
from importlib import import_module
from typing import Any

import numpy as np

# Full fastmath would license wrong answers on NaN and infinity. Contracting a product and a sum into one instruction
# makes training faster; reordering a sum pays for dense rows only, where it fills the vector units. Whatever is
# given out, scores above all, is computed as written: so Python, numpy and a browser can repeat it to the bit.
AS_WRITTEN: frozenset[str] = frozenset()
IN_ORDER = frozenset({"contract"})
ANY_ORDER = frozenset({"contract", "reassoc"})

# Steps that a loop takes in Python before it is compiled, a few tenths of a second; and where the compiler is loaded
# already, so that only the loop itself has to be, as long as that takes.
PATIENCE, LOADED = 100_000, 500

COMPILER = "rosenblatt.loops.compiler"

_waiting: list[Callable[[], None]] = []  # what the compiler must be told before it compiles anything


def expect_much() -> None:
    """Loads the compiler: what follows will need it."""
    import_module(COMPILER)


class Loop:
    """A function that runs compiled, or in Python while it has little to do."""

    inlined = False

    def __init__(self, function: Callable[..., Any], fastmath: frozenset[str], work: Callable[..., int] | None) -> None:
        self.function, self.fastmath, self.work, self.done = function, fastmath, work, 0
        self.made: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        if self.made is None and self.work is not None:
            self.done += self.work(*arguments)
            if self.done <= (LOADED if COMPILER in sys.modules else PATIENCE):
                with np.errstate(over="ignore"):  # hashes are meant to wrap
                    return self.function(*arguments)
        return self.compiled(*arguments)

    @property
    def compiled(self) -> Any:
        """What the compiler makes of it; with the JIT off, the function itself."""
        if self.made is None:
            from rosenblatt.loops import compiler

            compiler.make(self, _waiting)
        return self.made

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this for when another loop calls it."""
        from rosenblatt.loops import compiler

        return compiler.type_of(self.compiled)


class Part(Loop):
    """A function that loops are made of. Called from Python it runs as it is."""

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)


class Inlined(Part):
    """A part that is copied to where it is called: the call would take as long as its work."""

    inlined = True


def loop(function: Callable[..., Any]) -> Any:
    """The function, compiled when it is first called with arguments of new types."""
    return Loop(function, AS_WRITTEN, None)


def loop_of(work: Callable[..., int]) -> Any:
    """A decorator: a loop that takes about work(*arguments) steps, which runs in Python while these are few."""
    return partial(Loop, fastmath=AS_WRITTEN, work=work)


def fused_loop(function: Callable[..., Any]) -> Any:
    """A loop that may contract a product and a sum: for what is learned or chosen, not for what is given out."""
    return Loop(function, IN_ORDER, None)


def part(function: Callable[..., Any]) -> Any:
    """A part of loops."""
    return Part(function, AS_WRITTEN, None)


def inlined_part(function: Callable[..., Any]) -> Any:
    """A part of loops that they do not call, but hold."""
    return Inlined(function, AS_WRITTEN, None)


def fused_part(function: Callable[..., Any]) -> Any:
    """A part of loops that may contract a product and a sum."""
    return Part(function, IN_ORDER, None)


def when_compiling(register: Callable[[], None]) -> None:
    """Has the function called before a loop is compiled: it tells numba of something."""
    _waiting.append(register)


def per_storage(
    bodies: dict[type, Callable[..., Any]],
    any_order: frozenset[type] = frozenset(),
    fastmath: frozenset[str] = IN_ORDER,
) -> Any:
    """A decorator: a call of the stub runs the body for the storage of its first argument.

    Compiled code makes the choice while compiling, by the type of the named tuple; in Python the
    stub makes the same choice. Bodies for the storages in `any_order` may reorder their sums.
    """

    def decorate(stub: Callable[..., Any]) -> Any:
        def dispatch(rows, *arguments):
            return bodies[type(rows)](rows, *arguments)

        def register() -> None:
            from rosenblatt.loops import compiler

            for storage, body in bodies.items():
                compiler.overload(dispatch, storage, body, ANY_ORDER if storage in any_order else fastmath)

        dispatch.__name__, dispatch.__doc__ = stub.__name__, stub.__doc__
        when_compiling(register)
        return dispatch

    return decorate
