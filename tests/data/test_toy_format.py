"""A format is one file and one line: a toy of one is trained on, predicted, explained, evaluated and reported."""

from __future__ import annotations

import gzip

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

import rosenblatt
from rosenblatt.cli import commands
from rosenblatt.data import formats, read
from rosenblatt.data.format import Format
from rosenblatt.data.source import open_bytes
from rosenblatt.data.table import counted, make_table
from rosenblatt.errors import DataError
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.report.html import write_report
from rosenblatt.store import to_bytes


class Cards(Format):
    """Cards of lines such as `hour: 7`, with an empty line after each. Everything but the label is a number."""

    name, endings, magic, as_text = "cards", (".cards",), b"CARDS\n", True

    @classmethod
    def blocks(cls, source, how, rows):
        with open_bytes(source) as stream:
            cards = stream.read().decode().removeprefix("CARDS\n").split("\n\n")
        cards = [dict(line.split(": ") for line in card.splitlines()) for card in cards if card]
        for start in range(0, len(cards), rows or len(cards)):
            some = cards[start : start + (rows or len(cards))]
            columns = {
                name: pa.array([card[name] if name == "label" else float(card[name]) for card in some])
                for name in some[0]
            }
            columns |= {"label": columns["label"].cast(pa.large_string())} if "label" in columns else {}
            yield make_table(
                pa.table(columns), counted(source.name, "card", len(some), start + 1), how.label, how.labelled
            )


@pytest.fixture(autouse=True)
def table(monkeypatch, tmp_path):
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, Cards))
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))


def write(path, head="CARDS\n"):
    """Days and nights, with enough beside them that the rows do not fit into 41 kB."""
    hours = np.random.default_rng(3).integers(0, 24, 400)
    cards = [
        f"hour: {hour}\nbeside: {'1' * 90}\nlabel: {'late' if hour > 11 else 'early'}\n\n" for hour in hours.tolist()
    ]
    path.write_text(head + "".join(cards))
    return str(path)


def test_a_format_is_one_file_and_one_line(tmp_path):
    source = write(tmp_path / "times.cards")
    model, evidence = train_with_evidence(source, model="perceptron", passes=8)
    assert model.card["test"]["accuracy"] > 0.9
    rosenblatt.save(model, tmp_path / "m.rosenblatt")
    again = rosenblatt.load(tmp_path / "m.rosenblatt")
    (tmp_path / "few.cards").write_text("hour: 23\nbeside: 1\n\nhour: 1\nbeside: 1\n\n")
    assert again.predict(tmp_path / "few.cards") == ["late", "early"]
    assert again.evaluate(source).accuracy > 0.9
    one = next(iter(again.read(tmp_path / "few.cards", labelled=False, batches=1)))
    assert "hour" in str(again.explain(one))
    write_report(again, evidence, str(tmp_path / "r.html"))
    assert "times.cards" in (tmp_path / "r.html").read_text()
    on_disk, evidence = train_with_evidence(source, model="perceptron", passes=8, memory="41kB")
    assert evidence.disk is not None
    assert to_bytes(on_disk) == to_bytes(model)


def test_commands_read_it_and_name_the_place_of_a_row(tmp_path):
    source, model = write(tmp_path / "times.cards"), str(tmp_path / "m.rosenblatt")
    for arguments in (
        ("train", source, "--model", "naive-bayes", "--out", model, "--memory", "41kB"), ("evaluate", model, source),
        ("predict", model, source), ("explain", model, source, "--row", "2"),
    ):  # fmt: skip
        found = CliRunner().invoke(commands, arguments)
        assert found.exit_code == 0, found.output
    assert read(source).origin.of(2) == f"{source}, card 3"


def test_a_file_is_known_by_how_it_begins_by_its_name_or_because_it_is_asked_for(tmp_path):
    assert read(write(tmp_path / "by-content")).n_rows == 400
    (tmp_path / "packed.gz").write_bytes(gzip.compress(b"CARDS\nhour: 1\nlabel: x\n\n"))
    assert read(tmp_path / "packed.gz").n_rows == 1
    assert read(write(tmp_path / "by-name.cards", head="")).n_rows == 400
    assert read(write(tmp_path / "asked.csv", head=""), format="cards").n_rows == 400
    assert [part.n_rows for part in read(tmp_path / "asked.csv", format="cards", batches=150)] == [150, 150, 100]


def test_no_two_formats_have_a_name_an_ending_or_a_beginning_in_common():
    for tell in (lambda form: [form.name], lambda form: form.endings, lambda form: [form.magic][: bool(form.magic)]):
        told = [each for form in formats.FORMATS for each in tell(form)]
        assert len(told) == len(set(told)) > 0


def test_what_it_does_not_take_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"names of columns .* are for svmlight files, and this is cards"):
        read(write(tmp_path / "times.cards"), names=["a"])
    with pytest.raises(DataError, match="a folder holds text or mail, not cards"):
        read(tmp_path, format="cards")
    with pytest.raises(DataError, match="no column named 'when'"):
        read(tmp_path / "times.cards", label="when")
