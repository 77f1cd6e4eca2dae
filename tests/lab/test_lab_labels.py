"""The labels part: doubtful labels of a CSV, and a copy in which nothing but the decided labels differs."""

from __future__ import annotations

import csv

import pytest

from rosenblatt.errors import DataError, SettingError
from rosenblatt.lab.labels import corrected_copy, review_file
from rosenblatt.lab.sessions import Session

pytest_plugins = ["lab_browser"]

ROWS = [f'{x % 17},"{x % 5}, as written",{"a" if x % 17 < 8 else "b"}' for x in range(120)]
ROWS[3] = ROWS[3].replace(",a", ",b").replace(", bs", ", as")
CSV = "x,note,label\n" + "\n".join(ROWS) + "\n"


def asked(text: str = CSV) -> dict:
    return review_file(Session("mine"), text.encode(), {"name": "mine.csv"})


def test_doubtful_labels_of_a_file_come_with_their_suggestions():
    told = asked()
    assert told["classes"] == ["a", "b"]
    first = next(each for each in told["doubtful"] if each["row"] == 4)
    assert (first["label"], first["suggested"]) == ("b", "a")
    assert {fact["label"] for fact in told["facts"]} == {"rows", "judged", "doubt", "proof"}


def test_the_copy_differs_in_the_decided_labels_alone():
    made = corrected_copy(Session("mine"), {"name": "mine.csv", "text": CSV, "labels": [[4, "a"]]})
    assert made["name"] == "corrected-mine.csv"
    before, after = (list(csv.reader(text.splitlines())) for text in (CSV, made["text"]))
    differ = [(row, one, other) for row, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    assert [(row, other[2]) for row, _, other in differ] == [(4, "a")]


def test_a_file_without_a_header_keeps_its_first_row():
    rows = [
        f"{'ham' if n % 2 else 'spam'}\t{'see you at lunch' if n % 2 else 'win a free prize'} {n}" for n in range(60)
    ]
    text = "\n".join(rows) + "\n"
    made = corrected_copy(Session("mine"), {"name": "sms.tsv", "text": text, "labels": [[1, "ham"], [60, "spam"]]})
    lines = made["text"].splitlines()
    assert len(lines) == 60
    assert lines[0] == rows[0].replace("spam", "ham")
    assert lines[59] == rows[59].replace("ham", "spam")
    assert lines[1:59] == rows[1:59]


@pytest.mark.parametrize(
    ("labels", "line"),
    [([[4, "c"]], "'c' is none of a, b"), ([[121, "a"]], "row must be a whole number from 1 to 120"), ("a", "a list")],
)
def test_decisions_that_cannot_be_are_one_line(labels, line):
    with pytest.raises(SettingError, match=line):
        corrected_copy(Session("mine"), {"name": "mine.csv", "text": CSV, "labels": labels})


def test_rows_without_labels_are_refused():
    with pytest.raises(DataError, match="label"):
        asked("x,y\n" + "".join(f"{n}.5,{n}.25\n" for n in range(30)))


def test_a_person_accepts_a_suggestion_and_saves_a_copy(visit, tmp_path):
    person = visit().ready()
    person.show("labels")
    page = person.page.locator("#labels")
    page.get_by_label("A CSV of rows with labels").set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
    )
    line = page.locator("li", has=person.page.get_by_text("mine.csv, row 4", exact=True))
    line.get_by_role("button", name="Accept a", exact=True).click()
    person.until(lambda: "1 labels will change" in page.locator('[data-fact="decided"]').inner_text(), True)
    line.get_by_role("button", name="Keep b", exact=True).click()
    assert page.get_by_role("button", name="Save a corrected copy").is_disabled()
    line.get_by_role("combobox").select_option("a")
    with person.page.expect_download() as waiting:
        page.get_by_role("button", name="Save a corrected copy").click()
    saved = tmp_path / "saved.csv"
    waiting.value.save_as(saved)
    assert waiting.value.suggested_filename == "corrected-mine.csv"
    after = list(csv.reader(saved.read_text().splitlines()))
    assert after[4][2] == "a"
    assert len(after) == 121
