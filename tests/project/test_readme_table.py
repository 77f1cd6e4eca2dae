"""The measured table of the README is that of the newest run, and shows losses as plainly as wins."""

from __future__ import annotations

import json

import pytest

from benchmarks import readme_table


def result(contestant, accuracy, fit, ours=False):
    return {"contestant": contestant, "accuracy": accuracy, "fit": fit, "ours": ours}


OURS = result("rosenblatt", 0.90, 0.1, ours=True)


def test_a_win_shows_by_how_much():
    shown = readme_table.row(
        {"name": "news20", "results": [OURS, result("slow", 0.901, 1.0), result("weak", 0.5, 0.01)]}
    )
    assert shown == "| news20 | 90.0%, 100 ms | slow: 90.1%, 1 s, 10.0× | slow: 90.1%, 1 s, 10.0× |"


def test_a_loss_is_set_in_bold():
    shown = readme_table.row(
        {"name": "adult", "results": [OURS, result("sharp", 0.95, 0.2), result("quick", 0.899, 0.05)]}
    )
    assert shown == "| adult | 90.0%, 100 ms | **sharp: 95.0%, 200 ms, 2.0×** | **quick: 89.9%, 50 ms, 0.50×** |"


def test_peers_that_are_absent_or_failed_leave_a_dash():
    assert readme_table.row({"name": "x", "results": [OURS, result("failed", None, None)]}) == (
        "| x | 90.0%, 100 ms | – | – |"
    )


def test_missed_goals_come_before_the_table():
    header = {"date": "2026-01-02", "processor": "P", "cores": 2, "memory": 2**33, "commit": "abc", "repeats": 5}
    goals = [
        {"what": "cold start", "wanted": "under 1 s", "got": "2 s", "met": False},
        {"what": "growth", "wanted": "linear", "got": "exponent 1.00", "met": True},
    ]
    text = readme_table.block({"header": header, "tasks": [], "goals": goals}, "2026-01-02.json")
    assert "1 of 2 goals were met" in text
    missed = "**Missed:** cold start (2 s). [What was wanted](benchmarks/results/2026-01-02.md)"
    assert text.index(missed) < text.index("| task |")
    assert "2 cores, 8 GB, commit abc" in text


def test_only_runs_over_all_rows_count(tmp_path):
    assert readme_table.newest(tmp_path) is None
    for name, most in (("2026-01-01", None), ("2026-01-02", None), ("2026-01-03", 2000)):
        (tmp_path / f"{name}.json").write_text(json.dumps({"header": {"most_rows": most}}), encoding="utf8")
    assert readme_table.newest(tmp_path).stem == "2026-01-02"


def test_the_readme_shows_the_newest_run():
    readme = readme_table.README.read_text(encoding="utf8")
    path = readme_table.newest()
    if path is None:
        pytest.skip("benchmarks/results holds no run")
    text = readme_table.block(readme_table.read(path), path.name)
    assert readme_table.filled(readme, text) == readme, "python -m benchmarks.readme_table"


def test_the_readme_has_one_place_for_it():
    assert readme_table.filled(readme_table.README.read_text(encoding="utf8"), "here").count("-->\nhere<!--") == 1
