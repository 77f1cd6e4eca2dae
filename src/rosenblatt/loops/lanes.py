"""The products of two lines of numbers, summed in eight lanes: the order of sums for dense rows that are given out.

Lane l adds up the products of the columns l, l + 8, l + 16, ...; then the lanes are added in pairs, 0 with 4, 1 with 5
and so on, until one is left. The order is fixed, so the sum is the same everywhere, and eight lanes fill the vector
units: the compiler is told of vectors here, because left to itself it makes them only by reordering sums as it likes.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import when_compiling

LANES = 8


def lane_sums(values, i, weights, which):
    """For each line of the weights in `which`, a tuple of numbers, the sum of its products with row i of the values.

    Weights may be a single line; what they have beyond the row's columns is not read. The sums are float32 where
    neither is float64. This runs without compiled code: a running sum is added up one by one, as a lane is.
    """
    x, found = values[i], []
    for line in np.atleast_2d(weights)[list(which)]:
        products = line[: len(x)] * x
        room = np.zeros((1 + -(-len(x) // LANES), LANES), products.dtype)  # first a line of zeros: a lane begins at 0
        room.reshape(-1)[LANES : LANES + len(x)] = products
        lanes = np.cumsum(room, axis=0)[-1]
        while len(lanes) > 1:
            lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
        found.append(lanes[0])
    return tuple(found)


@when_compiling
def _register() -> None:
    from numba import types
    from numba.extending import lower_builtin, type_callable

    @type_callable(lane_sums)
    def type_sums(context):
        return _type_sums

    lower_builtin(lane_sums, types.Array, types.Integer, types.Array, types.UniTuple)(_build_sums)


def _type_sums(values, i, weights, which):
    """The type of the sums. Arrays whose values do not follow each other are refused: numba then says so."""
    from numba import types

    if values.layout != "C" or weights.layout != "C":
        return None
    kinds = [each for each in (values.dtype, weights.dtype) if isinstance(each, types.Float)]
    return types.UniTuple(max(kinds, key=lambda kind: kind.bitwidth), which.count)


def _build_sums(context, builder, signature, arguments):
    from llvmlite import ir
    from numba.core import cgutils

    values, weights = (cgutils.create_struct_proxy(signature.args[k])(context, builder, arguments[k]) for k in (0, 2))
    size = builder.extract_value(values.shape, 1)
    row = _line(context, builder, signature.args[0], values, arguments[1], signature.args[1])
    sources = [
        _line(context, builder, signature.args[2], weights, number, signature.args[3].dtype)
        for number in cgutils.unpack_tuple(builder, arguments[3])
    ]
    wide = ir.VectorType(context.get_value_type(signature.return_type.dtype), LANES)
    sums = [cgutils.alloca_once_value(builder, ir.Constant(wide, [0.0] * LANES)) for _ in sources]
    rest = builder.urem(size, size.type(LANES))
    whole = builder.sub(size, rest)

    def add(load):
        x = _widened(builder, load(row), wide)
        for lanes, source in zip(sums, sources, strict=True):
            product = builder.fmul(_widened(builder, load(source), wide), x)
            builder.store(builder.fadd(builder.load(lanes), product), lanes)

    with cgutils.for_range_slice(builder, size.type(0), whole, size.type(LANES)) as (start, _):
        add(lambda data: _load(builder, data, start))
    with builder.if_then(builder.icmp_unsigned("!=", rest, size.type(0))):
        places = ir.Constant(ir.VectorType(size.type, LANES), list(range(LANES)))
        add(lambda data: _load(builder, data, whole, builder.icmp_unsigned("<", places, _spread(builder, rest))))
    return context.make_tuple(builder, signature.return_type, [_joined(builder, builder.load(each)) for each in sums])


def _line(context, builder, kind, array, number, number_kind):
    """Where a line of the array begins. (An array for each line would be counted in and out, which takes longer.)"""
    from numba import types

    if kind.ndim == 1:
        return array.data
    width = builder.extract_value(array.shape, 1)
    return builder.gep(array.data, [builder.mul(width, context.cast(builder, number, number_kind, types.intp))])


def _load(builder, data, start, mask=None):
    """The eight numbers from a place on; with a mask, zeros where it is not set, and nothing is read there."""
    from llvmlite import ir
    from numba.core import cgutils

    item = data.type.pointee
    vector = ir.VectorType(item, LANES)
    place = builder.bitcast(builder.gep(data, [start]), vector.as_pointer())
    if mask is None:
        found = builder.load(place)
        found.align = 1
        return found
    word = ir.IntType(32)
    kind = ir.FunctionType(vector, [place.type, word, mask.type, vector])
    name = f"llvm.masked.load.v{LANES}{item.intrinsic_name}.p0"  # llvmlite has no names for vectors
    zeros = ir.Constant(vector, [0] * LANES if isinstance(item, ir.IntType) else [0.0] * LANES)
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [place, word(1), mask, zeros])


def _widened(builder, vector, wide):
    """Bytes and float32 numbers as those of the sums."""
    from llvmlite import ir

    if vector.type == wide:
        return vector
    return (builder.uitofp if isinstance(vector.type.element, ir.IntType) else builder.fpext)(vector, wide)


def _spread(builder, number):
    """A vector of one number."""
    from llvmlite import ir

    vector, word = ir.VectorType(number.type, LANES), ir.IntType(32)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, word(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(word, LANES), [0] * LANES))


def _joined(builder, vector):
    """The lanes added in pairs until one is left."""
    from llvmlite import ir

    word, size = ir.IntType(32), LANES
    while size > 1:
        size //= 2
        halves = [ir.Constant(ir.VectorType(word, size), list(range(at, at + size))) for at in (0, size)]
        vector = builder.fadd(*(builder.shuffle_vector(vector, vector, half) for half in halves))
    return builder.extract_element(vector, word(0))
