"""The measured table of the README, from the newest run in benchmarks/results: `python -m benchmarks.readme_table`.

The goals that the run missed come first. Then one line for each task: this project, the most accurate peer, and the
fastest peer that is at most 0.3 points less accurate than us. Bold is who is ahead at what its column is about.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.peers.figures import NEAR, ratio, seconds, share

HERE = Path(__file__).parent
README, RESULTS = HERE.parent / "README.md", HERE / "results"
BLOCK = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)


def newest(folder: Path = RESULTS) -> Path | None:
    """The last run over all rows, by its date, after which files are named; None where there is none."""
    full = [path for path in folder.glob("*.json") if not read(path).get("header", {"most_rows": 1})["most_rows"]]
    return max(full, default=None, key=lambda path: path.name)


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf8"))


def block(found: dict[str, Any], source: str) -> str:
    """Everything between the two marks."""
    head = found["header"]
    memory = f", {head['memory'] / 2**30:.0f} GB" if head["memory"] else ""
    where = f"{head['processor']}, {head['cores']} cores{memory}, commit {head['commit']}"
    page = f"benchmarks/results/{Path(source).stem}.md"
    missed = [goal for goal in found["goals"] if not goal["met"]]
    lines = [
        f"`make bench` on {head['date'][:10]}, {where}; one core for everybody, medians of {head['repeats']}.",
        f"{len(found['goals']) - len(missed)} of {len(found['goals'])} goals were met in this run.",
        misses(missed, page),
        "",
        "× is the time of their fit over ours: above 1 we are faster. Bold is a peer that is ahead of us: in the first",
        "column of peers by more than 0.3 points, in the second by the time of its fit.",
        "",
        "| task | rosenblatt | most accurate peer | fastest peer that is at most 0.3 points behind |",
        "|---|---|---|---|",
        *(row(task) for task in found["tasks"]),
        "",
    ]
    lines += [
        f"Every contestant, predictions, memory, model sizes and what else was measured: [the whole run]({page}).",
        "What is measured and how fairness is kept: [docs/benchmark.md](docs/benchmark.md). `make bench-quick`",
        "takes under three minutes.",
    ]
    return "\n".join(lines) + "\n"


def misses(goals: list[dict[str, Any]], page: str) -> str:
    """All that missed its goal, in one sentence; those that wanted the same stand together."""
    found: dict[str, list[str]] = {}
    for goal in goals:
        found.setdefault(goal["wanted"], []).append(f"{goal['what']} ({goal['got']})")
    listed = "; ".join(", ".join(what) for what in found.values())
    wanted = f"[What was wanted]({page}), and [why it was missed](docs/benchmark.md#what-was-missed-and-why)"
    return f"**Missed:** {listed}. {wanted}." if listed else "None was missed."


def row(task: dict[str, Any]) -> str:
    """One task; a peer is bold in the first column where it is more accurate, in the second where it is faster."""
    done = [each for each in task["results"] if each["accuracy"] is not None]
    ours = next((each for each in done if each["ours"]), None)
    peers = [each for each in done if not each["ours"]]
    if ours is None or not peers:
        return f"| {task['name']} | {'–' if ours is None else cell(ours)} | – | – |"
    best = max(peers, key=lambda each: each["accuracy"])
    near = [each for each in peers if each["accuracy"] >= ours["accuracy"] - NEAR and each["fit"]]
    fastest = min(near, key=lambda each: each["fit"], default=None)
    ahead = best["accuracy"] > ours["accuracy"] + NEAR
    slower = fastest is not None and ours["fit"] is not None and fastest["fit"] < ours["fit"]
    shown = [
        cell(ours),
        marked(cell(best, ours), ahead),
        "none" if fastest is None else marked(cell(fastest, ours), slower),
    ]
    return f"| {task['name']} | {' | '.join(shown)} |"


def cell(result: dict[str, Any], ours: dict[str, Any] | None = None) -> str:
    figures = f"{share(result['accuracy'])}, {seconds(result['fit'])}"
    return figures if ours is None else f"{result['contestant']}: {figures}, {ratio(result['fit'], ours['fit'])}"


def marked(text: str, ahead: bool) -> str:
    return f"**{text}**" if ahead else text


def filled(readme: str, text: str) -> str:
    """The README with the text between its two marks."""
    changed, count = BLOCK.subn(lambda marks: marks[1] + text + marks[2], readme)
    assert count == 1, "README.md needs one <!-- bench --> … <!-- /bench -->"
    return changed


if __name__ == "__main__":
    path = newest()
    if path is None:
        raise SystemExit("benchmarks/results holds no run yet. Make one with: make bench")
    text = block(read(path), path.name)
    README.write_text(filled(README.read_text(encoding="utf8"), text), encoding="utf8")
