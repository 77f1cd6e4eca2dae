"""The formats of data for the fuzzer: real files to begin with, words of each format, and reading."""

from __future__ import annotations

import gzip
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any, Unpack
from unittest.mock import patch

import numba
import numpy as np

from faults.mutation import Kind, mutated
from rosenblatt.data import How, blocks_of
from rosenblatt.data.formats import format_of
from rosenblatt.data.idx import read_idx
from rosenblatt.data.mail import parse_mail
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import Source
from rosenblatt.data.table import Table
from rosenblatt.features import Classes, learn_and_encode
from rosenblatt.features.contents import Contents

SVMLIGHT = (
    b"1 1:0.5 3:2 7:-1e-3\n-1 2:1\n1 1:3.25 # why\n", b"0 1:1 2:2 3:3\n1\n2 4:0.1\n", b"1.5 10:1e5\n-2.5 1:.5\n",
    b"+1 5:1 6:1 17:1 21:1 35:1\n-1 5:1 7:1 14:1 19:1 39:1\n",
)  # fmt: skip
CSV = (
    b'a,b,label\n1,2.5,x\n3,,"y, z"\n-1e3,0,x\n', b'"text","label"\n"he said ""hi""","spam"\n"two\nlines",ham\n',
    b"1,2,0\n3,4,1\n5,6,0\n", b"name\tvalue\tclass\nx\t1\ta\ny\t?\tb\n",
    b"\xef\xbb\xbfa,label\n\xc3\xa4,1\n\xe2\x82\xac,2\n",
    b"day,label\n2020-01-01,a\n2021-12-31 10:00:00,b\n", b"a;b;label\r\n1;2;x\r\n3;4;y\r\n",
)  # fmt: skip
JSON = (
    b'{"text": "hello", "label": "ham"}\n{"text": "buy \\u00e4 now", "label": "spam"}\n',
    b'{"a": 1, "b": 2.5, "label": true}\n{"a": null, "b": -1e3, "label": false}\n',
    b'{"a": [1, 2], "label": "x"}\n{"a": [3], "label": "y"}\n{"a": {"b": 1}, "label": "y"}\n',
    b'[{"a": 1, "t": "x]}", "label": "x"},\n {"a": 2.5, "t": null, "label": "y"}]\n',
    b'[\n {\n  "text": "hello",\n  "label": "ham"\n },\n {\n  "text": "a \\"b\\"",\n  "label": "spam"\n }\n]',
)
LINES = (
    b"__label__spam Win money now\n__label__ham See you at lunch\n",
    b"\xef\xbb\xbf__label__a \xc3\xa4\r\n\n__label__b \xe4\n",
    b"__label__1\tone two\n__label__2\n__label__1 three __label__\n",
)
PLAIN: How = {"labelled": False, "lines": "text", "raw": True}
MAIL = (
    b"From: Ann <a@b.de>\nTo: c@d\nSubject: =?utf-8?q?h=C3=A4llo?= you\nMessage-ID: <1@x>\n\nHello there,\nthe text.\n",
    b"From a@b Thu Jan  1 00:00:00 1970\nFrom: a@b\nSubject: one\n\nfirst\n\nFrom c@d Thu Jan  1 00:00:01 1970\n"
    b"Subject: two\nReceived: by x\n\nsecond\n",
    b"MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"b1\"\nSubject: s\n\n--b1\nContent-Type: "
    b"text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nf=FCr\n--b1\nContent-Type: "
    b"text/html\n\n<html><body>f&uuml;r <b>you</b><!-- no --></body></html>\n--b1--\n",
    b"Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\naGVsbG8gdGhlcmU=\n",
)  # fmt: skip


def _idx() -> list[bytes]:
    made = []
    for code, kind in ((0x08, ">u1"), (0x0B, ">i2"), (0x0D, ">f4"), (0x0E, ">f8")):
        values = np.arange(24).astype(kind)
        made.append(bytes([0, 0, code, 3]) + struct.pack(">3I", 2, 3, 4) + values.tobytes())
    return [*made, bytes([0, 0, 8, 1]) + struct.pack(">I", 5) + b"abcde", gzip.compress(made[0])]


