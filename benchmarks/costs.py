"""What mistakes cost where they cost unequally: python benchmarks/costs.py [SEEDS]

Each set is trained three ways on the same splits, and the cost of the mistakes on test rows is compared: with no word
about costs; with costs that only move the line, which rows out of fold then decide; and with costs in the fit, the
choice and the line, as `train` has them.
"""

from __future__ import annotations

import os
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.data import read
from rosenblatt.pipeline import Goal, train_with_evidence
from rosenblatt.pipeline.config import read_config
from rosenblatt.pipeline.progress import silent
from rosenblatt.pipeline.ready import prepare

DATA = Path(os.environ.get("ROSENBLATT_DATA", "../shared/data"))


def sets(folder: Path) -> dict[str, tuple[str, dict[str, Any], str, float, float]]:
    """Where each is, how it is read, its positive class, and what a false alarm and a miss cost."""
    with tarfile.open(DATA / "spamassassin.tar.gz") as archive:
        archive.extractall(folder / "mail", filter="data")
    for mail in sorted(path for path in (folder / "mail").rglob("*") if path.is_file()):
        target = folder / "both" / ("spam" if "spam" in mail.parent.name else "ham") / f"{mail.parent.name}-{mail.name}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.hardlink_to(mail)
    messages = {"header": False, "quotes": False, "delimiter": "\t", "label": "c1"}
    return {
        "german": (str(DATA / "tables" / "german.csv"), {"header": False, "label": "c21"}, "2", 1.0, 5.0),
        "spambase": (str(DATA / "tables" / "spambase.data.gz"), {"header": False, "label": "c58"}, "1", 10.0, 1.0),
        "sms-spam": (str(DATA / "sms-spam" / "SMSSpamCollection"), messages, "spam", 10.0, 1.0),
        "SpamAssassin": (str(folder / "both"), {}, "spam", 10.0, 1.0),
    }


def costs_of(table: Any, positive: str, alarm: float, miss: float, seed: int) -> list[float]:
    """The mean cost of a test row in each of the three ways."""
    found = []
    for costs in ({}, {"cost_false_positive": alarm, "cost_false_negative": miss}):
        goal = {"positive": positive, **costs}
        model, evidence = train_with_evidence(table, goal=Goal(**goal), seed=seed)
        ready = prepare(table, read_config({"goal": goal, "search": {"seed": seed}}), None, silent)
        rows, truth = table.take(ready.split.test), ready.codes[ready.split.test]
        lines, ranking = [model.decision.threshold], evidence.ranking
        if not costs and ranking is not None:
            lines.append(float(ranking.lines[np.argmin(ranking.costs(alarm, miss))]))
        for line in lines:
            said = model.scores(rows) > line
            paid = alarm * np.sum(said & (truth == 0)) + miss * np.sum(~said & (truth == 1))
            found.append(float(paid) / len(truth))
    return found


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print("| | a false alarm, a miss | no costs | costs at the line | in fit, choice and line |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, how, positive, alarm, miss) in sets(Path(folder)).items():
            table = read(source, **how)
            found = np.array([costs_of(table, positive, alarm, miss, seed) for seed in range(seeds)])
            shown = " | ".join(f"{mean:.4f}" for mean in found.mean(axis=0))
            better = int(np.sum(found[:, 2] < found[:, 1]))
            worse = int(np.sum(found[:, 2] > found[:, 1]))
            print(f"| {name} | {alarm:g}, {miss:g} | {shown} | {better} better, {worse} worse of {seeds} |", flush=True)


if __name__ == "__main__":
    main()
