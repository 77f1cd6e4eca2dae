"""A trace as one HTML file that plays: its data, a script and a style sheet, and the table for readers without scripts.

The script is the ES modules of `web/player`, which pages that can serve files import as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from rosenblatt.errors import SettingError
from rosenblatt.traces.step import Step
from rosenblatt.traces.steps import Trace
from rosenblatt.traces.table import head_of, last_line, left_out, line_of, run_of
from rosenblatt.web import embed, hash_of, script_of, text_of

MOST_STEPS = 200_000
MOST_NUMBERS = 3_000_000  # features of all rows, or weights of one step
MOST_LINES = 400  # of the table without scripts

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
script-src {hash}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}
body {{ margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }}
main {{ max-width: 1380px; margin: auto; padding: 14px 22px 22px; }}
h1 {{ font-size: 18px; margin: 0 0 12px; }}
main > table, noscript table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
noscript td, noscript th {{ text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div id="player"></div>
<noscript>
<p>{summary}</p>
{table}
</noscript>
</main>
<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def to_html(trace: Trace, numbers: Sequence[int] | None = None) -> str:
    """The whole page. SettingError for a trace that a browser would choke on.

    `numbers` are those of the classes on another page, so that they have the same shapes and colours here.
    """
    _check_size(trace)
    rows = f"{len(trace.X)} rows, {len(trace.names)} feature{'s' if len(trace.names) != 1 else ''}"
    return PAGE.format(
        title=f"A perceptron's run: {rows}, {len(trace.classes)} classes",
        style=style(),
        script=script(),
        hash=hash_of(script()),
        data=embed(compact(trace) | ({} if numbers is None else {"numbers": list(numbers)})),
        summary=_summary(trace),
        table=_table(trace),
    )


def to_frame_html(trace: Trace) -> str:
    """The player for a notebook: a page of its own within the page, so that neither can disturb the other."""
    try:
        page = to_html(trace)
    except SettingError as reason:
        return f"<p>{escape(str(reason))}</p>"
    return (
        f'<iframe title="A perceptron\'s run, step by step" srcdoc="{escape(page)}" sandbox="allow-scripts" '
        'width="100%" height="860" style="border: 0"></iframe>'
    )


def compact(trace: Trace) -> dict[str, Any]:
    """What `to_json` holds without what follows from it: steps as columns, weights and scores left out."""
    steps = {"pass": [s.number for s in trace], "row": [s.row for s in trace], "rival": [s.rival for s in trace]}
    if trace.recorded:
        steps["step"] = [s.step for s in trace]
    return run_of(trace) | {"steps": steps}


def _check_size(trace: Trace) -> None:
    fewer = "Ask for the last of them alone (--last)" if trace.recorded else "Ask for fewer passes"
    if len(trace) > MOST_STEPS:
        raise SettingError(
            f"the player holds at most {MOST_STEPS} steps; this trace has {len(trace)}. {fewer}, or write CSV or JSON."
        )
    numbers = max(trace.X.size, trace.start.size)
    if numbers > MOST_NUMBERS:
        fewer = fewer if trace.recorded else "Trace fewer rows"
        raise SettingError(
            f"the player holds at most {MOST_NUMBERS} numbers; the rows of this trace have {numbers}. {fewer}."
        )


def _summary(trace: Trace) -> str:
    short = left_out(trace)
    return (
        f"{trace.summary()}. Scripts are off, so this is the table without its player{': ' + short if short else ''}."
    )


def _table(trace: Trace) -> str:
    """The step table; of a long run the first and the last lines, and a line that says so."""
    trace = replace(trace, course="")  # the player writes as we do
    lines = [line_of(trace, step) for step in ends(trace, MOST_LINES)]
    lines += last_line(trace)
    names = head_of(trace)
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    body = ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines]
    left = len(trace) - MOST_LINES
    if left > 0:
        body.insert(MOST_LINES // 2, f'<tr><td colspan="{len(names)}">… {left} steps are left out here</td></tr>')
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(body) + "\n</tbody>\n</table>"


def ends(trace: Trace, most: int) -> list[Step]:
    """The steps, or the first and the last of them where there are more."""
    if len(trace) <= most:
        return trace.steps
    return trace.steps[: most // 2] + trace.steps[-(most // 2) :]


def style() -> str:
    """The style sheet."""
    return text_of("player/player.css")


def script() -> str:
    """What a page runs: it puts the data in #data into #player."""
    return script_of("player/page.js")
