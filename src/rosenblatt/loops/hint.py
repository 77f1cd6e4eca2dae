"""A hint to the processor: this memory will be wanted soon."""

from __future__ import annotations

from rosenblatt.loops.compile import when_compiling


def _build_hint(context, builder, signature, arguments):
    from llvmlite import ir
    from numba.core import cgutils

    data = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data
    address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
    word = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
    hint = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
    reading, second_level, data_cache = word(0), word(2), word(1)
    builder.call(hint, [address, reading, second_level, data_cache])
    return context.get_dummy_value()


def ask_for(array, index):
    """A hint to bring array[index] into the second-level cache. It reads nothing, so no index can do harm.

    Without compiled code there is nothing to hint at, and this is what runs.
    """


@when_compiling
def _register() -> None:
    from numba import types
    from numba.extending import lower_builtin, type_callable

    @type_callable(ask_for)
    def type_hint(context):
        return lambda array, index: types.none

    lower_builtin(ask_for, types.Array, types.uintp)(_build_hint)
