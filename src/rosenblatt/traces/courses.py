"""The three courses behind the notes: what each leaves to choose, and how it writes a run."""

from __future__ import annotations

from typing import NamedTuple

from rosenblatt.errors import SettingError


class Course(NamedTuple):
    """How a course runs the perceptron. A score of 0, a rate and an order are no choice where it fixes them."""

    ties: str = "mistake"
    order: str = "given"
    passes: int = 1
    bias_last: bool = False
    rated: bool = True  # whether it has a learning rate
    two_classes: bool = True  # whether it speaks of two classes only
    head: tuple[str, ...] = ()


OURS = Course(two_classes=False)
COURSES = {
    # A tie is +; the table of the worked pass, the training set beside it.
    "berkeley": Course(
        "positive", rated=False, two_classes=False, head=("step", "Weights", "Score", "Correct?", "Update")
    ),
    # if y θᵀx ≤ 0 then θ ← θ + α y x, for i = 1 … n; how often to repeat is a hyperparameter.
    "ucla": Course(head=("i", "θ", "y⁽ⁱ⁾ θᵀx⁽ⁱ⁾", "≤ 0?", "θ ← θ + α y⁽ⁱ⁾ x⁽ⁱ⁾")),
    # While there is an i with y(w·x) ≤ 0; t counts updates, and x' = (x, 1).
    "cornell": Course(
        order="first-wrong",
        passes=1000,
        bias_last=True,
        rated=False,
        head=("t", "w⁽ᵗ⁾", "i", "yᵢ(w⁽ᵗ⁾·xᵢ) ≤ 0", "w⁽ᵗ⁺¹⁾ = w⁽ᵗ⁾ + yᵢxᵢ"),
    ),
}


def course_of(name: str | None, n_classes: int, ties: str | None, margin: float, rate: float) -> Course:
    """The course; ours where none is named. SettingError where something was chosen that it has not."""
    if name is None:
        return OURS
    if name not in COURSES:
        raise SettingError(f"course must be one of {', '.join(map(repr, COURSES))}; got {name!r}.")
    found = COURSES[name]
    if ties not in (None, found.ties):
        raise SettingError(f"course={name!r} has ties={found.ties!r}; got ties={ties!r}. Leave one of them out.")
    if margin or (rate != 1 and not found.rated):
        what = f"margin={margin:g}" if margin else f"rate={rate:g}"
        raise SettingError(f"course={name!r} has no {what.partition('=')[0]}; got {what}. Leave one of them out.")
    if n_classes > 2 and found.two_classes:
        raise SettingError(f"course={name!r} speaks of two classes; got {n_classes}. Berkeley has more.")
    return found
