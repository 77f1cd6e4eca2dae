"""The perceptron by hand: the step table of a run, in the notation of Berkeley, UCLA or Cornell.

The table is that of `rosenblatt trace --as`. What follows from a student's own weights is said by the reference, in
fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count

from rosenblatt.course.by_hand import change_of, read_answer, read_number, vector_of
from rosenblatt.course.draws import Draws
from rosenblatt.course.task import ASKED, NOT_ASKED, Blank, Cells, State, Task
from rosenblatt.reference.perceptron import binary_pass, dot, is_mistake, plus, worst_row, wrong_rows
from rosenblatt.traces import Trace, trace
from rosenblatt.traces.courses import COURSES
from rosenblatt.traces.numerals import numeral, vector
from rosenblatt.traces.table import lines_of

ROWS, PASSES = 4, 2
FEWEST, MOST = 3, 8  # updates of a run that teaches something and does not bore
SPARE = 4  # lines of a table whose length depends on what the student chooses
MOST_LINES = 60  # of a run that a student chose

Weights = tuple[Fraction, ...]


@dataclass(frozen=True)
class Run:
    """What is given: rows with their constant where the course has it, labels -1 and +1, start and rate."""

    course: str
    rows: tuple[Weights, ...]
    labels: tuple[int, ...]
    start: Weights
    rate: Fraction

    @property
    def ties(self) -> str:
        return COURSES[self.course].ties

    def traced(self) -> Trace:
        """The run as `rosenblatt trace` makes it."""
        features = [row[:-1] if COURSES[self.course].bias_last else row[1:] for row in self.rows]
        X = [[float(value) for value in row] for row in features]
        start, passes = [*map(float, self.start)], None if self.course == "cornell" else PASSES
        return trace(X, self.labels, start=start, course=self.course, passes=passes, rate=float(self.rate))


def make(draws: Draws, course: str) -> Task:
    """A run of a few updates, drawn until there is something to learn from it."""
    run = next(found for found in (_draw(draws, course) for _ in count()) if found is not None)
    return _by_update(run) if course == "cornell" else _by_visit(run)


def _draw(draws: Draws, course: str) -> Run | None:
    """One run; None if its rows are the same, of one class, or learned too soon or too late."""
    style = COURSES[course]
    points = [(draws.whole(-3, 3), draws.whole(-3, 3)) for _ in range(ROWS)]
    line = draws.whole(-2, 2), draws.whole(-3, 3), draws.whole(-3, 3)
    rate = draws.one_of((Fraction(1), Fraction(1, 2), Fraction(2))) if style.rated else Fraction(1)
    start = tuple(Fraction(draws.whole(-1, 1) if course == "berkeley" else 0) for _ in range(3))
    sides = [dot(line, (1, *point)) for point in points]
    if len(set(points)) < ROWS or 0 in sides:
        return None
    labels = tuple(1 if side > 0 else -1 for side in sides)
    rows = tuple(tuple(map(Fraction, (*p, 1) if style.bias_last else (1, *p))) for p in points)
    run = Run(course, rows, labels, start, rate)
    if len(set(labels)) < 2 or not all(FEWEST <= n <= MOST for n in _updates(run)):
        return None
    return run


def _updates(run: Run) -> list[int]:
    """How many updates the run makes; where the student chooses the row, by two ways of choosing it."""
    if run.course != "cornell":
        steps = list(binary_pass(run.rows * PASSES, run.labels * PASSES, run.start, run.ties, rate=run.rate))
        made = sum(mistake for mistake, _ in steps)
        return [made if made < len(steps) - 1 else 0]  # some rows are to be right
    found = []
    for worst in (False, True):
        w, made = list(run.start), 0
        while (wrong := wrong_rows(run.rows, run.labels, w)) and made <= MOST:
            i = worst_row(run.rows, run.labels, w, wrong) if worst else wrong[0]
            w, made = plus(w, run.labels[i], run.rows[i]), made + 1
        found.append(made)
    return found


def _given(run: Run) -> tuple[Cells, ...]:
    """The training set, numbered from 1."""
    features = [row[:-1] if COURSES[run.course].bias_last else row[1:] for row in run.rows]
    rows = zip(features, run.labels, strict=True)
    return ("i", "x1", "x2", "y"), *(
        (str(i), *map(numeral, map(float, f)), f"{y:+d}") for i, (f, y) in enumerate(rows, 1)
    )


# One line for each row that is visited: Berkeley and UCLA.

WEIGHTS, SCORE, VERDICT, UPDATE = 1, 2, 3, 4


def _by_visit(run: Run) -> Task:
    style, shift = COURSES[run.course], int(run.course == "ucla")  # whose first column is i, and i comes again
    head = (*(["step"] if shift else []), *style.head)
    n = ROWS * PASSES
    firsts = [(str(s + 1), str(s % ROWS + 1)) if shift else (str(s + 1),) for s in range(n)]
    begin = vector([float(w) for w in run.start])
    lines = [(*first, begin if s == 0 else ASKED, ASKED, ASKED, ASKED) for s, first in enumerate(firsts)]
    last = (str(n + 1), *([NOT_ASKED] if shift else []), ASKED, *[NOT_ASKED] * 3)
    solved = [line if not shift else (str(s), *line) for s, line in enumerate(lines_of(run.traced()), 1)]
    where = "θ" if shift else "w"
    text = (
        f"Run the perceptron over the rows in their order, {PASSES} passes. Begin with {where} = {begin}; every row "
        f"has a constant 1 in front of its features.",
        f"A score of exactly 0 counts as {'+1' if run.ties == 'positive' else 'a mistake'}."
        + (f" The learning rate is α = {numeral(float(run.rate))}." if style.rated else ""),
        f"Step {n + 1} asks only for the weights at the end.",
    )
    return Task(
        f"The perceptron by hand ({run.course})",
        text,
        _given(run),
        head,
        (*lines, last),
        partial(_visits, run, head, shift),
        tuple(solved),
    )


def _visits(run: Run, head: Cells, shift: int, state: State, lines: int) -> Iterator[Blank]:
    columns = [WEIGHTS + shift, SCORE + shift, VERDICT + shift, UPDATE + shift]
    readers = vector_of(3), read_number, read_answer, change_of(3)
    steps = [_visited_weights, _visited_score, _visited_verdict, _visited_update]
    for s in range(ROWS * PASSES + 1):
        for k, (column, read, follows) in enumerate(zip(columns, readers, steps, strict=True)):
            if (s == 0 and k == 0) or (s == ROWS * PASSES and k > 0):
                continue
            where = f"step {s + 1}, {head[column]}"
            yield Blank((s, column), where, read, partial(follows, run, s, shift), may_be_empty=k == 3)


def _visited_weights(run: Run, s: int, shift: int, state: State) -> Weights:
    if s == 0:
        return run.start
    before = state.get((s - 1, WEIGHTS + shift), run.start)
    return tuple(plus(before, 1, state[s - 1, UPDATE + shift]))


def _visited_score(run: Run, s: int, shift: int, state: State) -> Fraction:
    score = dot(state.get((s, WEIGHTS + shift), run.start), run.rows[s % ROWS])
    return score * run.labels[s % ROWS] if shift else score


def _visited_verdict(run: Run, s: int, shift: int, state: State) -> bool:
    """Berkeley asks whether the row is right, UCLA whether it is wrong."""
    y, score = run.labels[s % ROWS], state[s, SCORE + shift]
    wrong = is_mistake(score if shift else y * score, y > 0, run.ties)
    return wrong if shift else not wrong


def _visited_update(run: Run, s: int, shift: int, state: State) -> Weights:
    wrong = state[s, VERDICT + shift] if shift else not state[s, VERDICT]
    amount = run.rate * run.labels[s % ROWS] if wrong else 0
    return tuple(amount * value for value in run.rows[s % ROWS])


# One line for each update, on any row that is wrong: Cornell.

CHOSEN, PRODUCT, NEW = 2, 3, 4


def _by_update(run: Run) -> Task:
    head, n = COURSES["cornell"].head, max(_updates(run)) + SPARE
    begin = vector([float(w) for w in run.start])
    solved = lines_of(run.traced())
    text = (
        f"While there is a row with y(w·x) ≤ 0, choose any such row and update on it. Begin with w = {begin}; the "
        "constant 1 stands behind the features of each row.",
        "Write one line for each update, then the weights at the end into a line of their own; leave the other lines "
        "empty. You may add lines.",
    )
    first = int(solved[0][0])
    lines = [(str(t + first), begin if t == 0 else ASKED, *[ASKED] * 3) for t in range(n)]
    return Task(
        "The perceptron by hand (cornell)", text, _given(run), head, tuple(lines), partial(_chosen, run, first),
        tuple(solved), free=True,
    )  # fmt: skip


def _chosen(run: Run, first: int, state: State, lines: int) -> Iterator[Blank]:
    """The cells of a run that the student chooses: as many lines as it needs, and all that the student wrote."""
    head = COURSES["cornell"].head
    for t in range(MOST_LINES):
        w = run.start if t == 0 else state[t - 1, NEW]
        if t > 0:
            yield Blank((t, WEIGHTS), f"t = {t + first}, {head[WEIGHTS]}", vector_of(3), partial(_previous, run, t))
            w = state[t, WEIGHTS]
        if not wrong_rows(run.rows, run.labels, w) and t >= lines - 1:
            return
        cells = ((CHOSEN, read_number, _wrong_now), (PRODUCT, read_number, _product), (NEW, vector_of(3), _new))
        for column, read, follows in cells:
            yield Blank((t, column), f"t = {t + first}, {head[column]}", read, partial(follows, run, t))


def _before(run: Run, t: int, state: State) -> Weights:
    return state.get((t, WEIGHTS), run.start)


def _previous(run: Run, t: int, state: State) -> Weights:
    return state[t - 1, NEW]


def _wrong_now(run: Run, t: int, state: State) -> frozenset[Fraction]:
    return frozenset(Fraction(i + 1) for i in wrong_rows(run.rows, run.labels, _before(run, t, state)))


def _row(run: Run, t: int, state: State) -> tuple[Weights, int]:
    """The row that was chosen, with its label; of one that there is not, nothing can follow."""
    i = state[t, CHOSEN]
    if i in range(1, ROWS + 1):
        return run.rows[int(i) - 1], run.labels[int(i) - 1]
    return (Fraction(0),) * 3, 1


def _product(run: Run, t: int, state: State) -> Fraction:
    row, y = _row(run, t, state)
    return Fraction(y * dot(_before(run, t, state), row))


def _new(run: Run, t: int, state: State) -> Weights:
    row, y = _row(run, t, state)
    return tuple(plus(_before(run, t, state), y, row))
