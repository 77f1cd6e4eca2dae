"""idx, the format of MNIST: a header with a type and sizes, then the numbers, most significant byte first."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyarrow as pa

from rosenblatt.data.source import Source, open_bytes, read_up_to
from rosenblatt.data.table import Table, counted, make_table, vector_column
from rosenblatt.errors import DataError

TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
MOST_COLUMNS = 1 << 20  # numbers in a row, each of which gets a name: a small packed file can announce millions


def read_idx(source: Source, label: str | None, labelled: bool) -> Table:
    """Images as one vector column, with the labels of the file beside it or of the one named as label."""
    images = read_array(source)
    if images.ndim < 2:
        raise DataError(
            f"{source.name}: an idx file with one number per row looks like labels. Give the file of images."
        )
    width = math.prod(images.shape[1:])
    if width > MOST_COLUMNS:
        raise DataError(
            f"{source.name}: rows of {width:,} numbers; an idx file may have at most {MOST_COLUMNS:,} in each. "
            "Give smaller images."
        )
    labels_at = _labels_path(source, label)
    columns = {"pixel": vector_column(images.reshape(len(images), -1))}
    names = {"pixel": [f"pixel {','.join(map(str, at))}" for at in np.ndindex(images.shape[1:])]}
    if labels_at is None and labelled:
        raise DataError(f"{source.name}: no file of labels beside it. Name the idx file of labels as the label.")
    if labels_at is not None:
        labels = read_array(Source.at(labels_at))
        if labels.shape != (len(images),):
            raise DataError(
                f"{labels_at}: {len(labels)} labels in {labels.ndim} dimensions for the {len(images)} rows of "
                f"{source.name}. Give the labels of the same images."
            )
        columns["label"] = pa.array(labels)
    origin = counted(source.name, "row", len(images))
    return make_table(pa.table(columns), origin, None, labelled, feature_names=names)


def _labels_path(source: Source, label: str | None) -> Path | None:
    if label is not None:
        return Path(label)
    beside = source.path.with_name(source.path.name.replace("images", "labels").replace("idx3", "idx1"))
    return beside if beside != source.path and beside.is_file() else None


def read_array(source: Source) -> np.ndarray:
    """The array in the file. Its header is believed only as far as there are bytes to back it."""
    with open_bytes(source) as stream:
        magic = read_up_to(stream, 4)
        if len(magic) < 4 or magic[:2] != b"\0\0" or magic[2] not in TYPES or not magic[3]:
            raise DataError(f"{source.name}: not an idx file; it begins with {magic.hex(' ')!r}. Check the path.")
        sizes = read_up_to(stream, 4 * magic[3])
        if len(sizes) < 4 * magic[3]:
            raise DataError(f"{source.name}: the idx header is cut short. Copy the file again.")
        kind = np.dtype(TYPES[magic[2]])
        shape = tuple(np.frombuffer(sizes, ">u4").tolist())
        expected = math.prod(shape) * kind.itemsize
        content = read_up_to(stream, expected + 1)
    if len(content) != expected:
        got = f"{len(content)} bytes" if len(content) < expected else "more"
        raise DataError(
            f"{source.name}: the idx header announces {'×'.join(map(str, shape))} numbers, {expected} bytes, but the "
            f"file has {got}. Copy the file again."
        )
    if not expected:
        raise DataError(f"{source.name}: the idx file has no rows. Give a file with rows.")
    return np.frombuffer(content, kind).reshape(shape).astype(kind.newbyteorder("="), copy=False)