WORDS: dict[str, Sequence[bytes]] = {
    "svmlight": (b" ", b"\n", b"\r\n", b"\t", b":", b"#", b"qid:1", b"1:1", b"0:1", b"2147483647:1", b"2147483648:1",
                 b"+1", b"-1", b"\0", b"\x0b", b"\xc2\xa0", b"\xff", b"1:1e400", b"5:", b":5", b"1:0x1p3"),
    "csv": (b",", b";", b"\t", b'"', b'""', b"\n", b"\r", b"\r\n", b"\xff", b"\xc3", b"\0", b"NaN", b"?", b"label",
            b'"a\nb"', b",,,,", b"2020-01-01", b"true", b"\xef\xbb\xbf", b"=1+1", b"#", b"\xed\xa0\x80"),
    "jsonl": (b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\u0000", b"\\ud800", b"null", b"true", b'{"label": 1}\n',
              b"\n", b'"label"', b"NaN", b"1e400", b"[" * 300, b'{"a":' * 300, b"\xff", b"{}\n", b"\\", b"\r"),
    "fasttext": (b"__label__", b"__label__a ", b"\n", b"\n\n", b"\r", b"\t", b" ", b",", b"\xff", b"\xc3", b"\0", b"?",
                 b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\x0b", b"\xc2\x85", b"text,label\n", b"From a\n"),
    "lines": (b"text\n", b"text,", b"\n", b"\n\n", b"\r", b"\t", b",", b'"', b"#", b"\xff", b"\xc3", b"\0", b"{"),
    "mail": (b"\n\n", b"\n", b"\r\n", b"From ", b"\nFrom x\n", b"--b1\n", b"--b1--\n", b"=?utf-8?b?", b"?=", b"=?x?q?",
             b"Content-Type: multipart/mixed; boundary=b1\n", b"Content-Type: message/rfc822\n\n", b"boundary=",
             b"charset=utf-7", b"charset=idna", b"charset=\"\0\"", b"charset*0*=a''b",
             b"Content-Transfer-Encoding: uue", b"Content-Transfer-Encoding: base64\n",
             b"<html>", b"<!--", b"<script>", b"&#0;", b"&#xd800;",
             b"&#99999999999;", b"\0", b"\xff\xfe", b"begin 644 x\n", b"=\n", b"=XX", b"Subject: ", b"charset=zlib",
             b"charset=undefined", b"charset=mbcs", b"charset=punycode", b"charset=unicode_escape"),
    "idx": (b"\0\0\x08\x03", b"\0\0\x0d\x01", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\0\0\0\x01", b"\x7f\xf8\0\0",
            b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x80\0\0\0", b"\0\x01\0\0"),
}  # fmt: skip

# 20,000 bytes can be 20,000 columns, for each of which Arrow's reader of CSV takes up to 11 kB (SECURITY.md says so).
LONGEST_CSV = 10_000
MOST_COLUMNS = 200  # of a table whose features are made


def file_kinds(folder: Path) -> dict[str, Kind]:
    seeds = {"svmlight": [*SVMLIGHT], "csv": [*CSV], "jsonl": [*JSON], "fasttext": [*LINES],
             "lines": [*LINES, *CSV], "mail": [*MAIL], "idx": _idx()}  # fmt: skip
    for name, content in _real():
        seeds[name].append(content)
    for name in ("given.csv", "given.svm", "given.jsonl", "given.txt", "given.mbox"):
        (folder / name).write_bytes(b"x")  # only its being there is looked at
    uses = {
        "svmlight": _reading(folder / "given.svm", "svmlight"),
        "csv": _reading(folder / "given.csv", "csv"),
        "jsonl": _reading(folder / "given.jsonl", "jsonl"),
        "fasttext": _reading(folder / "given.txt", "fasttext"),
        "lines": lambda content: list(tables(Source(folder / "given.txt", "given.txt", content), 50, **PLAIN)),
        "mail": _mail(folder / "given.mbox"),
        "idx": lambda content: read_idx(Source(folder / "given.idx", "given.idx", content), None, False),
    }
    for name, use in uses.items():
        for content in seeds[name]:
            _warm(use, content)
    kinds = {name: Kind(seeds[name], WORDS[name], use) for name, use in uses.items()}
    kinds["svmlight"] = kinds["svmlight"]._replace(
        guiding=lambda: patch("rosenblatt.data.svmlight.loop", SVMLIGHT_LOOPS)
    )
    kinds["csv"] = kinds["csv"]._replace(
        change=lambda *given: mutated(*given)[:LONGEST_CSV],
        guiding=lambda: patch("rosenblatt.loops.quotes.follow_quotes", QUOTES.follow_quotes),
    )
    return kinds


def in_python(name: str) -> Any:
    """The module of loops once more, not compiled: so that it shows which of its lines an input reaches."""
    spec: Any = find_spec(name)
    module = module_from_spec(spec)
    with patch.object(numba.config, "DISABLE_JIT", True):
        spec.loader.exec_module(module)
    return module


SVMLIGHT_LOOPS, QUOTES = in_python("rosenblatt.loops.svmlight"), in_python("rosenblatt.loops.quotes")


def _real() -> Iterator[tuple[str, bytes]]:
    """Built-in files, and the first lines of the test data where it is present."""
    sets = resources.files("rosenblatt.data").joinpath("sets")
    for name in ("and.csv", "apples.csv", "notes.csv"):
        yield "csv", sets.joinpath(name).read_bytes()
    yield "jsonl", b"".join(sets.joinpath("mail.jsonl").read_bytes().splitlines(keepends=True)[:4])
    data = os.environ.get("ROSENBLATT_DATA")
    for name, path in (("svmlight", "libsvm/a9a"), ("csv", "adult/adult.data"), ("csv", "sms-spam/SMSSpamCollection")):
        if data and (file := Path(data, path)).is_file():
            with file.open("rb") as stream:
                yield name, b"".join(stream.readline() for _ in range(8))


def tables(source: Source, rows: int | None = None, **how: Unpack[How]) -> Iterator[Table]:
    """The tables of the source, as `read` would have them: one, or blocks of about so many rows."""
    asked = Reading(**how)
    return blocks_of(source, format_of(source, asked), asked, rows)


def _reading(path: Path, form: str) -> Callable[[bytes], object]:
    """Read as the format it is named, as what it looks like, without labels, block by block, or up to its features."""
    ways = (
        lambda source: next(tables(source, format=form)),
        lambda source: next(tables(source, labelled=False)),
        lambda source: list(tables(source, 20, format=form, labelled=False)),
        lambda source: list(tables(source, 2, labelled=False)),
        lambda source: features(next(tables(source, format=form))),
    )

    def use(content: bytes) -> object:
        # Which way follows from the content, so that an input alone tells what happens to it.
        return ways[sum(content[:64]) % len(ways)](Source(path, path.name, content))

    return use


def features(table: Table) -> list[str]:
    """What the columns of the table become, all but the training: the kinds of features. Wide tables are left alone:
    each column costs a fraction of a millisecond, and the time of an input is about what is wrong with it."""
    if len(table.names) > MOST_COLUMNS:
        return []
    Contents.of(table)
    Classes.learn(table)
    return [type(line).__name__ for line in learn_and_encode(table)[0].lines]


def _mail(path: Path) -> Callable[[bytes], object]:
    def use(content: bytes) -> object:
        parse_mail(content)
        if sum(content[:64]) % 4:
            return None
        return next(tables(Source(path, path.name, content), format="mbox", labelled=False))

    return use


def _warm(use: Callable[[bytes], object], content: bytes) -> None:
    """Every way of reading once before the fork, so that no child loads or compiles anything."""
    for number in range(5):
        try:
            use(content + b" " * number)
        except ValueError:
            continue
