"""CSV files as programs write them: what stands between values, encodings, odd headers, and a label nobody names."""

from __future__ import annotations

import pytest

import rosenblatt
from rosenblatt.data import read
from rosenblatt.errors import DataError

ROWS = [("1.5", "red, dark", "yes"), ("2", "blue", "no"), ("-3", "red", "yes")]


def file(tmp_path, text, name="t.csv", encoding="utf-8"):
    (tmp_path / name).write_bytes(text.encode(encoding))
    return str(tmp_path / name)


@pytest.mark.parametrize(("sign", "called"), [(";", "semicolons"), ("|", "bars"), ("\t", "tabs")])
@pytest.mark.parametrize("quoted", [False, True])
def test_the_delimiter_is_found_and_said(tmp_path, sign, called, quoted):
    quote = '"{}"' if quoted and sign != "\t" else "{}"
    lines = ["x;colour;label".replace(";", sign), *(sign.join(map(quote.format, row)) for row in ROWS)]
    table = read(file(tmp_path, "\n".join(lines)))
    assert table.names == ["x", "colour"]
    assert table.columns["colour"].to_pylist() == [row[1] for row in ROWS]
    assert f"{called} stand between the values" in table.notes


def test_a_comma_that_serves_is_kept_whatever_else_stands_in_the_values(tmp_path):
    table = read(file(tmp_path, "text,label\na; b,x\nc; d,y\ne|f; g,x\n"))
    assert table.columns["text"].to_pylist() == ["a; b", "c; d", "e|f; g"]
    assert not table.notes


def test_semicolons_are_found_where_commas_would_cut_numbers_into_as_many_pieces(tmp_path):
    table = read(file(tmp_path, "1,5;2,5;x\n3,5;4,5;y\n5,5;6,5;x\n"), "c3")
    assert table.names == ["c1", "c2"]
    assert "c1, c2: the decimal sign is a comma, 1.234,5" in table.notes


def test_what_is_asked_for_comes_before_what_is_found(tmp_path):
    table = read(file(tmp_path, "a;b,label\n1;2,x\n3;4,y\n"), delimiter=",")
    assert table.names == ["a;b"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le with its mark", "utf-16-be with its mark"])
@pytest.mark.parametrize("name", ["t.csv", "t.unknown"])
def test_utf_16_tells_itself_by_its_mark(tmp_path, encoding, name):
    text = "x;colour;label\n1;grün;ja\n2;süß;nein\n"
    marked = text if encoding == "utf-16" else "\ufeff" + text
    table = read(file(tmp_path, marked, name, encoding.split()[0]))
    assert table.columns["colour"].to_pylist() == ["grün", "süß"]


def test_commas_that_end_each_line_make_a_column_without_values(tmp_path):
    table = read(file(tmp_path, "x,colour,label,\n1,red,a,\n2,blue,b,\n"))
    assert table.names == ["x", "colour", "c4"]
    assert table.columns["c4"].null_count == 2


def test_years_may_name_columns_where_words_stand_over_numbers(tmp_path):
    table = read(file(tmp_path, "town,2019,2020,people,label\nA,1,2,3,x\nB,4,5,6,y\n"))
    assert table.names == ["town", "2019", "2020", "people"]


@pytest.mark.parametrize(
    "text",
    [
        "39,State-gov,7\n50,Private,8\n38,Private,9\n",  # words over words: values
        "1,2,3\n4,5,6\n7,8,9\n",
        "?,2,3\n4,5,6\n7,8,9\n",  # a missing value names nothing
        "a,2,3\nb,5,6\na,8,9\n",
    ],
)
def test_rows_of_values_are_no_header(tmp_path, text):
    table = read(file(tmp_path, text), "c3")
    assert table.names == ["c1", "c2"]
    assert table.n_rows == 3


def messages(n=60):
    return [(("ham", "spam")[i % 3 == 0], f"message number {i} says {i * i}") for i in range(n)]


def test_the_only_column_of_few_short_values_is_the_label_of_a_file_without_a_header(tmp_path):
    text = "".join(f"{label}\t{words}\n" for label, words in messages())
    table = read(file(tmp_path, text, "messages"))
    assert (table.label, table.names) == ("c1", ["c2"])
    assert "c1 is taken for the label: no other column has few short values" in table.notes
    assert rosenblatt.train(file(tmp_path, text, "messages")).label == "c1"


def test_two_such_columns_or_a_header_leave_the_question_open(tmp_path):
    twice = "".join(f"{label}\t{label}\t{words}\n" for label, words in messages())
    with pytest.raises(DataError, match="no column is named label"):
        read(file(tmp_path, twice, "messages"))
    named = "kind\twords\n" + "".join(f"{label}\t{words}\n" for label, words in messages())
    with pytest.raises(DataError, match="no column is named label"):
        read(file(tmp_path, named, "messages"))
    assert read(file(tmp_path, twice, "messages"), labelled=False).label is None
