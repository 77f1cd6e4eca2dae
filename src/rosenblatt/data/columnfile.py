"""Arrow columns on disk, one file for each of their buffers, written block by block and mapped in one piece.

An Arrow IPC file would hold a column in as many pieces as there were blocks, and most of the code asks for one piece.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.claims import Misfit, fields, listed, text, whole
from rosenblatt.data.maps import mapped, relieve

PIECE = 1 << 16  # bytes that are written at once


class ColumnWriter:
    """Appends arrays of one type; `close` returns what `load` needs."""

    def __init__(self, folder: Path, stem: str, kind: pa.DataType) -> None:
        self.folder, self.stem, self.kind = folder, stem, kind
        self.length = self.nulls = self.end = 0
        self.waiting: dict[str, bytearray] = {}  # by part, what is to be written
        self.bits: dict[str, np.ndarray] = {}  # by part, those that fill no byte yet
        self.children: list[ColumnWriter] = []
        if is_list(kind) or pa.types.is_fixed_size_list(kind):
            self.children = [ColumnWriter(folder, f"{stem}.items", kind.value_type)]
        elif keeps_fields(kind):
            self.children = [ColumnWriter(folder, f"{stem}.{field.name}", field.type) for field in kind]
        if is_long(kind) or is_list(kind):
            self._write("starts", np.zeros(1, np.int64))

    def append(self, array: pa.Array) -> None:
        """The array behind what was appended before."""
        relieve()
        if array.type != self.kind:
            raise TypeError(f"a column of {self.kind} is given {array.type}")
        if array.null_count or self.nulls:
            if not self.nulls:  # the first missing value: all before were there
                self._bits("valid", np.ones(self.length, np.uint8))
            self._bits("valid", array.is_valid().to_numpy(zero_copy_only=False).view(np.uint8))
            self.nulls += array.null_count
        self.length += len(array)
        if is_long(self.kind):
            _, offsets, data = array.buffers()
            self._content(offsets, array, np.int64)
            starts = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
            if data is not None and len(starts):
                self._write("values", np.frombuffer(data, np.uint8)[starts[0] : starts[-1]])
        elif is_list(self.kind):
            offsets = array.buffers()[1]
            self._content(offsets, array, np.int64 if pa.types.is_large_list(self.kind) else np.int32)
            starts = array.offsets.to_numpy()
            if len(starts):
                self.children[0].append(array.values.slice(starts[0], starts[-1] - starts[0]))
        elif pa.types.is_fixed_size_list(self.kind):
            size = self.kind.list_size
            self.children[0].append(array.values.slice(array.offset * size, len(array) * size))
        elif keeps_fields(self.kind):
            for number, child in enumerate(self.children):
                child.append(array.field(number))
        elif pa.types.is_boolean(self.kind):
            self._bits("values", array.fill_null(False).to_numpy(zero_copy_only=False).view(np.uint8))
        elif width(self.kind):
            size, data = width(self.kind), array.buffers()[1]
            self._write(
                "values", np.frombuffer(data, np.uint8)[array.offset * size : (array.offset + len(array)) * size]
            )

    def _content(self, offsets: Any, array: pa.Array, kind: type) -> None:
        """Offsets, counted on from where the last block ended."""
        starts = np.frombuffer(offsets, kind)[array.offset : array.offset + len(array) + 1].astype(np.int64)
        if len(starts):
            self._write("starts", starts[1:] + (self.end - starts[0]))
            self.end += int(starts[-1] - starts[0])

    def _write(self, part: str, values: np.ndarray) -> None:
        waiting = self.waiting.setdefault(part, bytearray())
        if values.size:
            waiting += np.ascontiguousarray(values).data.cast("B")
        if len(waiting) >= PIECE:
            self._flush(part)

    def _flush(self, part: str) -> None:
        """Writes what waits, and closes the file: a table may have more columns than a process may have open files."""
        with (self.folder / f"{self.stem}.{part}").open("ab") as file:
            file.write(self.waiting[part])
        self.waiting[part] = bytearray()

    def _bits(self, part: str, bits: np.ndarray) -> None:
        """Appends bits, eight to a byte, the first lowest; up to seven wait for the next block."""
        waiting = np.concatenate([self.bits.get(part, np.empty(0, np.uint8)), bits])
        whole = len(waiting) // 8 * 8
        self._write(part, np.packbits(waiting[:whole], bitorder="little"))
        self.bits[part] = waiting[whole:]

    def close(self) -> dict[str, Any]:
        """Ends the files; the answer is plain values."""
        for part, waiting in self.bits.items():
            self._write(part, np.packbits(waiting, bitorder="little"))
        for part in self.waiting:
            self._flush(part)
        return {
            "stem": self.stem, "length": self.length, "nulls": self.nulls, "end": self.end,
            "children": [child.close() for child in self.children],
        }  # fmt: skip


def read(folder: Path, kind: pa.DataType, plain: Any, length: int) -> pa.Array:
    """The column of files that somebody may have written to, so many values; Misfit or Arrow's error if it can't be.

    Everything is looked at: Arrow's functions, and the loops over its buffers, do not look again.
    """
    _check_written(plain, "the column")
    if plain["length"] != length:
        raise Misfit(f"{plain['stem']} must have {length} values; got {plain['length']}")
    relieve()
    array = load(folder, kind, plain)
    array.validate(full=True)
    return array


def _check_written(value: Any, where: str) -> None:
    form = {"stem": text, "length": whole(), "nulls": whole(), "children": listed(_check_written)}
    fields(form)(value, where)
    if Path(value["stem"]).name != value["stem"] or "\0" in value["stem"] or value["nulls"] > value["length"]:
        raise Misfit(f"{where} must name files of this folder, and no more nulls than values")


def load(folder: Path, kind: pa.DataType, plain: dict[str, Any]) -> pa.Array:
    """The column over its mapped files, which this process has just written; nothing is read."""
    stem, length, nulls = plain["stem"], plain["length"], plain["nulls"]
    wanted = len(list(kind)) if keeps_fields(kind) else int(is_list(kind) or pa.types.is_fixed_size_list(kind))
    if len(plain["children"]) != wanted:
        raise Misfit(f"{stem} of type {kind} must have {wanted} columns within")

    def buffer(part: str) -> pa.Buffer:
        path = folder / f"{stem}.{part}"
        size = path.stat().st_size if path.exists() else 0
        return pa.py_buffer(mapped(path, np.uint8, (size,)))

    valid = buffer("valid") if nulls else None
    if is_long(kind):
        return pa.Array.from_buffers(kind, length, [valid, buffer("starts"), buffer("values")], nulls)
    if is_list(kind):
        inner = load(folder, kind.value_type, plain["children"][0])
        return pa.Array.from_buffers(
            pa.large_list(kind.value_field), length, [valid, buffer("starts")], nulls, 0, [inner]
        )
    if pa.types.is_fixed_size_list(kind):
        inner = load(folder, kind.value_type, plain["children"][0])
        return pa.Array.from_buffers(kind, length, [valid], nulls, 0, [inner])
    if keeps_fields(kind):
        inner = [load(folder, field.type, child) for field, child in zip(kind, plain["children"], strict=True)]
        return pa.Array.from_buffers(kind, length, [valid], nulls, 0, inner)
    if pa.types.is_boolean(kind) or width(kind):
        return pa.Array.from_buffers(kind, length, [valid, buffer("values")], nulls)
    return pa.nulls(length, kind)  # a type that nothing is made of: its name is all that matters


def is_long(kind: pa.DataType) -> bool:
    return bool(pa.types.is_large_string(kind) or pa.types.is_large_binary(kind))


def is_list(kind: pa.DataType) -> bool:
    """Lists that become features; of others nothing is kept but the type."""
    return (pa.types.is_list(kind) or pa.types.is_large_list(kind)) and (
        bool(width(kind.value_type)) or keeps_fields(kind.value_type)
    )


def keeps_fields(kind: pa.DataType) -> bool:
    return pa.types.is_struct(kind) and kind.num_fields > 0 and all(width(field.type) for field in kind)


def width(kind: pa.DataType) -> int:
    """Bytes of a value of fixed size; 0 for other types."""
    if pa.types.is_boolean(kind) or pa.types.is_nested(kind) or pa.types.is_dictionary(kind):
        return 0
    try:
        return int(kind.bit_width) // 8
    except ValueError:
        return 0
