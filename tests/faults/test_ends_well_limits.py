"""Small files and silent partners that took minutes, gigabytes or for ever: each is refused in one line."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import socket
import struct
import subprocess
import sys
import threading

import pytest

import rosenblatt
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.lab.datasets import read_bytes
from rosenblatt.proofs import certificate, from_json, prove
from rosenblatt.serve import work
from rosenblatt.serve.guard import Refused

SOON = 60.0  # seconds, to end what would never end


# Certificates


def forged(verdict, **changes) -> str:
    """The certificate with other fields, and the checksum of those."""
    content = json.loads(verdict.to_json())
    content.pop("checksum")
    content |= changes
    return json.dumps({**content, "checksum": certificate.checksum(content)})


@pytest.fixture(scope="module")
def separable():
    return prove([[1.0, 2.0], [2.0, 1.0], [5.0, 6.0], [6.0, 5.0]], ["a", "a", "b", "b"])


@pytest.mark.parametrize("field", ["weights", "mistake_bound"])
def test_ends_well_04_a_certificate_with_a_number_of_a_million_digits_is_refused(separable, field):
    number = "0x" + "f" * 10**6
    value = number if field == "mistake_bound" else [number, "0x1", "-0x" + "e" * 10**6]
    with pytest.raises(DataError, match=r"damaged: it holds a number of 1,000,00\d digits"):
        from_json(forged(separable, **{field: value}))


def test_ends_well_04_the_longest_numbers_that_data_can_need_are_read():
    tiny, huge = 5e-324, 1e120
    X = [[tiny, huge], [huge, tiny], [-tiny, -huge], [tiny, -huge], [huge, huge]]
    y = ["a", "a", "b", "b", "b"]
    verdict = prove(X, y)
    assert from_json(verdict.to_json()).check(X, y)


# Files and folders


@pytest.mark.parametrize("tail", ["x", ",5x", " x", "e"])
def test_ends_well_08_a_value_of_many_digits_that_is_no_number_takes_linear_time(tmp_path, tail):
    """With a pattern that tries every place among the digits this takes minutes."""
    value = "9" * 300_000 + tail
    path = tmp_path / "long.csv"
    path.write_text(f'a;label\n"{value}";x\n1;y\n')
    assert read(path, label="label").columns["a"].to_pylist()[0] == value


def packed_idx(path, shape) -> None:
    count = 1
    for size in shape:
        count *= size
    head = b"\0\0\x08" + bytes([len(shape)]) + struct.pack(f">{len(shape)}I", *shape)
    path.write_bytes(gzip.compress(head + bytes(count)))


def test_ends_well_04_a_small_idx_file_of_very_wide_rows_is_refused(tmp_path):
    packed_idx(tmp_path / "wide.idx3-ubyte.gz", (1, 2000, 1000))
    assert (tmp_path / "wide.idx3-ubyte.gz").stat().st_size < 4000
    with pytest.raises(DataError, match=r"rows of 2,000,000 numbers; an idx file may have at most 1,048,576"):
        read(tmp_path / "wide.idx3-ubyte.gz", labelled=False)
    packed_idx(tmp_path / "small.idx3-ubyte.gz", (3, 20, 10))
    assert read(tmp_path / "small.idx3-ubyte.gz", labelled=False).n_rows == 3


@pytest.mark.parametrize("place", ["spam/pipe", "all.mbox"])
def test_ends_well_04_a_pipe_in_a_folder_of_texts_is_refused(tmp_path, place):
    for name in ("ham", "spam"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text(f"a text of {name}")
    os.mkfifo(tmp_path / place)
    code = f"import rosenblatt.data as d; d.read({str(tmp_path)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SOON)
    assert done.stderr.splitlines()[-1].endswith(
        f"{tmp_path / place}: a pipe, a socket or a device, not a file. Remove it from the folder."
    )


# A cluster that says nothing


def test_ends_well_04_an_address_that_takes_connections_and_says_nothing_is_given_up():
    pytest.importorskip("distributed", reason="Dask is not installed")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(8)
        address = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        soon = "from rosenblatt.distributed import cluster\ncluster.CONNECT = 2\n"
        code = f"{soon}with cluster.connected({address!r}): pass"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SOON)
    assert done.stderr.splitlines()[-1].endswith(
        f"{address}: no Dask scheduler answers there (silent for 2 seconds). Check the address."
    )


# The lab


@pytest.mark.parametrize("before", ["\n", "\r\n", "  \n", "\ufeff\n\n", ""])
def test_ends_well_04_the_columns_of_a_file_are_counted_where_its_first_row_is(before):
    names = ",".join(f"n{j}" for j in range(2000))
    with pytest.raises(DataError, match="2,000 columns; the lab takes at most 500"):
        read_bytes(f"{before}{names}\n{names.replace('n', '')}\n".encode(), "wide.csv")
    assert read_bytes(f"{before}x,y\n1,2\n3,4\n".encode(), "small.csv").n_rows == 2


def test_ends_well_04_a_call_that_takes_too_long_ends_with_its_answer(monkeypatch):
    monkeypatch.setattr(work, "SECONDS", 0.2)
    ended, never = threading.Event(), threading.Event()

    def endless() -> None:
        try:
            while not never.is_set():
                sum(range(100))
        finally:
            ended.set()

    async def both() -> int:
        threads = work.Work()
        try:
            with pytest.raises(Refused, match="takes too long"):
                await threads.run("one", endless)
            assert await asyncio.to_thread(ended.wait, SOON), "the thread goes on"
            monkeypatch.setattr(work, "SECONDS", SOON)
            return sum([await threads.run(name, lambda: 1) for name in ("one", "two", "one", "three", "four", "five")])
        finally:
            never.set()
            threads.stop()

    assert asyncio.run(both()) == 6


def test_ends_well_04_every_limit_is_told_in_one_line(separable):
    with pytest.raises(rosenblatt.errors.RosenblattError) as told:
        from_json(forged(separable, mistake_bound="0x" + "f" * 10**6))
    assert len(str(told.value).splitlines()) == 1
    assert len(str(told.value)) < 300
