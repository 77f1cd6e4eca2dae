"""How long the first answer takes, in one run: python benchmarks/cold_start.py [--before TREE] [--vowpal PYTHON]

Each command is a new process, from its start to its end; all take turns, and each figure is the median. Beside seconds
by the clock stand those of the processor, which a busy machine changes less. TREE is a folder of another version:

    git worktree add ../version-one 9a21dda4f1

and PYTHON one that has the package vowpalwabbit (requirements/bench.txt); without it this one is tried.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parent.parent
REPEATS = 11
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
        "predict one message": ["predict", made["mail"], str(place / "message.csv")],
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
        raise SystemExit(f"{' '.join(command.words[:4])} …: {done.stderr.strip()[-300:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return taken, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--before", type=Path)
    options.add_argument("--vowpal", default=sys.executable)
    options.add_argument("--repeats", type=int, default=REPEATS)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # As in an installed package, sources become bytecode once: without that everything takes twice as long.
        os.environ.update(PYTHONPYCACHEPREFIX=str(folder / "bytecode"), PYTHONDONTWRITEBYTECODE="")
        trees = {"this tree": REPOSITORY, **({"before": given.before} if given.before else {})}
        commands = {
            (what, version): command
            for version, tree in trees.items()
            for what, command in prepared(version, tree, folder).items()
        }
        commands["nothing but Python", "python -c pass"] = Command([sys.executable, "-c", "pass"], REPOSITORY)
        libraries = "import numpy, click, pyarrow.compute"
        commands["numpy, Arrow and click alone", "imported"] = Command([sys.executable, "-c", libraries], REPOSITORY)
        model = str(folder / "vowpal.model")
        if subprocess.run([given.vowpal, "-c", "import vowpalwabbit"], capture_output=True, check=False).returncode:
            print("Vowpal Wabbit is not there: name a Python that has it with --vowpal.")
        else:
            start(Command([given.vowpal, "-c", VOWPAL_FIT.format(model)], REPOSITORY))
            said = VOWPAL.format(model, MESSAGE)
            commands["predict one message", "Vowpal Wabbit"] = Command([given.vowpal, "-c", said], REPOSITORY)
        times: dict[tuple[str, str], list[tuple[float, float]]] = {key: [] for key in commands}
        for turn in range(given.repeats + 1):
            for key, command in commands.items():
                found = start(command)
                if turn:  # the first fills the disk's cache, and Python's
                    times[key].append(found)
    for what, version in sorted(times):
        clock, processor = (statistics.median(each) for each in zip(*times[what, version], strict=True))
        print(f"{what:<34} {version:<16} {clock:6.2f} s by the clock  {processor:6.2f} s of the processor")


if __name__ == "__main__":
    main()
