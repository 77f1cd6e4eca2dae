"""How long the first answer takes, in one run: python -m benchmarks.cold_start [--quick]

Each command is a new process, from its start to its end; all take turns, and each figure is the median. Beside seconds
by the clock stand those of the processor, which a busy machine changes less. Beside this tree stands the first version,
where git has it, with models that it trained itself, and Vowpal Wabbit where it is installed.

Goals: a message predicted within 0.45 s, and no command slower than in the first version.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from benchmarks.first_version import REPOSITORY, first_tree
from benchmarks.peers.figures import seconds
from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import LeftOut, alone

REPEATS, QUICK = 5, 1
MOST = 0.45  # seconds by the clock for a message
UNITS = {"time": "seconds", "processor": "seconds", "times ours": "times"}
OURS, FIRST = "rosenblatt", "first version"
MESSAGES = "predict one message"
MESSAGE = "free prize and win cash now"
MODELS = {
    "mail": ("mail", "--model", "perceptron", "--passes", "3", "--margin", "0"),
    "mail, naive Bayes": ("mail", "--model", "naive-bayes", "--k", "1"),
    "wine": ("wine", "--model", "perceptron", "--passes", "3", "--margin", "0"),
}
VOWPAL = "from vowpalwabbit import Workspace\nprint(Workspace('-t -i {} --quiet').predict('| {}'))"
VOWPAL_FIT = (
    "from vowpalwabbit import Workspace\n"
    "made = Workspace('--binary --quiet -f {}')\n"
    "for line in ('1 | free prize cash', '-1 | see you at the meeting'): made.learn(line)\n"
    "made.finish()"
)


class Command(NamedTuple):
    """What is started, and with which sources of the package."""

    words: Sequence[str]
    tree: Path


def prepared(name: str, tree: Path, folder: Path) -> dict[str, Command]:
    """The commands of one version, with models that it trained itself: an older one may not read newer files."""
    place = folder / name.replace(" ", "-")
    place.mkdir()
    (place / "message.csv").write_text(f"subject,sender,text\nhello,a@example.org,{MESSAGE}\n")
    made = {}
    for model, words in MODELS.items():
        made[model] = str(place / f"{model.replace(', ', '-').replace(' ', '-')}.rosenblatt")
        start(Command([sys.executable, "-m", "rosenblatt", "train", *words, "--out", made[model]], tree))
    table = "from rosenblatt.data import read; t = read('wine'); n = [x for x in t.names if x != t.label]; "
    table += f"rows = [','.join(n), ','.join(str(t.columns[x][0]) for x in n)]; open({str(place / 'wine.csv')!r}, 'w')"
    start(Command([sys.executable, "-c", f"{table}.write('\\n'.join(rows) + '\\n')"], tree))
    asked = {
        MESSAGES: ["predict", made["mail"], str(place / "message.csv")],
        "predict one message, naive Bayes": ["predict", made["mail, naive Bayes"], str(place / "message.csv")],
        "predict one row of a table": ["predict", made["wine"], str(place / "wine.csv")],
        "explain a text": ["explain", made["mail"], "--text", MESSAGE],
        "explain a row of a table": ["explain", made["wine"], str(place / "wine.csv")],
        "inspect": ["inspect", made["mail"]],
    }
    return {what: Command([sys.executable, "-m", "rosenblatt", *words], tree) for what, words in asked.items()}


def start(command: Command) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(command.tree / "src")}
    done = subprocess.run(command.words, capture_output=True, text=True, env=environment, check=False)
    taken = time.perf_counter() - begun
    if done.returncode:
        raise RuntimeError(f"{' '.join(command.words[:4])} …: {done.stderr.strip()[-300:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return taken, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands_of(trees: dict[str, Path], folder: Path) -> dict[tuple[str, str], Command]:
    """What is started, by what it does and who does it."""
    commands = {
        (what, version): command
        for version, tree in trees.items()
        for what, command in prepared(version, tree, folder).items()
    }
    commands["nothing but Python", "python -c pass"] = Command([sys.executable, "-c", "pass"], REPOSITORY)
    libraries = "import numpy, click, pyarrow.compute"
    commands["numpy, Arrow and click alone", "imported"] = Command([sys.executable, "-c", libraries], REPOSITORY)
    if find_spec("vowpalwabbit"):
        model = str(folder / "vowpal.model")
        start(Command([sys.executable, "-c", VOWPAL_FIT.format(model)], REPOSITORY))
        said = VOWPAL.format(model, MESSAGE)
        commands[MESSAGES, "Vowpal Wabbit"] = Command([sys.executable, "-c", said], REPOSITORY)
    return commands


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """Every command of this tree and of the first version, and what others take."""
    times: dict[tuple[str, str], list[tuple[float, float]]] = {}
    sheet = Sheet("cold start", "a command from the start of its process to its end, by the clock", UNITS)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        # As in an installed package, sources become bytecode once: without that everything takes twice as long.
        bytecode = {"PYTHONPYCACHEPREFIX": str(Path(name) / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
        stack.enter_context(patch.dict(os.environ, bytecode))
        trees = {OURS: REPOSITORY}
        try:
            trees |= {} if quick else {FIRST: stack.enter_context(first_tree())}
        except LeftOut as reason:
            sheet.notes.append(str(reason))
        commands = commands_of(trees, Path(name))
        for turn in range((QUICK if quick else REPEATS) + 1):
            for key, command in commands.items():
                found = start(command)
                if turn:  # the first fills the disk's cache, and Python's
                    times.setdefault(key, []).append(found)
    medians = {key: tuple(map(statistics.median, zip(*found, strict=True))) for key, found in times.items()}
    for (what, who), (clock, processor) in sorted(medians.items()):
        own = medians.get((what, OURS))
        sheet.add(
            what, who, time=clock, processor=processor, times_ours=clock / own[0] if own and who != OURS else None
        )
    return sheet, judged(medians)


def judged(medians: dict[tuple[str, str], tuple[float, ...]]) -> list[Goal]:
    took = medians[MESSAGES, OURS][0]
    goals = [Goal(f"cold start: {MESSAGES}", f"within {MOST:g} s", seconds(took), took <= MOST)]
    for (what, who), (mine, _) in medians.items():
        before = medians.get((what, FIRST))
        if who == OURS and before is not None:
            wanted = f"faster than the first version, {seconds(before[0])}"
            goals.append(Goal(f"cold start: {what}", wanted, seconds(mine), mine < before[0]))
    return goals


if __name__ == "__main__":
    alone(measure)
