"""idx files: MNIST as it is, and headers that promise what the file does not hold."""

from __future__ import annotations

import gzip
import resource
import struct

import numpy as np
import pytest

from rosenblatt.data import read
from rosenblatt.data.idx import read_array
from rosenblatt.data.source import Source
from rosenblatt.errors import DataError


def idx(values, code=8):
    return struct.pack(f">BBBB{values.ndim}I", 0, 0, code, values.ndim, *values.shape) + values.tobytes()


def write(path, content):
    path.write_bytes(content)
    return path


def test_mnist(data, mnist):
    for part, name in {"train": "train", "test": "t10k"}.items():
        table = read(data / "mnist" / f"{name}-images-idx3-ubyte.gz")
        images, digits = mnist[part]
        values = table.columns["pixel"].combine_chunks().flatten().to_numpy()
        assert np.array_equal(values.reshape(-1, 784), images)
        assert np.array_equal(table.labels.to_numpy(), digits)
        assert table.feature_names["pixel"][29] == "pixel 1,1"


@pytest.mark.parametrize(("kind", "code"), [(">u1", 8), (">i1", 9), (">i2", 11), (">i4", 12), (">f4", 13), (">f8", 14)])
def test_every_type_of_number(tmp_path, kind, code):
    values = np.arange(12).reshape(3, 4).astype(kind)
    assert np.array_equal(read_array(Source.at(write(tmp_path / "a", idx(values, code)))), values)


def test_labels_are_found_beside_the_images_or_named(tmp_path):
    images = write(tmp_path / "my-images-idx3-ubyte", idx(np.zeros((2, 2, 2), np.uint8)))
    with pytest.raises(DataError, match="no file of labels beside it"):
        read(images)
    assert read(images, labelled=False).labels is None
    labels = write(tmp_path / "other", gzip.compress(idx(np.array([3, 4], np.uint8))))
    assert read(images, label=str(labels)).labels.to_pylist() == [3, 4]
    write(tmp_path / "my-labels-idx1-ubyte", idx(np.array([5, 6], np.uint8)))
    assert read(images).labels.to_pylist() == [5, 6]
    write(tmp_path / "my-labels-idx1-ubyte", idx(np.array([5, 6, 7], np.uint8)))
    with pytest.raises(DataError, match="3 labels in 1 dimensions for the 2 rows"):
        read(images)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (idx(np.zeros((3, 4), np.uint8))[:-1], "12 bytes, but the file has 11 bytes"),
        (idx(np.zeros((3, 4), np.uint8)) + b"\0", "12 bytes, but the file has more"),
        (b"\0\0\x08\x02\xff\xff\xff\xff\xff\xff\xff\xff" + b"\0" * 8, "but the file has 8 bytes"),
        (b"\0\0\x0e\xff" + b"\xff" * 16, "the idx header is cut short"),
        (b"\0\0\x08\x03\0\0", "the idx header is cut short"),
        (b"\0\0\x08\x02\0\0\0\0\0\0\0\x05", "has no rows"),
        (b"\0\0\x08\x01\0\0\0\x01\x07", "looks like labels"),
        (gzip.compress(idx(np.zeros((3, 400), np.uint8)), mtime=0)[:-9], "gzip data is damaged"),
    ],
)
def test_headers_are_not_believed(tmp_path, content, says):
    path = write(tmp_path / "a", content)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(DataError, match=says) as caught:
        read(path, labelled=False)
    assert str(caught.value).startswith(str(path))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes
