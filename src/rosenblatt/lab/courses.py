"""The call `course_table`: the run of the bench as one of the three courses makes it and writes it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.lab.bench import read_bench
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import one_of
from rosenblatt.traces.courses import COURSES
from rosenblatt.traces.steps import MOST_SCORES, trace
from rosenblatt.traces.table import has_set, head_of, last_line, line_of, shown_steps, training_set

MOST_LINES = 200
MOST_STEPS = 20_000


def course_table(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The table of the first steps, the training set where the course shows it, and why the run stopped.

    Points, bias, start and the most passes are those of the bench; ties and order are the course's, and UCLA has α.
    """
    bench = read_bench(body)
    name = one_of("course", body.get("course"), tuple(COURSES))
    n, start = len(bench.points), bench.start
    if start is not None and bench.bias and COURSES[name].bias_last:
        start = np.roll(start, -1, -1)
    most = MOST_SCORES // 10 // n**2 if name == "cornell" else MOST_STEPS // n
    rate = bench.alpha if COURSES[name].rated else 1.0
    passes = min(bench.passes, max(1, most))
    run = trace(bench.points, bench.codes, start=start, passes=passes, bias=bench.bias, rate=rate, course=name)
    run = replace(run, classes=bench.names, names=bench.features)
    steps = shown_steps(run)
    lines = [list(line_of(run, step)) for step in steps[:MOST_LINES]]
    end = [] if len(steps) > MOST_LINES else [list(line) for line in last_line(run)]
    return {
        "head": list(head_of(run)),
        "lines": lines + end,
        "left_out": max(0, len(steps) - MOST_LINES),
        "set": [list(line) for line in training_set(run)] if has_set(run) else [],
        "why": run.why(),
    }
