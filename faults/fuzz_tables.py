"""More that is read from outside, for the fuzzer: packed and columnar files, folders, names, dates, options."""

from __future__ import annotations

import gzip
import io
import os
import random
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.parquet

from faults.fuzz_files import CSV, JSON, MAIL, SVMLIGHT, WORDS, features, tables
from faults.mutation import NUMBER, NUMBERS, Kind, mutated
from rosenblatt import cli
from rosenblatt.cli.options import READING, how_to_read, share, wishes_of
from rosenblatt.data import read
from rosenblatt.data.dates import sort_keys
from rosenblatt.data.memory import parse_size
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import Source, open_bytes, read_up_to
from rosenblatt.data.table import SPARSE, counted
from rosenblatt.errors import RosenblattError

BETWEEN = b"\n=== "  # before the name of a file in an input that stands for a folder
DATES = (
    b"2024-05-31\n2023-01-02T10:11:12.5Z\n2024/1/1 10:00 pm", b"31/05/2024\n01/02/2023\n1.2.1999",
    b"12/31/99\n01/02/70",
    b"Mon, 3 Feb 2020 10:00:00 +0100\n4th March 2021 10:00 UTC", b"20240531T101112Z\n2024-W05-3\n2024-Q3\n2024-061",
    b"March 5, 2021\nSept. 6 1999", b"1\n-2\n+30", b"1.5\n2.25\n-3e4", b"May 2020\n05/2020\n2020-06",
)  # fmt: skip
DATE_WORDS = (
    b"2024", b"0000", b"9999", b"-", b"/", b".", b":", b"T", b"Z", b"+14:00", b"-9999", b"am", b"PM", b"W53", b"Q4",
    b"366", b"31", b"24:00", b"60", b"Feb", b"sept", b"Sunday, ", b"29", b"\n", b" ", b"99999999999999999999",
    b"\xc3\xa9",
    b".123456789", b"\xd9\xa3", b"\xe2\x88\x92", b"1e5", b"th",
)  # fmt: skip
OPTIONS = (
    b"train\niris\n--relabel\na=b\n--memory\n1.5GiB\n--max-false-positives\n0.1%\n--text\na\n--ordered\nsize=s,m,l",
    b"train\niris\n--format\ncsv\n--delimiter\ntab\n--encoding\nlatin-1\n--no-header\n--passes\n3\n--margin\n0.5",
    b"train\niris\n--memory\n1GB", b"train\niris\n--max-false-positives\n1%", b"train\niris\n--ordered\na=b,c",
    b"predict\nm.rosenblatt\niris\n--to\ncsv\n--names\nf", b"evaluate\nm.rosenblatt\niris\n--label\nx\n--json",
    b"explain\nm.rosenblatt\niris\n--row\n3", b"prove\niris\n--label\nx", b"trace\nnotes\n--passes\n4",
    b"update\nm.rosenblatt\niris\n--out\nx", b"export\nm.rosenblatt\n--to\nsql", b"cache\n--remove\nall",
)  # fmt: skip
OPTION_WORDS = (
    b"\n", b"=", b",", b"%", b"--", b"-", b"--relabel\n", b"--memory\n", b"--max-false-positives\n", b"--ordered\n",
    b"--delimiter\n", b"--encoding\n", b"1e400", b"nan", b"inf", b"9" * 400, b"TB", b"KiB", b"\xff", b"utf-16", b"zlib",
    b"\xc3\xa9", b"--help", b"\x1b[1m", b"\0", b"--row\n", b"--passes\n", b"@file",
)  # fmt: skip


def table_kinds(folder: Path) -> dict[str, Kind]:
    kinds = {
        "packed": Kind([pack(text) for text in (*CSV, *JSON) for pack in (gzip.compress, _zstd)], WORDS["csv"],
                       _packed(folder / "given.gz"), _repacked),
        "parquet": _columnar(folder / "given.parquet", "parquet", _parquet),
        "arrow": _columnar(folder / "given.arrow", "arrow", _arrow),
        "folder": Kind(_folders(), (*WORDS["mail"], BETWEEN, b"/", b".mbox", b"@", b".gz"), _folder(folder / "given")),
        "names": Kind([b"a\nb\nc\n", b"\xc3\xa4\r\nb\n", gzip.compress(b"a\nb\n")], WORDS["csv"],
                      _names(folder / "names.txt", folder / "named.svm")),
        "dates": Kind(DATES, DATE_WORDS, _dates),
        "options": Kind(OPTIONS, OPTION_WORDS, _options, _changed_line),
    }  # fmt: skip
    return kinds


