"""Bits of a word of 64, and eight bytes as one."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import part, when_compiling


def _trailing_zeros(word):
    """The zeros below the lowest bit that is set. This runs without compiled code; with it, one instruction does.

    Looking the place up in a table instead took a quarter of the search for words.
    """
    return type(word)((int(word) & -int(word)).bit_length() - 1)


def eight_bytes(array, at):
    """The 8 bytes from a place on as one number, the first lowest. Compiled, one instruction, wherever they begin."""
    return np.uint64(int.from_bytes(array[at : at + 8].tobytes(), "little"))


@when_compiling
def _register() -> None:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import lower_builtin, type_callable

    @type_callable(_trailing_zeros)
    def type_of_zeros(context):
        return lambda word: types.uint64

    @lower_builtin(_trailing_zeros, types.uint64)
    def build_zeros(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    @type_callable(eight_bytes)
    def type_of_bytes(context):
        return lambda array, at: types.uint64

    @lower_builtin(eight_bytes, types.Array, types.uint64)
    def build_bytes(context, builder, signature, arguments):
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        return builder.load(place, align=1)


@part
def lowest_bit(word):
    """The place of the lowest bit that is set in a word that is not zero."""
    return _trailing_zeros(word)
