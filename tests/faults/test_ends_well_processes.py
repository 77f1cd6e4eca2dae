"""How processes end: Arrow is given no stream of Python, and a signal leaves nothing behind."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet
import pytest

import rosenblatt
from rosenblatt.data import jsontext, read
from rosenblatt.errors import DataError
from rosenblatt.writing import write_whole

ROWS = [{"a": number / 7, "label": "yn"[number % 2]} for number in range(300)]
AT_MOST = 300  # seconds, to end a hang


def packed_zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def content(form: str) -> bytes:
    table, sink = pa.Table.from_pylist(ROWS), io.BytesIO()
    if form == "csv":
        return ("a,label\n" + "".join(f"{row['a']},{row['label']}\n" for row in ROWS)).encode()
    if form == "jsonl":
        return "".join(f'{{"a": {row["a"]}, "label": "{row["label"]}"}}\n' for row in ROWS).encode()
    if form == "parquet":
        pyarrow.parquet.write_table(table, sink)
    else:
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    return sink.getvalue()


@pytest.mark.parametrize("raw", [False, True], ids=["typed", "raw"])
@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "arrow"])
def test_ends_well_01_arrow_is_given_no_stream_of_python(tmp_path, monkeypatch, form, packing, raw):
    """A thread of Arrow that asks one while the interpreter ends takes the process along, or never ends."""
    given = []
    for module, name in (
        (pyarrow.json, "open_json"), (pyarrow.json, "read_json"), (pyarrow.parquet, "ParquetFile"),
        (pa.ipc, "open_file"), (pa, "PythonFile"), (pa, "CompressedInputStream"),
    ):  # fmt: skip
        real = getattr(module, name, None)

        def noted(source, *more, _real=real, **others):
            given.append(source)
            return _real(source, *more, **others)

        if real is not None:
            monkeypatch.setattr(module, name, noted)
    path = tmp_path / f"x.{form}{packing}"
    path.write_bytes({"": bytes, ".gz": gzip.compress, ".zst": packed_zstd}[packing](content(form)))
    table = read(path, labelled=False, raw=raw)
    assert table.n_rows == len(ROWS)
    assert [type(each) for each in given if not isinstance(each, pa.Buffer | pa.OSFile | pa.BufferReader)] == []


def test_ends_well_01_a_line_of_json_may_be_longer_than_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr(jsontext, "BLOCK", 100)
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": "b", "n": 1}\n' + '{"a": "' + 1000 * "c" + '", "n": 2}\n{"a": "d", "n": 3}')
    assert read(path, labelled=False).columns["a"].to_pylist() == ["b", 1000 * "c", "d"]
    with path.open("a") as file:
        file.write('\n{"a": "e", "n": "f"}\n')
    with pytest.raises(DataError, match="line 4: 'n' is a string here and a number in line 1"):
        read(path, labelled=False)


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.rosenblatt"
    data = path.with_name("data.csv")
    data.write_bytes(content("csv"))
    rosenblatt.save(rosenblatt.train(str(data), model="perceptron", passes=1), path)
    return path


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_ends_well_06_a_signal_while_standard_input_is_read_leaves_nothing(tmp_path, model, name):
    number = getattr(signal, name)
    for folder in ("temporary", "out"):
        (tmp_path / folder).mkdir()
    with predicting(model, tmp_path / "temporary", "--out", str(tmp_path / "out" / "p.csv")) as process:
        process.send_signal(number)
        assert process.wait(AT_MOST) == 128 + number
        assert process.stderr.read().decode().split() == ["rosenblatt:", "stopped."]
    assert [*(tmp_path / "temporary").iterdir(), *(tmp_path / "out").iterdir()] == []


def test_ends_well_06_even_a_kill_leaves_no_copy_of_standard_input(tmp_path, model):
    with predicting(model, tmp_path) as process:
        process.kill()
        process.wait(AT_MOST)
    assert list(tmp_path.iterdir()) == []


@contextmanager
def predicting(model: Path, temporary: Path, *options: str) -> Iterator[subprocess.Popen]:
    """A process that has read a part of its standard input, of which the end does not come."""
    with subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", "predict", str(model), "-", *options],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as process:  # fmt: skip
        try:
            process.stdin.write(content("csv") * 500)  # more than a pipe holds, so most of it was read when this ends
            process.stdin.flush()
            yield process
        finally:
            process.kill()


def test_ends_well_06_what_a_killed_process_left_beside_a_file_is_swept(tmp_path):
    code = (
        "import os, sys\nfrom rosenblatt.writing import writing_whole\n"
        "with writing_whole(sys.argv[1]) as stream:\n    stream.write(b'half')\n    stream.flush()\n"
        "    print(flush=True)\n    sys.stdin.read()\n    os.kill(os.getpid(), 9)"
    )
    target = tmp_path / "m[1].rosenblatt"
    other = tmp_path / f".{target.name}.previous"
    other.write_bytes(b"somebody's own")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        writer.stdout.readline()
        (half,) = set(tmp_path.iterdir()) - {other}
        os.utime(half, (0, 0))
        write_whole(target, b"first")
        assert half.exists()  # its process lives
        writer.stdin.close()
        assert writer.wait(AT_MOST) == -signal.SIGKILL
    assert half.exists()
    os.utime(half)
    write_whole(target, b"second")
    assert half.exists()  # it may have been made just now
    os.utime(half, (0, 0))
    write_whole(target, b"third")
    assert not half.exists()
    assert other.exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_ends_well_06_a_signal_is_not_lost_where_exceptions_are(name):
    """In a destructor, or in a function that C calls, as compilers do, Python drops what is raised."""
    code = """
import signal, sys, time
import click
import rosenblatt.cli as cli

class Dropping:
    def __del__(self):
        signal.raise_signal(int(sys.argv[2]))
        for _ in range(1000):
            pass

@cli.commands.command()
@click.argument("number")
def wait(number):
    Dropping()
    time.sleep(60)

cli.main()
"""
    number = getattr(signal, name)
    words = [sys.executable, "-c", code, "wait", str(int(number))]
    done = subprocess.run(words, capture_output=True, text=True, timeout=AT_MOST, check=False)
    assert done.returncode == 128 + number
    assert done.stderr.split() == ["rosenblatt:", "stopped."]


def test_signals_that_were_ignored_stay_ignored():
    code = (
        "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nfrom rosenblatt.cli.signals import end_in_order\n"
        "end_in_order()\nassert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN\n"
        "assert callable(signal.getsignal(signal.SIGTERM))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=AT_MOST)


def test_a_system_that_lists_no_open_files_has_named_copies(tmp_path, monkeypatch):
    from rosenblatt.data import source

    monkeypatch.setattr(source, "OPEN_FILES", str(tmp_path / "nowhere"))
    with source.spooled(io.BytesIO(content("csv")), "standard input") as copy:
        assert copy.path.is_file()
        assert read(copy.path, labelled=False, format="csv").n_rows == len(ROWS)
    assert not copy.path.exists()
