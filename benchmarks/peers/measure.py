"""One task, everybody in turn: search, one fit in a process of its own, then repeats of all, one after the other."""

from __future__ import annotations

import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.calls import Calls
from benchmarks.peers.child import Outcome, Tell, in_child, peak_memory, silence
from benchmarks.peers.cold import measure_cold
from benchmarks.peers.contestant import Contestant, Search, said
from benchmarks.peers.results import Result, Sheet, TaskResult
from benchmarks.peers.sets import Loaded
from benchmarks.peers.task import Task, head

BURST = 5  # fits in a row, at most
COLD_STARTS = 5
WARM_ROWS = 300  # of the fit that loads and compiles what there is to load and compile


@dataclass(frozen=True)
class Effort:
    """How much time a run may take."""

    repeats: int = 5
    long: float = 60.0  # seconds of a fit that is timed once, and the table says so
    limit: float = 600.0  # seconds after which a fit, with its predictions, is ended
    search: float = 90.0  # seconds after which a search is, with the best that it has
    splits: int = 10  # at most
    patience: float = 3.0  # seconds of repeats for one contestant; a slower fit is timed once
    short: float = 0.2  # seconds after which no more fits follow in a row
    batches: float = 0.2  # seconds of predicting all rows
    rows: float = 0.05  # seconds of predicting one row


QUICK = Effort(repeats=3, limit=2.5, search=2.0, splits=1, patience=0.3, short=0.05, batches=0.02, rows=0.005)


@dataclass
class Entrant:
    """A contestant on its way through a task."""

    contestant: Contestant
    result: Result
    search: Search
    given: Any = None


def measure(
    loaded: Loaded, everybody: Sequence[type[Contestant]], effort: Effort, say: Callable[[str], None]
) -> tuple[TaskResult, Sheet | None]:
    """The task's results, in the order of everybody; for texts also the times of cold starts."""
    task = loaded.task
    found = TaskResult(task.name, task.kind, task.about, task.size, len(task.both), len(task.test), loaded.note)
    with tempfile.TemporaryDirectory(prefix="rosenblatt-bench-") as place:
        entrants = []
        for number, kind in enumerate(everybody):
            folder = Path(place) / str(number)
            folder.mkdir()
            contestant = kind(folder)
            say(f"{task.name}: {contestant.name}")
            reason = contestant.declines(task)
            if reason:
                found.left_out.append((contestant.name, reason))
                continue
            entrant = _entered(contestant, task, effort)
            found.results.append(entrant.result)
            if entrant.result.accuracy is not None:
                entrants.append(entrant)
        say(f"{task.name}: repeats")
        with silence():
            _repeat(entrants, effort)
            started = _predictions(entrants, task, effort)
        _more_splits(found, entrants, loaded, effort, say)
        if not started:
            return found, None
        say(f"{task.name}: cold starts")
        started["python -c pass"] = "pass"
        return found, measure_cold(task.name, started, min(effort.repeats, COLD_STARTS))


def _more_splits(
    found: TaskResult, entrants: list[Entrant], loaded: Loaded, effort: Effort, say: Callable[[str], None]
) -> None:
    """Accuracies over other splits of the same rows, each with a search of its own; the mean takes their place."""
    tasks = list(islice(loaded.others(), effort.splits - 1))
    if not tasks:
        return
    for entrant in entrants:
        contestant, result = entrant.contestant, entrant.result
        say(f"{found.name}: {contestant.name}, {len(tasks)} more splits")
        more = in_child(partial(_over, contestant, tasks), effort.limit)
        if more.found is None:
            result.note = _joined(result.note, f"one split only: {more.failure}")
            continue
        assert result.accuracy is not None
        result.splits = [result.accuracy, *more.found["right"]]
        result.accuracy = statistics.fmean(result.splits)
    said = f"accuracies are means over {len(tasks) + 1} splits, because {found.test_rows} test rows are few"
    found.note = _joined(found.note, said)


def _over(contestant: Contestant, tasks: Sequence[Task], tell: Tell) -> dict[str, Any]:
    """Runs in a child: the accuracy in each task, with nothing kept from one to the other."""
    right = []
    for task in tasks:
        contestant.kept.clear()
        right.append(contestant.accuracy_of(task))
    return {"right": right}


def _entered(contestant: Contestant, task: Task, effort: Effort) -> Entrant:
    """The contestant's choice, and one fit with it: accuracy on the test rows, memory, size."""
    result = Result(contestant.name, contestant.ours, contestant.family)
    entrant = Entrant(contestant, result, Search({}, 0.0, 0))
    try:
        with silence():
            result.note = contestant.remark(task)
            _warm(contestant, task)
            outcome = _searched(contestant, task, effort)
    except Exception as error:  # a peer may fail in any way; the others go on
        outcome = Outcome(None, f"{type(error).__name__}: {error}"[:160])
    if outcome.found is None:
        result.note = _joined(result.note, f"search: {outcome.failure}")
        return entrant
    entrant.search = search = Search(**outcome.found)
    if outcome.failure:
        of = len(contestant.options(task))
        result.note = _joined(result.note, f"search ended {outcome.failure}, after {search.tried} of {of} options")
    result.search, result.tried, result.family = search.seconds, search.tried, search.family or result.family
    if (seen := len(contestant.searched(task)[0])) < len(task.train) and search.tried > 1:
        result.note = _joined(result.note, f"options tried on {seen:,} of {len(task.train):,} training rows")
    result.settings = search.about or said(search.settings)
    with silence():
        entrant.given = contestant.prepare(task, task.both, search.settings)
        test = contestant.prepare(task, task.test, search.settings)
    outcome = in_child(lambda tell: _fit_once(entrant, test, task), effort.limit)
    if outcome.found is None:
        result.note = _joined(result.note, outcome.failure)
        return entrant
    result.accuracy, result.peak, result.size = (outcome.found[name] for name in ("accuracy", "peak", "size"))
    result.fits, result.predict = [outcome.found["seconds"]], outcome.found["predict"]
    return entrant


