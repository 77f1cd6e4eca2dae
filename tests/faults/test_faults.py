"""The short version of every row of docs/faults.md, and that the page says what the last full run found."""

from __future__ import annotations

import pytest

from faults import page, results, row17_coverage
from faults.outcome import Outcome
from faults.rows import row_modules


# Dask's sockets and processes may end noisily.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("row", row_modules(), ids=lambda row: row.__name__.removeprefix("faults."))
def test_the_promise_holds(row):
    for name, found in getattr(row, "NEEDS", {}).items():
        if found is None:
            pytest.skip(f"{name} is not installed")
    outcome = row.run(row.SHORT, seed=1)
    assert outcome.cases >= min(row.SHORT, 1)
    assert outcome.broken[:5] == []


def test_the_page_is_the_one_that_the_results_make():
    assert page.PAGE.read_text(encoding="utf8") == page.text()


def test_the_readers_of_row_17_are_its_parts(tmp_path):
    assert list(row17_coverage.readers(tmp_path)) == row17_coverage.PARTS


def test_parts_of_a_row_are_kept_one_by_one_and_run_again_when_the_code_they_reach_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(results, "SOURCES", tmp_path)
    (tmp_path / "one.py").write_text("1")
    (tmp_path / "two.py").write_text("1")
    results.note(1, Outcome(cases=5), 1.0, 0)
    results.note(17, Outcome(cases=9), 1.0, 0)  # before it was run in parts
    results.note_part(17, "csv", Outcome(cases=7, broken=["a line"]), 10.0, 0, ["one.py"])
    assert results.read()["17"]["parts"]["csv"]["said"] == ["a line"]
    assert results.parts_left(17, ["csv", "mail"]) == ["mail"]
    row = next(line for line in page.text().splitlines() if line.startswith("| 17 |"))
    assert " | 7 | 1 | 1 of 24 readers, " in row
    assert "| mail | not run | | | |" in page.text()
    (tmp_path / "one.py").write_text("2")
    assert results.parts_left(17, ["csv", "mail"]) == ["mail", "csv"]
    results.note_part(17, "mail", Outcome(cases=3), 10.0, 0, ["one.py", "two.py"])
    assert results.parts_left(17, ["csv", "mail"]) == ["csv"]
    results.note_part(17, "csv", Outcome(cases=7), 10.0, 0, ["one.py"])
    (tmp_path / "two.py").unlink()  # csv never ran through it
    assert results.parts_left(17, ["csv", "mail"]) == ["mail"]
    assert results.read()["17"]["parts"]["csv"]["cases"] == 7