def _zstd(content: bytes) -> bytes:
    packed: bytes = pa.compress(content, "zstd", asbytes=True)
    return packed


def _unpacked(content: bytes) -> bytes | None:
    """At most so many bytes that the input stays small; None where it is damaged."""
    try:
        with open_bytes(Source(Path("given"), "given", content)) as opened:
            return read_up_to(opened, 10_000)
    except RosenblattError:
        return None


def _repacked(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds with changed bytes, or unpacked, changed, and packed again."""
    inside = [text for text in map(_unpacked, draw.sample(seeds, min(2, len(seeds)))) if text is not None]
    if draw.random() < 0.5 or not inside:
        return mutated(seeds, words, draw)
    made = draw.choice((gzip.compress, _zstd))(mutated(inside, words, draw)[:10_000])
    return made + made if draw.random() < 0.1 else made


def _packed(path: Path) -> Callable[[bytes], object]:
    def use(content: bytes) -> object:
        path.write_bytes(content)
        return next(tables(Source.at(path), labelled=False))

    return use


def _columns() -> list[pa.Table]:
    """Tables with every type that stands for something here, and some that do not."""
    plain = pa.table({"a": [1.5, None, -2.0], "b": ["x", "", None], "label": ["p", "q", "p"]})
    many = {
        "whole": pa.array([1, 2**62, None]), "small": pa.array([1, 2, 3], pa.uint8()),
        "truth": pa.array([True, None, False]),
        "day": pa.array([0, 1, None], pa.date32()), "time": pa.array([0, 1, None], pa.timestamp("ms", "UTC")),
        "named": pa.array(["u", "v", "u"]).dictionary_encode(), "list": pa.array([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]]),
        "fixed": pa.array([[1.0, 2.0]] * 3, pa.list_(pa.float32(), 2)), "bytes": pa.array([b"\xff", b"", None]),
        "inside": pa.array([{"x": 1, "y": 2.0}] * 3), "clock": pa.array([1, 2, 3], pa.time64("us")),
        "exact": pa.array([1, 2, 3]).cast(pa.decimal128(30, 2)), "half": pa.array([1.0, 2.0, 3.0], pa.float16()),
        "two": pa.array([b"ab", b"\xff\0", None], pa.binary(2)), "long": pa.array([1, 2, None], pa.duration("ns")),
        "view": pa.array(["x", "a longer text", None], pa.string_view()), "map": pa.array([[("a", 1)]] * 3,
        pa.map_(pa.string(), pa.int64())), "runs": pa.RunEndEncodedArray.from_arrays([2, 3], ["x", "y"]),
        "union": pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array([*"xyz"])]),
        "sparse": pa.array([[{"column": 1, "value": 2.0}], [], None], SPARSE), "nothing": pa.nulls(3),
        "label": pa.array([0, 1, 0]),
    }  # fmt: skip
    return [
        plain,
        *(pa.table({name: column, "label": many["label"]}) for name, column in many.items() if name != "label"),
    ]


def _parquet(table: pa.Table) -> bytes | None:
    made = io.BytesIO()
    try:
        pyarrow.parquet.write_table(table, made)
    except pa.ArrowException:  # a type that Parquet does not have
        return None
    return made.getvalue()


def _arrow(table: pa.Table) -> bytes | None:
    made = io.BytesIO()
    with pa.ipc.new_file(made, table.schema) as file:
        file.write_table(table)
    return made.getvalue()


def _columnar(path: Path, form: str, written: Callable[[pa.Table], bytes | None]) -> Kind:
    """Files of Arrow's formats."""

    def use(content: bytes) -> object:
        path.write_bytes(content)
        if sum(content[-64:]) % 2:
            return list(tables(Source.at(path), 2, format=form, labelled=False))
        return features(next(tables(Source.at(path), format=form)))

    seeds = [content for table in _columns() if (content := written(table)) is not None]
    return Kind(seeds, WORDS["idx"], use)


def _folders() -> list[bytes]:
    texts = {b"ham/1.txt": b"hello friend", b"spam/2.txt": b"buy now \xff", b"spam/deep/3": b""}
    mails = {b"ham/1": MAIL[0], b"spam.mbox": MAIL[1], b"ham/2.gz": gzip.compress(MAIL[2])}
    maildir = {b"a/cur/1": MAIL[0], b"a/new/2": MAIL[2], b"a/tmp/3": b"", b"b/cur/4": MAIL[3], b"b/new/.5": b"x"}
    links = {b"a/1": b"x y", b"b/2@": b"../a/1", b"b/3@": b"/etc/hostname", b".hidden/4": b"z"}
    lines = {b"a.pos": b"so good\n" * 12, b"a.neg": b"so \xe4\n\n" * 11, b"a.mid.gz": gzip.compress(b"so so\n" * 10)}
    folders = (texts, mails, maildir, links, lines)
    return [*(b"".join(BETWEEN + name + b"\n" + text for name, text in files.items()) for files in folders), b"nothing"]


def _folder(at: Path) -> Callable[[bytes], object]:
    def use(content: bytes) -> object:
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir()
        for each in content.split(BETWEEN)[1:50]:
            name, _, text = each.partition(b"\n")
            _put(at, name, text)
        ways: list[dict[str, Any]] = [{}, {"labelled": False}, {"format": "mail"}, {"encoding": "utf-16"}]
        return read(at, **ways[sum(content[:64]) % len(ways)])

    return use


def _put(at: Path, name: bytes, text: bytes) -> None:
    """A file, or where its name ends in @ a link; a name that the system does not take is passed over."""
    parts = [part[:60] for part in name.replace(b"\0", b"").split(b"/") if part.strip(b".")][:5] or [b"x"]
    path = os.path.join(os.fsencode(at), *parts)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if name.endswith(b"@"):
            os.symlink(text[:100].replace(b"\0", b"") or b"x", path[:-1])
        else:
            Path(os.fsdecode(path)).write_bytes(text)
    except OSError:
        return


def _names(path: Path, rows: Path) -> Callable[[bytes], object]:
    rows.write_bytes(SVMLIGHT[0])

    def use(content: bytes) -> object:
        path.write_bytes(content)
        return read(rows, format="svmlight", names=str(path))

    return use


def _dates(content: bytes) -> object:
    texts = content.decode(errors="replace").split("\n")
    column = pa.chunked_array([pa.array(texts, pa.string())])
    return sort_keys(column, "day", counted("given.csv", "line", len(texts), 1)).dtype.kind


def _changed_line(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds with changed bytes, or with another number or word in one of its lines."""
    if draw.random() < 0.4:
        return mutated(seeds, words, draw)
    lines = draw.choice(seeds).split(b"\n")
    which = draw.randrange(len(lines))
    wanted = draw.choice((draw.choice(NUMBERS), draw.choice(words)))
    lines[which] = NUMBER.sub(wanted, lines[which], count=1) if draw.random() < 0.5 else wanted
    return b"\n".join(lines)


def _options(content: bytes) -> object:
    """The arguments of a command, each in its line: taken apart as the command does, without its work."""
    name, *arguments = content.decode(errors="surrogateescape").replace("\0", "").split("\n")
    command = cli.commands.commands.get(name, cli.commands.commands["train"])
    try:
        with redirect_stdout(io.StringIO()), command.make_context(name, arguments) as context:
            given = context.params
            if set(READING) <= set(given):
                how = how_to_read(**{option: given[option] for option in READING})
                Reading(given.get("label"), **how)
            if "ordered" in given:
                wishes_of(*(given[option] for option in ("text", "category", "numeric", "ordered", "drop")))
            for option, parse in (("memory", parse_size), ("max_false_positives", share)):
                if given.get(option) is not None:
                    parse(given[option])
            return sorted(option for option, value in given.items() if value)
    except click.exceptions.Exit:  # for --help
        return name
    except click.ClickException as error:
        raise RosenblattError(" ".join(error.format_message().split())) from None