def _warm(contestant: Contestant, task: Task) -> None:
    """Loads and compiles, with few rows; the others with their first settings, ours with what its search chose."""
    few = head(task.train, WARM_ROWS)
    if contestant.ours:
        small = Task(task.name, task.kind, task.about, task.classes, few, few, few, few, task.curves)
        settings = contestant.search(small).settings
    else:
        settings = contestant.options(task)[0]
    given = contestant.prepare(task, few, settings)
    contestant.predict(contestant.fit(given, settings), given)


def _searched(contestant: Contestant, task: Task, effort: Effort) -> Outcome:
    """The search; that of a peer in a process of its own, so that it can be ended."""
    if contestant.ours:
        return Outcome(vars(contestant.search(task)))
    options = contestant.options(task)
    for settings in options:
        for part in contestant.searched(task) if len(options) > 1 else ():
            contestant.prepare(task, part, settings)
    return in_child(lambda tell: vars(contestant.search(task, lambda so_far: tell(vars(so_far)))), effort.search)


def _fit_once(entrant: Entrant, test: Any, task: Task) -> dict[str, Any]:
    """Runs in a child: what one fit gives and takes."""
    contestant, before = entrant.contestant, peak_memory()
    started = time.perf_counter()
    model = contestant.fit(entrant.given, entrant.search.settings)
    seconds, peak = time.perf_counter() - started, peak_memory() - before
    started = time.perf_counter()
    predicted = contestant.predict(model, test)
    predicting = time.perf_counter() - started
    accuracy = float(np.mean(predicted == task.test.codes))
    found = {"accuracy": accuracy, "seconds": seconds, "peak": peak, "predict": predicting}
    return {**found, "size": contestant.size(model)}


def _repeat(entrants: list[Entrant], effort: Effort) -> None:
    """The fits of all, one after the other, as often as asked for or as patience allows."""
    for entrant in entrants:
        entrant.result.fits = [] if _repeatable(entrant, effort) else entrant.result.fits
    for _ in range(effort.repeats):
        for entrant in entrants:
            if _repeatable(entrant, effort):
                entrant.result.fits.append(_burst(entrant, effort.short))
    for entrant in entrants:
        result, search = entrant.result, entrant.search
        result.fit = statistics.median(result.fits)
        result.whole = search.seconds if search.with_fit else search.seconds + result.fit
        if len(result.fits) == 1 and result.fit > effort.long:
            result.note = _joined(result.note, f"a fit takes over {effort.long:g} s, so it was timed once")


def _burst(entrant: Entrant, short: float) -> float:
    """The time of one fit; of a short one the median of some in a row, since the first finds cold caches."""
    gc.collect()
    times: list[float] = []
    while not times or (len(times) < BURST and sum(times) < short):
        started = time.perf_counter()
        entrant.contestant.fit(entrant.given, entrant.search.settings)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def _repeatable(entrant: Entrant, effort: Effort) -> bool:
    fits = entrant.result.fits
    return not fits or (sum(fits) + fits[-1] <= effort.patience)


def _predictions(entrants: list[Entrant], task: Task, effort: Effort) -> dict[str, str]:
    """Times predicting all test rows at once, and one by itself, all in turns; returns programs of cold starts."""
    quick = [entrant for entrant in entrants if (entrant.result.fit or 0.0) <= 2 * effort.patience]
    callers = [_caller(entrant, task, effort) for entrant in quick]
    for _ in range(effort.repeats):
        for each in callers:
            each.batches.take(effort.batches / effort.repeats, effort.patience)
            each.rows.take(effort.rows / effort.repeats, effort.patience / 10)
    programs = {}
    for each in callers:
        contestant, result = each.entrant.contestant, each.entrant.result
        result.predict, result.one_row = each.batches.median() or result.predict, each.rows.median()
        program = contestant.cold_start(each.model, task.test.rows[0]) if task.kind == "text" else None
        if program:
            programs[contestant.name] = program
    return programs


def _caller(entrant: Entrant, task: Task, effort: Effort) -> Caller:
    """The entrant with its model; a batch that took long while memory was measured is not timed again."""
    contestant, settings = entrant.contestant, entrant.search.settings
    model = contestant.fit(entrant.given, settings)
    test = contestant.prepare(task, task.test, settings)
    one = contestant.one_row(model, task, settings)
    long = (entrant.result.predict or 0.0) > effort.patience
    batch = Calls(None if long else lambda: contestant.predict(model, test))
    return Caller(entrant, model, batch, Calls(one))


@dataclass
class Caller:
    """An entrant with a fitted model, ready to predict."""

    entrant: Entrant
    model: Any
    batches: Calls
    rows: Calls


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
