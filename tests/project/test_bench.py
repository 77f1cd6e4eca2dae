"""Beside its peers: that everybody gets the same rows, that figures are what they say, and that losses are shown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from benchmarks.first_version import first_tree
from benchmarks.peers import write
from benchmarks.peers.child import in_child, peak_memory
from benchmarks.peers.cold import cold_goals, measure_cold
from benchmarks.peers.contestants import EVERYBODY
from benchmarks.peers.contestants.ours import Ours
from benchmarks.peers.contestants.scikit_rows import ScikitPerceptron
from benchmarks.peers.figures import losses, ratio, seconds, size
from benchmarks.peers.goals import judge
from benchmarks.peers.growth import exponent
from benchmarks.peers.measure import QUICK, measure
from benchmarks.peers.page import markdown
from benchmarks.peers.results import Goal, Growth, Result, Results, Sheet, TaskResult
from benchmarks.peers.sections import SECTIONS, LeftOut, measure_section
from benchmarks.peers.sets import TASKS, load_task
from rosenblatt import train

HEADER = {
    "date": "2026-01-02 03:04 UTC", "processor": "a processor", "cores": 2, "memory": 2**34, "system": "Linux",
    "python": "3.11", "versions": {"numpy": "2.0"}, "rosenblatt": "0.1.0", "commit": "abc", "load": 0.1, "threads": 1,
    "most_rows": None, "repeats": 3, "data": "real sets",
}  # fmt: skip
ROWS = 300
RUN = ("reuters-acq", "digits", "spam", "german")
SLOW_STARTERS = {"River Perceptron", "River MultinomialNB"}  # one pass over few rows may learn little


@pytest.fixture(scope="module", params=RUN)
def task(request):
    return load_task(request.param, None, ROWS).task


def results_with(*given: Result) -> Results:
    task = TaskResult("t", "sparse", "about", "size", 10, 5, results=list(given))
    return Results(dict(HEADER), [task])


def run(*arguments, env=None):
    """The program as `make bench-quick` starts it."""
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.peers", *arguments],
        capture_output=True, text=True, timeout=900, check=False, env=env, cwd=Path(__file__).parents[2],
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """A task of each kind with few generated rows and every peer that is installed, as a user would run them."""
    folder = tmp_path_factory.mktemp("results")
    names = [part for name in [*RUN, "reading", "growth"] for part in ("--task", name)]
    arguments = ["--quick", *names, "--rows", str(ROWS), "--repeats", "1", "--out", str(folder)]
    done = run(*arguments, env={**os.environ, "ROSENBLATT_DATA": str(folder)})
    assert done.returncode == 0, done.stderr
    found = json.loads(next(folder.glob("*.json")).read_text(encoding="utf8"))
    return done.stdout, found, folder


def test_the_search_of_everybody_is_judged_by_the_rows_that_train_takes(task):
    card = train(task.both.table, test=task.test.table, seed=0).card
    assert (card["split"]["train"], card["split"]["validation"]) == (len(task.train), len(task.validation))
    assert card["test"]["rows"] == len(task.test)
    assert len(task.both) == len(task.train) + len(task.validation) <= ROWS


def test_rows_for_the_others_are_the_rows_of_the_table(task):
    for part in (task.train, task.validation, task.both, task.test):
        rows = part.rows if isinstance(part.rows, list) else part.rows.shape
        assert (len(rows) if isinstance(rows, list) else rows[0]) == part.table.n_rows == len(part.codes)
        named = [str(name) for name in part.table.labels.to_pylist()]
        assert [task.classes[code] for code in part.codes] == named


def test_our_fit_alone_is_the_model_that_train_makes(task, tmp_path):
    ours = Ours(tmp_path)
    found = ours.search(task)
    fitted = ours.fit(ours.prepare(task, task.both, found.settings), found.settings)
    predicted = ours.predict(fitted, ours.prepare(task, task.test, found.settings))
    whole = train(task.both.table, test=task.test.table, seed=0)
    assert np.array_equal(predicted, whole.codes(task.test.table))
    assert found.with_fit
    assert found.about == whole.card["choice"]["name"]


def test_rows_come_in_no_order_of_classes(task):
    changes = np.count_nonzero(np.diff(task.both.codes))
    assert changes > len(task.both) / 4


def test_every_contestant_that_is_installed_takes_part_and_learns(whole_run):
    _, found, _ = whole_run
    installed = {kind.name for kind in EVERYBODY if kind.version()}
    seen = set()
    for task in found["tasks"]:
        classes = int(task["size"].split(", ")[-1].split()[0])
        for result in task["results"]:
            seen.add(result["contestant"])
            assert result["accuracy"] is not None, f"{task['name']}: {result}"
            if result["contestant"] not in SLOW_STARTERS:
                assert result["accuracy"] > 1.2 / classes, f"{task['name']}: {result}"
            assert result["fits"]
            assert result["whole"] >= result["search"] > -1
    assert seen == installed
    assert [task["name"] for task in found["tasks"]] == list(RUN)


def test_the_run_says_where_it_was_made_and_that_its_data_is_not_the_real_one(whole_run):
    printed, found, folder = whole_run
    header = found["header"]
    assert header["threads"] == 1
    assert header["processor"]
    assert header["versions"]["scikit-learn"]
    assert "generated rows, because the real ones are not there" in printed
    assert f"at most {ROWS} rows" in printed
    tables = [line for line in printed.splitlines() if "accuracy" in line and "memory" in line]
    assert len(tables) == len(RUN)
    assert max(map(len, tables)) <= 100
    assert {path.suffix for path in folder.iterdir()} == {".json", ".md", ".svg"}


def test_the_other_times_are_there(whole_run):
    _, found, _ = whole_run
    assert [sheet["name"] for sheet in found["sheets"]] == ["cold start, spam", "reading svmlight"]
    for sheet in found["sheets"]:
        assert any(line["who"] == "rosenblatt" and line["figures"]["time"] > 0 for line in sheet["lines"])
    assert {grown["along"] for grown in found["growth"]} == {"rows", "columns", "classes", "documents", "support rows"}
    assert len(found["goals"]) >= 2 * len(RUN)


def line(contestant, accuracy, fit, ours=False, family="line", **more):
    return Result(contestant, ours, family, accuracy, fit=fit, **more)


def test_losses_are_named():
    ours = line("rosenblatt", 0.90, 1.0, ours=True)
    close = line("close", 0.898, 0.5)
    better = line("better", 0.91, 2.0)
    poor = line("poor", 0.80, 0.1)
    task = results_with(ours, close, better, poor).tasks[0]
    assert losses(task) == "ahead of rosenblatt: close (faster to fit), better (more accurate)"
    goals = {goal.what: goal for goal in judge(results_with(ours, close, better, poor))}
    assert not goals["t: accuracy"].met
    assert not goals["t: fit"].met
    assert "close" in goals["t: fit"].wanted
    results = results_with(ours, close, better, poor)
    results.goals = judge(results)
    page = markdown(results)
    assert "| **no** | t: fit |" in page
    assert "| poor | 80.0% |" in page


def test_wins_need_no_excuse():
    ours, other = line("rosenblatt", 0.90, 1.0, ours=True), line("other", 0.899, 3.0)
    results = results_with(ours, other)
    results.goals = [Goal("first", "", "", True), Goal("second", "", "", False)]
    assert markdown(results).index("second") < markdown(results).index("first")  # what was missed comes first
    assert losses(results.tasks[0]) == "nobody near our accuracy is faster to fit"
    assert all(goal.met for goal in judge(results))


def test_fits_are_held_against_those_of_the_same_family():
    ours, counts = line("rosenblatt", 0.90, 1.0, ours=True), line("rosenblatt naive Bayes", 0.90, 0.2, True, "bayes")
    others = [
        line("straight", 0.90, 2.0),
        line("counted", 0.90, 0.1, family="bayes"),
        line("trees", 0.99, 0.1, family="trees"),
    ]
    goals = {goal.what: goal for goal in judge(results_with(ours, counts, *others))}
    assert goals["t: fit"].met
    assert goals["t: accuracy"].met
    assert not goals["t, naive Bayes: fit"].met
    assert "trees (more accurate and faster to fit)" in losses(results_with(ours, counts, *others).tasks[0])


def test_of_several_splits_the_paired_differences_decide():
    ours = line("rosenblatt", 0.74, 1.0, ours=True, splits=[0.70, 0.78])
    other = line("other", 0.75, 2.0, splits=[0.74, 0.76])
    goal = next(goal for goal in judge(results_with(ours, other)) if goal.what == "t: accuracy")
    assert goal.met
    assert goal.got == "74.0%, -1.00 ± 3.00 over 2 splits"


def test_goals_of_cold_starts_and_growth():
    sheet = Sheet("cold start, spam", "", {"time": "seconds"})
    sheet.add("load and predict", "rosenblatt", time=1.2)
    assert [goal.met for goal in cold_goals(sheet)] == [False]
    results = Results(dict(HEADER))
    results.growth = [Growth("rosenblatt Perceptron", "rows", [1, 2], [1.0, 4.0], 2.0)]
    assert [goal.met for goal in judge(results)] == [False]


def test_a_section_that_fails_is_a_missed_goal_and_one_without_data_is_left_out(monkeypatch):
    monkeypatch.setattr("benchmarks.peers.reading.measure", lambda folder, quick: 1 / 0)
    assert [goal.met for goal in measure_section("reading", None, True)[1]] == [False]
    sheet, goals, why = measure_section("serve", None, True)
    assert (sheet, goals) == (None, [])
    assert "is not in the folder of the data" in why


def test_every_section_has_its_measure_and_no_name_of_a_task():
    for name, module in SECTIONS.items():
        assert callable(import_module(module).measure)
        assert name not in TASKS


def test_without_the_first_version_in_the_history_its_section_is_left_out(monkeypatch, tmp_path):
    monkeypatch.setattr("benchmarks.first_version.REPOSITORY", tmp_path)
    with pytest.raises(LeftOut, match="9a21dda4f1"), first_tree():
        pass


def test_a_fit_that_takes_long_is_timed_once_and_the_table_says_so():
    effort = replace(QUICK, long=0.0, patience=0.0)
    found, _ = measure(load_task("reuters-acq", None, ROWS), [ScikitPerceptron], effort, lambda line: None)
    assert len(found.results[0].fits) == 1
    assert found.results[0].note == "a fit takes over 0 s, so it was timed once"


def test_a_small_task_is_split_in_several_ways():
    loaded = load_task("german", None, ROWS)
    others = list(loaded.others())
    assert len(others) == TASKS["german"].splits - 1
    assert len({tuple(each.test.codes) for each in [loaded.task, *others]}) == len(others) + 1


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_exponents_of_powers_are_the_powers(power):
    sizes = [1_000, 2_000, 4_000, 8_000]
    assert exponent(sizes, [3e-6 * n**power for n in sizes]) == pytest.approx(power)


def test_numbers_read_well():
    assert [seconds(value) for value in (None, 2.5e-5, 0.00123, 0.9996, 12.34)] == [
        "–", "25 µs", "1.23 ms", "1,000 ms", "12.3 s",
    ]  # fmt: skip
    assert [ratio(3.0, 2.0), ratio(1.0, 2.0), ratio(40.0, 2.0), ratio(None, 1.0)] == ["1.5×", "0.50×", "20×", "–"]
    assert [size(2_000), size(2_500_000), size(None)] == ["2 kB", "2.5 MB", "–"]


def test_a_child_hands_back_what_it_found_and_what_it_took():
    def work(tell):
        before = peak_memory()
        block = np.ones(8_000_000)  # 64 MB, every page touched
        return {"sum": float(block.sum()), "peak": peak_memory() - before}

    found = in_child(work, 60).found
    assert found["sum"] == 8_000_000
    assert 60e6 < found["peak"] < 90e6


def test_a_child_that_fails_is_reported_and_harms_nobody():
    assert in_child(lambda tell: {"x": 1 / 0}, 60).failure == "ZeroDivisionError: division by zero"
    assert in_child(lambda tell: os.kill(os.getpid(), signal.SIGKILL), 60).failure == "ended by signal 9"
    assert in_child(lambda tell: time.sleep(60), 0.3).failure == "over 0.3 s"


def test_what_a_child_told_stands_when_its_time_is_over():
    def work(tell):
        tell({"best": 1})
        tell({"best": 2})
        time.sleep(60)

    outcome = in_child(work, 2)
    assert outcome.found == {"best": 2}
    assert outcome.failure == "over 2 s"


def test_a_program_that_fails_has_no_time():
    assert [line.who for line in measure_cold("t", {"good": "pass", "bad": "1 / 0"}, 1).lines] == ["good"]


def test_what_cannot_be_run_is_one_line(tmp_path):
    (tmp_path / "good.csv").touch()
    refused = {
        ("--task", "mist"): "no task named 'mist'. Tasks are: reuters-acq,",
        ("--out", str(tmp_path / "none")): f"{tmp_path / 'none'}: there is no such folder",
        ("--out", str(tmp_path / "good.csv")): f"{tmp_path / 'good.csv'}: this is a file, not a folder",
    }
    for arguments, line in refused.items():
        done = run(*arguments)
        assert done.returncode == 1
        assert done.stderr.startswith(f"benchmarks.peers: {line}")
        assert done.stderr.count("\n") == 1


def test_a_run_is_written_under_its_date(tmp_path):
    results = results_with(line("rosenblatt", 0.9, 1.0, ours=True), line("x", 0.9, float("nan")))
    results.absent = ["mlpack"]
    assert [path.name for path in write(results, tmp_path)] == ["2026-01-02.json", "2026-01-02.md", "2026-01-02.svg"]
    found = json.loads((tmp_path / "2026-01-02.json").read_text(encoding="utf8"))
    assert found["tasks"][0]["results"][1]["fit"] is None
    assert "mlpack: not installed" in (tmp_path / "2026-01-02.md").read_text(encoding="utf8")
