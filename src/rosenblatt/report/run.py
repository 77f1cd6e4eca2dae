"""The run of a recorded model, to be played: the player of `traces`, and its updates as a table beside it.

A report of a model without a record has no script at all; this section brings the one script that its policy allows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rosenblatt.errors import DataError, SettingError
from rosenblatt.harmless import visible
from rosenblatt.loops.rows import n_features
from rosenblatt.model.audit import training_kept
from rosenblatt.report.figures import count
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.traces.player import compact, ends, script, style
from rosenblatt.traces.table import head_of, last_line, left_out, line_of
from rosenblatt.traces.updates import UpdateTrace, trace_updates
from rosenblatt.web import embed, hash_of

if TYPE_CHECKING:
    from rosenblatt.model import Model

# A report is sent around and printed: the page stays below about two megabytes.
MOST_UPDATES = 5_000
MOST_NUMBERS = 100_000  # features of the rows updated on, or weights
MOST_LINES = 60
TITLE = "The run, update by update"
# The page has its own colours, which come after and win; on paper the table stands for the player.
PRINT = "@media print{.rosenblatt-player{display:none}}.replay .rp-card{border-radius:10px}"


def show_run(model: Model) -> Markup | None:
    """The section: the player where the run is small enough, otherwise why not; None where nothing was recorded."""
    try:
        record, training = training_kept(model)
    except DataError:
        return None
    width = n_features(record.rows) + 1
    updates, numbers = len(training.recording.steps), max(len(record.labels), len(model.classes.names)) * width
    if updates > MOST_UPDATES or numbers > MOST_NUMBERS:
        return card(TITLE, _too_large(updates, numbers), wide=True)
    try:
        run = trace_updates(model)
    except (DataError, SettingError) as reason:  # few rows of many classes, updated on often; a rule without a trace
        return card(TITLE, tag("p", f"This run is left out: {reason}"), wide=True)
    return tag(
        "section",
        tag("h2", TITLE),
        tag("p", sentence(run)),
        tag("div", "", id="player"),
        numbers_of("The updates", _table(run)),
        tag("script", Markup(embed(_shown(compact(run)))), type="application/json", id="data"),
        tag("script", Markup(script()), type="module"),
        class_="card whole replay",
    )


def plays(section: Markup | None) -> bool:
    """Whether the section has the player in it."""
    return section is not None and 'id="player"' in section


def run_style() -> str:
    """The style sheet of the player, fitted to a page that is also printed, in light colours."""
    return (
        style().replace("@media (prefers-color-scheme: dark)", "@media screen and (prefers-color-scheme: dark)") + PRINT
    )


def run_hash() -> str:
    """What the policy of the page must allow: this one script."""
    return hash_of(script())


def sentence(run: UpdateTrace) -> str:
    """What is shown, and what is left out."""
    right, rows = run.n_steps - run.n_updates, run.size - len(run.X)
    left = [f"the {count(right)} steps at which a row was right and nothing changed"] * bool(right)
    left += [f"the {count(rows)} rows that no update was made on"] * bool(rows)
    told = f" Left out: {', and '.join(left)}." if left else ""
    return f"{run.summary()}.{told} Features are those of the plan, as the model sees them."


def _too_large(updates: int, numbers: int) -> Markup:
    return tag(
        "p",
        f"The record holds {count(updates)} updates, and {count(numbers)} numbers in its rows or weights. A report "
        f"plays at most {count(MOST_UPDATES)} updates and {count(MOST_NUMBERS)} numbers, so this run is left out. To "
        "see the end of it: ",
        tag("code", "rosenblatt trace MODEL --last 200 --to html --out run.html"),
    )


def _table(run: UpdateTrace) -> Markup:
    """The first and the last updates, and a line that says what is left out between them."""
    lines: list[Any] = [line_of(run, step) for step in ends(run, MOST_LINES)]
    left = len(run) - len(lines)
    if left:
        lines.insert(MOST_LINES // 2, ("…", f"{count(left)} updates", *[""] * (len(head_of(run)) - 2)))
    what, short = "The first and the last updates" if left else "Every update", left_out(run)
    caption = f"{what} of the run{': ' + short if short else ''}"
    return table(head_of(run), [*lines, *last_line(run)], caption)


def _shown(data: dict[str, Any]) -> dict[str, Any]:
    """The data of the player with names that show nothing but themselves: no control characters, no turned text."""
    names = {key: [visible(str(name)) for name in data[key]] for key in ("classes", "features", "origins")}
    return data | names
