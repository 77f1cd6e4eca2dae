"""What benchmarks/gpu.py printed, as a page with verdicts: python -m benchmarks.gpu_page benchmarks/results/gpu-*.jsonl

The page is written beside each file, named after its date and card. It needs no GPU.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.peers.figures import figure, seconds
from benchmarks.peers.page import goal_table, sheet_table
from benchmarks.peers.results import Goal, Sheet

MOST_SECONDS, MOST_EACH = 0.4, 30e-6  # of a fit to MNIST from host memory, and of an update of its passes
MOST_MILLION = 10.0  # seconds for 20,000 updates over a million rows
UNITS = {"fit": "seconds", "an update": "seconds", "updates": "rate", "support rows": "rate", "accuracy": "share"}


def compared(lines: list[dict[str, Any]]) -> tuple[Sheet, list[Goal]]:
    """Whether lists and scores are those of the CPU."""
    sheet = Sheet("Beside the CPU", "the same rows on both; a list is which rows were updated on", {"updates": "rate"})
    for each in lines:
        same = "the same list and scores" if each["same_list"] and each["same_scores"] else "**something differs**"
        sheet.add(f"{each['compare']}, {each['rows']}, {each['classes']} classes", same, updates=each["updates"][1])
    good = sum(each["same_list"] and each["same_scores"] and each["same_classes"] is not False for each in lines)
    met = good == len(lines)
    return sheet, [Goal("lists and scores", "those of the CPU, to the bit", f"{good} of {len(lines)}", met)]


def timed(lines: list[dict[str, Any]]) -> tuple[Sheet, list[Goal]]:
    """Fits from arrays in host memory: the median of those with the same kernel."""
    sheet, goals = (
        Sheet("How fast", "from arrays in host memory to a fitted model, after start-up", UNITS),
        list[Goal](),
    )
    for kernel in dict.fromkeys(each["kernel"] for each in lines if "kernel" in each):
        fits = [each for each in lines if each.get("kernel") == kernel and "fit_s" in each]
        right = next((each["accuracy"] for each in lines if each.get("kernel") == kernel and "accuracy" in each), None)
        fit = median(each["fit_s"] for each in fits)
        update = median(each["us_per_update_of_passes"] for each in fits) * 1e-6
        sheet.add(
            f"{fits[0]['task']}, {kernel}", f"{fits[0]['rows']:,} rows", fit=fit, an_update=update,
            updates=fits[0]["updates"], support_rows=fits[0]["support"], accuracy=right,
        )  # fmt: skip
        goals += [
            Goal(f"{kernel}: a fit", f"at most {seconds(MOST_SECONDS)}", seconds(fit), fit <= MOST_SECONDS),
            Goal(
                f"{kernel}: an update in the passes",
                f"at most {seconds(MOST_EACH)}",
                seconds(update),
                update <= MOST_EACH,
            ),
        ]
    million = [each for each in lines if "s_for_20000_updates" in each]
    if million:
        took = median(each["s_for_20000_updates"] for each in million)
        fit, updates = median(each["fit_s"] for each in million), million[0]["updates"]
        sheet.add(million[0]["task"], "one pass", fit=fit, an_update=fit / updates, updates=updates)
        goals.append(Goal("a million rows, 20,000 updates", f"at most {MOST_MILLION:g} s", figure(took, "seconds"),
                          took <= MOST_MILLION))  # fmt: skip
    return sheet, goals


def page(path: Path) -> str:
    """The page of one file."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
    about = next(each for each in lines if "gpu" in each)
    parts = (
        compared([each for each in lines if "compare" in each]),
        timed([each for each in lines if "task" in each]),
    )
    verdicts = sorted((goal for _, goals in parts for goal in goals), key=lambda goal: goal.met)
    head = f"{about['gpu']} · CuPy {about['cupy']} · CUDA {about['cuda']} · `benchmarks/gpu.py`, file {path.name}"
    return (
        "\n\n".join(
            [
                "# The kernel perceptron on a GPU",
                head,
                goal_table(verdicts),
                *(sheet_table(sheet) for sheet, _ in parts),
            ]
        )
        + "\n"
    )


if __name__ == "__main__":
    for name in sys.argv[1:]:
        source = Path(name)
        date, card = source.stem.removeprefix("gpu-")[:10], source.stem.removeprefix("gpu-")[11:]
        source.with_name(f"{date}-gpu-{card}.md").write_text(page(source), encoding="utf8")
