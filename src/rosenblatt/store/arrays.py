"""Plain values with their long lists as arrays, and back; and what both sides of a model file need for that."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Strings
from rosenblatt.errors import DataError

LONG = 32  # lists of more entries are arrays
Tensors = dict[str, np.ndarray]


def lifted(value: Any, name: str, tensors: Tensors) -> Any:
    """The value with long lists replaced by references to arrays."""
    if isinstance(value, dict):
        return {key: lifted(each, f"{name}.{key}", tensors) for key, each in value.items()}
    if not isinstance(value, list | tuple):
        return value
    if len(value) > LONG and all(isinstance(each, str) for each in value):
        pieces = [each.encode() for each in value]
        tensors[f"{name}.bytes"] = np.frombuffer(b"".join(pieces), np.uint8)
        tensors[f"{name}.lengths"] = narrow(np.array([len(piece) for piece in pieces], np.int64))
        return {"strings": name}
    if len(value) > LONG and all(type(each) in (int, float) for each in value):
        array = np.array(value)
        tensors[name] = array if array.dtype == np.float64 else narrow(array)
        return {"numbers": name}
    return [lifted(each, f"{name}.{place}", tensors) for place, each in enumerate(value)]


def settled(value: Any, free: Tensors) -> Any:
    """The value with its references replaced by what they stand for; each array is used once."""
    if isinstance(value, dict):
        if set(value) == {"strings"}:
            return _strings(free.pop(f"{value['strings']}.bytes"), free.pop(f"{value['strings']}.lengths"))
        if set(value) == {"numbers"}:
            return free.pop(value["numbers"]).tolist()
        return {key: settled(each, free) for key, each in value.items()}
    return [settled(each, free) for each in value] if isinstance(value, list) else value


def _strings(data: np.ndarray, lengths: np.ndarray) -> Strings:
    flat = data.ndim == lengths.ndim == 1 and data.dtype == np.uint8 and lengths.dtype.kind == "u"
    if not flat or lengths.max(initial=0) > len(data) or int(lengths.sum(dtype=np.uint64)) != len(data):
        raise DataError("the model's words do not fit together. Train it again.")
    ends = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths.astype(np.int64), out=ends[1:])
    column = pa.Array.from_buffers(pa.large_string(), len(lengths), [None, pa.py_buffer(ends), pa.py_buffer(data)])
    column.validate(full=True)  # ArrowInvalid, a ValueError, where it is no UTF-8
    return Strings(column)


def narrow(array: np.ndarray) -> np.ndarray:
    """Whole numbers in the smallest type that holds them; negative ones as they are."""
    if array.size and array.min() < 0:
        return array.astype(np.int64)
    most = int(array.max(initial=0))
    return array.astype(np.min_scalar_type(most) if most else np.uint8)


def only(plain: Mapping[str, Any], known: set[str], what: str) -> None:
    if not isinstance(plain, Mapping) or set(plain) != known:
        given = set(plain) if isinstance(plain, Mapping) else set()
        raise DataError(f"{what} has unknown or missing parts: {', '.join(sorted(given ^ known))}. Train it again.")


def written(value: float) -> float | str:
    """The number, or the word for an infinite one, which JSON does not have."""
    return value if math.isfinite(value) else str(value)
