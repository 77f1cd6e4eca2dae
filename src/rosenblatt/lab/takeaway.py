"""The call `takeaway`: the run as a trace, as a page that plays it, and as text that makes the same run again."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

from rosenblatt.lab.bench import Bench, read_bench
from rosenblatt.lab.course import Course, course_of
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import one_of
from rosenblatt.learn.settings import VARIANTS
from rosenblatt.traces import Trace, trace
from rosenblatt.traces.player import to_html

FORMS = ("json", "player", "python", "command")


def takeaway(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """A text, the name of a file for it, and its type."""
    form = one_of("form", body.get("form"), FORMS)
    variant = one_of("weights", body.get("weights", "final"), VARIANTS)
    course = course_of(session, read_bench(body))
    if form == "json":
        return {"text": trace_of(course).to_json(), "name": "run.json", "type": "application/json"}
    if form == "player":
        return {"text": to_html(trace_of(course), course.bench.classes), "name": "run.html", "type": "text/html"}
    if form == "python":
        return {"text": as_python(course, variant), "name": "run.py", "type": "text/x-python"}
    return {"text": as_command(course), "name": "run.sh", "type": "text/x-shellscript"}


def trace_of(course: Course) -> Trace:
    """The same run as a trace: it is the same engine, so it is the same to the bit."""
    bench = course.bench
    steps = trace(
        bench.points,
        bench.codes,
        start=bench.start,
        passes=course.run.passes,
        ties=bench.ties,
        bias=bench.bias,
        names=bench.features,
        margin=bench.margin,
        rate=bench.alpha,
        seed=bench.seed,
    )
    return replace(steps, classes=bench.names)


def as_python(course: Course, variant: str) -> str:
    """A program that learns the same weights. Names are written as Python writes strings, so they can do no harm."""
    bench = course.bench
    choices = {
        "weights": variant,
        "margin": _short(bench.margin),
        "ties": bench.ties,
        "eta0": _short(bench.alpha),
        "fit_intercept": bench.bias,
        "max_iter": course.run.passes,
        "tol": None,
        "shuffle": bench.seed is not None,
        "random_state": bench.seed or 0,
        "record": True,
    }
    settings = ", ".join(f"{name}={value!r}" for name, value in choices.items())
    points = ", ".join(map(str, _rows(bench)))
    return (
        "from rosenblatt import Perceptron\n\n"
        f"classes = {list(bench.names)!a}\n"
        f"X = [{points}]\n"
        f"y = {bench.codes.tolist()}  # places in classes\n"
        f"model = Perceptron({settings})\n"
        f"model.fit(X, y{_initial(bench)})\n"
        "print(model.stopped_, model.n_iter_, model.n_mistakes_, model.intercept_, model.coef_)\n"
    )


def _initial(bench: Bench) -> str:
    """The start weights as `fit` takes them."""
    if bench.start is None:
        return ""
    coef = bench.start[..., 1:] if bench.bias else bench.start
    first = f", coef_init={coef.tolist()}"
    return f"{first}, intercept_init={bench.start[..., 0].tolist()}" if bench.bias else first


def as_command(course: Course) -> str:
    """Commands for a shell: the points as a file, and the trace of the run. Nothing in it was typed by anybody."""
    bench = course.bench
    width = bench.points.shape[1]
    head = ",".join([*(f"x{j + 1}" for j in range(width)), "label"])
    rows = _rows(bench)
    lines = [",".join(map(str, [*row, code])) for row, code in zip(rows, bench.codes.tolist(), strict=True)]
    words = ["rosenblatt", "trace", "points.csv", "--label", "label", "--passes", str(course.run.passes)]
    words += ["--ties", bench.ties]
    words += [] if bench.bias else ["--no-bias"]
    words += [] if bench.margin == 0 else ["--margin", repr(_short(bench.margin))]
    words += [] if bench.alpha == 1 else ["--rate", repr(_short(bench.alpha))]
    words += [] if bench.seed is None else ["--shuffle", str(bench.seed)]
    words += [] if bench.start is None else [f"--start={_start(bench)}"]
    return "\n".join(["cat > points.csv <<'END'", head, *lines, "END", shlex.join(words)]) + "\n"


def _start(bench: Bench) -> str:
    start = [] if bench.start is None else bench.start.reshape(-1, bench.start.shape[-1]).tolist()
    return ";".join(",".join(repr(_short(w)) for w in line) for line in start)


def _rows(bench: Bench) -> list[list[float]]:
    return [[_short(value) for value in row] for row in bench.points.tolist()]


def _short(value: float) -> float:
    """Whole numbers as people write them; others keep every digit."""
    return int(value) if value == int(value) and abs(value) < 2**53 else value
