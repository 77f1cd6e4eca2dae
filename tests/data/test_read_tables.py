"""Tables of every kind: what is in the file arrives, and what is wrong with it is said in one line."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.sparse

from rosenblatt.data import BUILTIN, read
from rosenblatt.data.builtin import NAMES
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.sparse import csr

PLAY = "outlook,temp,play\nsunny,30,no\nrain,18,yes\novercast,,yes\n"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def error_of(*arguments, **settings):
    with pytest.raises(DataError) as caught:
        read(*arguments, **settings)
    message = str(caught.value)
    assert "\n" not in message
    return message


def zstd(content):
    return pa.compress(content, codec="zstd", asbytes=True)


def arrow_file(table, compression=None):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def parquet_file(table, **settings):
    sink = io.BytesIO()
    pa.parquet.write_table(table, sink, **settings)
    return sink.getvalue()


def zeroed(content, start):
    """The content with 200 bytes lost, as a bad copy or a bad disk leaves it; both ends are whole."""
    assert len(content) > start + 400
    return content[:start] + bytes(200) + content[start + 200 :]


TABLE = pa.table({"outlook": ["sunny", "rain", "overcast"], "temp": [30, 18, None], "play": ["no", "yes", "yes"]})
NUMBERS = [str(k * k * 7919 % 10007) for k in range(5000)]
WORDS = pa.table({"word": NUMBERS, "label": ["x", "y"] * 2500})
LINES = "".join(f"{n},x\n" for n in ["word", *NUMBERS]).replace("word,x", "word,label").encode()
FORMS = {
    "a.csv": PLAY.encode(),
    "a.tsv": PLAY.replace(",", "\t").encode(),
    "a.parquet": parquet_file(TABLE),
    "a.arrow": arrow_file(TABLE),
    "a.jsonl": b'{"outlook":"sunny","temp":30,"play":"no"}\n{"outlook":"rain","temp":18,"play":"yes"}\n'
    b'{"outlook":"overcast","temp":null,"play":"yes"}\n',
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd], ids=["plain", "gzip", "zstd"])
@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("name", FORMS)
def test_every_format_gives_the_same_rows_whatever_its_packing_and_name(tmp_path, name, pack, named):
    path = write(tmp_path / (name if named else "data"), pack(FORMS[name]))
    table = read(path, label="play")
    assert table.columns.to_pydict() == {"outlook": ["sunny", "rain", "overcast"], "temp": [30, 18, None]}
    assert table.labels.to_pylist() == ["no", "yes", "yes"]
    assert table.label == "play"
    assert table.origin.of(1) == f"{path}, row 2"


@pytest.mark.parametrize("name", FORMS)
def test_batches_hold_the_same_rows(tmp_path, name):
    path = write(tmp_path / name, FORMS[name])
    parts = list(read(path, label="play", batches=2))
    assert [part.n_rows for part in parts] == [2, 1]
    assert [value for part in parts for value in part.columns["temp"].to_pylist()] == [30, 18, None]
    assert parts[1].origin.of(0) == f"{path}, row 3"


@pytest.mark.parametrize(
    "frame",
    [
        TABLE,
        TABLE.to_batches()[0],
        TABLE.to_pandas(),
        pl.from_arrow(TABLE),
        TABLE.to_pydict(),
        TABLE.to_pylist(),
    ],
    ids=["arrow", "batch", "pandas", "polars", "dict", "dicts"],
)
def test_frames_give_the_same_rows(frame):
    table = read(frame, label="play")
    assert table.columns["outlook"].to_pylist() == ["sunny", "rain", "overcast"]
    temperatures = table.columns["temp"].to_pylist()
    assert temperatures[:2] == [30, 18]
    assert temperatures[2] is None or np.isnan(temperatures[2])
    assert table.labels.to_pylist() == ["no", "yes", "yes"]


def test_arrays_and_lists_take_their_labels_beside_them():
    rows = read(np.arange(6.0).reshape(3, 2), label=["a", "b", "a"])
    assert rows.columns["x"].to_pylist() == [[0, 1], [2, 3], [4, 5]]
    assert rows.labels.to_pylist() == ["a", "b", "a"]
    texts = read(["one text", "another"], label=np.array([0, 1]))
    assert texts.columns["text"].to_pylist() == ["one text", "another"]
    sparse = read(scipy.sparse.csr_matrix([[0, 2.0], [3.0, 0]]), label=pd.Series(["x", "y"]))
    assert [part.tolist() for part in csr(sparse.columns["column"])] == [[0, 1, 2], [2, 1], [2.0, 3.0]]
    with pytest.raises(DataError, match="X has 3 rows and y 2 labels"):
        read(np.zeros((3, 2)), label=[1, 2])


def test_an_ordered_category_of_pandas_keeps_its_order():
    size = pd.Categorical(["s", "l", "m"], categories=["s", "m", "l"], ordered=True)
    table = read(pd.DataFrame({"size": size, "label": [1, 0, 1]}))
    assert table.declared["size"].order == ("s", "m", "l")


def test_standard_input_reads_as_a_file_does(monkeypatch):
    class Standard:
        buffer = io.BytesIO(gzip.compress(PLAY.encode()))

    monkeypatch.setattr(sys, "stdin", Standard)
    table = read("-", label="play")
    assert table.labels.to_pylist() == ["no", "yes", "yes"]
    assert table.origin.of(0) == "standard input, row 1"


@pytest.mark.parametrize(("name", "rows"), list(zip(NAMES, [5, 24, 4, 4, 4, 64, 1797, 150, 569, 178], strict=True)))
def test_built_in_sets(name, rows):
    table = read(name)
    assert table.n_rows == rows
    assert table.labels.null_count == 0
    assert len(set(table.labels.to_pylist())) in (2, 3, 10)


def test_built_in_names_are_those_of_the_door():
    assert NAMES == BUILTIN


def test_the_built_in_mail_is_large_and_varied_enough():
    table = read("mail")
    labels = table.labels.to_pylist()
    assert min(labels.count("spam"), labels.count("ham")) >= 25
    texts = table.columns["text"].to_pylist()
    assert len(set(texts)) == len(texts)
    assert len(set(" ".join(texts).lower().split())) > 1000


def test_a_label_that_a_built_in_set_does_not_have_is_refused():
    for label in ("nope", "x1"):
        assert error_of("notes", label=label).startswith(f"notes: no label {label!r} in this built-in set; its label")
    assert read("notes", label="label").label == "label"
    assert read("notes", label="nope", labelled=False).n_rows == 5  # rows to be predicted need none


def test_names_that_nobody_would_use_are_refused(tmp_path):
    with pytest.raises(SettingError, match=r"a.csv: names of columns \(--names\) are for svmlight files.* this is csv"):
        read(write(tmp_path / "a.csv", PLAY), label="play", names="nosuch")
    with pytest.raises(SettingError, match=r"names of columns \(--names\) .* this is a built-in set"):
        read("notes", names="nosuch")


def test_a_file_comes_before_a_built_in_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "iris", PLAY)
    assert read("iris", label="play").n_rows == 3


@pytest.mark.parametrize("name", ["label", "Class", "TARGET"])
def test_the_label_is_found_by_its_name(tmp_path, name):
    assert read(write(tmp_path / "a.csv", PLAY.replace("play", name))).label == name


def test_without_a_label_the_columns_are_listed(tmp_path):
    path = write(tmp_path / "tennis.csv", PLAY)
    assert "Columns are: outlook, temp, play" in error_of(path)
    assert error_of(path, label="Play") == (
        f"{path}: no column named 'Play'. Columns are: outlook, temp, play. Did you mean 'play'?"
    )
    assert "could be any of label, class" in error_of(write(tmp_path / "b.csv", "label,class\n1,2\n"))
    assert read(path, labelled=False).labels is None


def test_a_header_is_told_from_a_first_row(tmp_path):
    first = read(write(tmp_path / "a.csv", "ham,hello there\nspam,buy now\nham,see you\n"), label="c1")
    assert first.n_rows == 3
    assert "no header line" in first.notes[0]
    assert read(write(tmp_path / "b.csv", "1,2,x\n3,4,y\n"), label="c3").n_rows == 2
    assert read(write(tmp_path / "c.csv", "a,b,label\nc,d,e\n")).n_rows == 1
    asked = write(tmp_path / "d.csv", "ham,b\nham,c\n")
    assert read(asked, label="ham").n_rows == 1
    assert read(asked, label="ham", header=True).names == ["b"]
    assert read(asked, label="c2", header=False).n_rows == 2


def test_quotes_are_literal_on_request_and_between_tabs(tmp_path):
    tabs = 'ham\t"Oh" she said\nspam\t"buy\nham\tno"\n'
    assert read(write(tmp_path / "a", tabs), label="c1").n_rows == 3
    commas = write(tmp_path / "b.csv", tabs.replace("\t", ","))
    assert "line 1: text follows a closing quote" in error_of(commas, label="c1")
    table = read(commas, label="c1", quotes=False)
    assert table.columns["c2"].to_pylist() == ['"Oh" she said', '"buy', 'no"']


def test_a_quote_within_a_value_is_a_character_wherever_the_blocks_end(tmp_path):
    for padding in range(40):
        first = "a" * padding + 'b 5" pipe'
        path = write(tmp_path / "a.csv", f'text,label\n{"x" * 65_490}{first},x\n"quoted, too",y\n')
        assert read(path).columns["text"].to_pylist() == ["x" * 65_490 + first, "quoted, too"]
        assert [part.n_rows for part in read(path, batches=5)] == [2]


def test_quoted_values_keep_delimiters_quotes_and_line_ends(tmp_path):
    path = write(tmp_path / "a.csv", 'text,label\n"a, ""b""\nc",x\n"",y\n')
    assert read(path).columns["text"].to_pylist() == ['a, "b"\nc', None]


def test_spaces_and_question_marks(tmp_path):
    table = read(write(tmp_path / "a.csv", "n,s,label\n1, a ,x\n ?, ?,y\n3,NA,x\n\n"))
    assert table.columns.to_pydict() == {"n": [1, None, 3], "s": ["a", None, "NA"]}


def test_strings_that_look_like_numbers(tmp_path):
    path = write(tmp_path / "a.csv", "zip,label\n00501,x\n10001,y\n")
    assert read(path).columns["zip"].to_pylist() == [501, 10001]
    assert read(path, strings=["zip"]).columns["zip"].to_pylist() == ["00501", "10001"]


def test_labels_can_be_merged(tmp_path):
    path = write(tmp_path / "a.csv", "v,label\n1,easy\n2,hard\n3,spam\n")
    table = read(path, relabel={"easy": "ham", "hard": "ham"})
    assert table.labels.to_pylist() == ["ham", "ham", "spam"]
    with pytest.raises(SettingError, match="no label 'simple' to rename"):
        read(path, relabel={"simple": "ham"})


def test_a_later_fraction_in_a_column_of_whole_numbers(tmp_path, monkeypatch):
    from rosenblatt.data import csvtext

    monkeypatch.setattr(csvtext, "SIZE", 64)
    path = write(tmp_path / "a.csv", "v,label\n" + "1,x\n" * 50 + "2.5,y\n")
    parts = list(read(path, batches=10))
    assert [value for part in parts for value in part.columns["v"].to_pylist()] == [1.0] * 50 + [2.5]
    assert {part.columns["v"].type for part in parts} == {pa.float64()}
    path = write(tmp_path / "b.csv", "v,label\n" + "1,x\n" * 50 + "many,y\n")
    parts = list(read(path, batches=10))
    assert parts[0].columns["v"].to_pylist() == ["1"] * 10, "batches have the types of the whole file"
    assert parts[-1].columns["v"].to_pylist()[-1] == "many"


BAD = {
    "no such file": (None, "no such file or folder"),
    "empty file": (b"", "the file is empty"),
    "blank lines": (b"\n\n\n", "the file is empty"),
    "header only": (b"a,label\n", "a header but no rows"),
    "wrong encoding": (
        "a,label\n1,x\n2,\u00e9\n".encode("latin-1"),
        "line 3: byte 0xe9 is not utf-8 text. Name its encoding, for example latin-1 (--encoding latin-1).",
    ),
    "wrong encoding far below": (
        b"a,label\n" + b"1,x\n" * 20_000 + "2,\u00e9\n".encode("latin-1"),
        "row 20001, column 'label': byte 0xe9 is not utf-8 text",
    ),
    "short row": (
        b"a,b,label\n1,2,x\n3,y\n",
        "line 3: 2 values where the first line has 3. Mend the line; if quotes in this file are literal",
    ),
    "decimal commas": (
        b"x,y,label\n1,5,2,25,a\n",
        "line 2: 5 values where the first line has 3. If numbers have decimal commas, save the file with semicolons",
    ),
    "long row": (b'a,label\n"1\n2",x\n3,y,4\n', "line 4: 3 values where the first line has 2"),
    "two names": (b"a,b,a,label\n1,2,3,x\n", "columns 1 and 3 are both named 'a'"),
    "open quote": (
        b'a,label\n1,x\n"2,y\n',
        "line 3: a quote opens here and never closes. Close it; if quotes in this file are literal",
    ),
    "text after a quote": (b'a,label\n"1" m,x\n2,y\n', "literal, say so (--no-quotes; quotes=False in Python)."),
    "utf-16 without its mark": (
        "a,label\n1,x\n".encode("utf-16-le"),
        "utf-16 (--encoding utf-16), or its format (--format).",
    ),
    "truncated gzip": (gzip.compress(PLAY.encode() * 1000)[:-20], "the gzip data is damaged or cut short"),
    "damaged gzip": (b"\x1f\x8bnonsense", "the gzip data is damaged"),
    "truncated zstd": (zstd(PLAY.encode() * 1000)[:-20], "packed data is damaged or cut short (Truncated compressed"),
    "damaged zstd": (zeroed(zstd(LINES), 9000), "packed data is damaged or cut short (ZSTD decompress failed"),
    "damaged gzip member": (zeroed(gzip.compress(LINES), 9000), "the gzip data is damaged"),
    "damaged page of parquet": (
        zeroed(parquet_file(WORDS, compression="snappy", use_dictionary=False), 900),
        "cannot be read as parquet (Corrupt snappy compressed data). The file is damaged: copy it again.",
    ),
    "damaged arrow batch": (zeroed(arrow_file(WORDS, "zstd"), 20_000), "cannot be read as arrow (ZSTD"),
    "damaged parquet": (b"PAR1" + b"\0" * 40, "not a readable parquet file"),
    "damaged arrow": (b"ARROW1\0\0" + b"\0" * 40, "not a readable arrow file"),
    "empty parquet": (parquet_file(TABLE.slice(0, 0)), "the file has no rows"),
    "bad json": (b'{"a": 1, "label": 2}\n{"a": \n', "line 2: not JSON"),
    "json list": (b'{"a": 1, "label": 2}\n[1]\n', "line 2: a JSON list where an object is needed"),
    "mixed json": (
        b'{"a": null, "label": 1}\n\n{"a": 1, "label": 2}\n{"a": 1.5, "label": 2}\n{"a": "x", "label": 1}\n',
        "line 5: 'a' is a string here and a number in line 3. Every line must have",
    ),
    "a zip": (b"PK\x03\x04....", "zip archive or a spreadsheet"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_end_in_one_line_that_names_the_place(tmp_path, case):
    content, says = BAD[case]
    suffix = ".jsonl" if "json" in case else ".csv"
    path = tmp_path / f"bad{suffix}"
    if content is not None:
        write(path, content)
    message = error_of(path)
    assert message.startswith(str(path))
    assert says in message
    with pytest.raises(DataError):
        list(read(path, batches=2))


def test_an_encoding_that_the_file_does_not_have_is_one_line(tmp_path):
    path = write(tmp_path / "a.csv", PLAY)
    assert "not utf-16 text" in error_of(path, encoding="utf-16")
    with pytest.raises(SettingError, match=r"no text encoding named 'klingon'. Name one such as latin-1"):
        read(path, encoding="klingon")


def test_a_misspelt_built_in_name_is_pointed_out():
    assert error_of("digit") == "digit: no such file or folder. Did you mean 'digits'?"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"format": "xls"}, "format must be one of csv"),
        ({"batches": 0}, "batches must be a number of rows"),
        ({"delimiter": ";;"}, "delimiter must be one ASCII character"),
    ],
)
def test_bad_settings(settings, says):
    with pytest.raises(SettingError, match=says):
        read("iris", **settings)


def test_strange_objects_are_refused():
    with pytest.raises(DataError, match="X is a int, which is no table of rows"):
        read(3)
    with pytest.raises(DataError, match=r"shape \(2, 2, 2\)"):
        read(np.zeros((2, 2, 2)))
    with pytest.raises(DataError, match="two columns named 'a'"):
        read(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(DataError, match=r"0 sample\(s\)"):
        read({"a": []}, labelled=False)


def test_bytes_that_are_no_text_in_a_parquet_file_are_refused(tmp_path):
    broken = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 2], np.int32)), pa.py_buffer(b"a\xff")]
    )
    path = write(tmp_path / "a.parquet", parquet_file(pa.table({"t": broken, "label": [1, 2]})))
    assert "Invalid UTF8" in error_of(path)


def test_a_header_of_many_columns(tmp_path):
    names = [f"a column with a rather long name {k}" for k in range(5000)]
    path = write(tmp_path / "wide.csv", ",".join([*names, "label"]) + "\n" + "1.5," * 5000 + "x\n")
    table = read(path)
    assert table.names == names
    assert table.n_rows == 1


def test_importing_loads_no_arrow():
    modules = "{'pyarrow', 'numba', 'numpy', 'sklearn'}"
    code = f"import sys, rosenblatt.data, rosenblatt.features; print({modules} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_reading_a_file_loads_no_scikit_learn(tmp_path):
    path = write(tmp_path / "a.csv", PLAY)
    code = (
        "import sys; from rosenblatt.data import read; from rosenblatt.features import learn; "
        f"learn(read({str(path)!r}, 'play')); print({{'sklearn'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_pipe_reads_as_a_file_does(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=[PLAY])
    writer.start()
    assert read(path, label="play").labels.to_pylist() == ["no", "yes", "yes"]
    writer.join()


def test_a_text_of_a_megabyte_is_a_value_like_any_other(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("text,label\n" + "word " * 200_000 + ",a\nshort,b\n")
    assert len(read(path).columns["text"][0].as_py()) > 900_000
    assert [table.n_rows for table in read(path, batches=1)] == [1, 1]
