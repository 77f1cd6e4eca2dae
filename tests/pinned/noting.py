"""What is noted of a command: the arrays of its model, the plan, the choice, the test, 50 predictions.

What makes probabilities is not noted to the bit: e^x may differ in its last one between machines.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from pathlib import Path
from typing import Any
from unittest import mock

from click.testing import CliRunner

from rosenblatt import distributed, load, save
from rosenblatt.cli import commands as cli
from rosenblatt.data import spooled
from rosenblatt.errors import DataError
from rosenblatt.store.packing import unpacked

RESULTS = Path(__file__).with_name("results.json")
BLOCK = 1 << 12  # bytes, so that a table on the disk has several blocks
PREDICTIONS = 50
OTHERS = ("seconds", "source")  # and places
# Models from fragments, with what `distributed.train` is given.
FRAGMENTS = {
    "fragments, two": ("two", {"margin": 0.5, "passes": 3, "shards": 3}),
    "fragments, many": ("many", {"margin": 0.0, "passes": 2, "shards": 2, "weights": "final"}),
    "fragments, naive Bayes": ("two", {"model": "naive-bayes", "shards": 2}),
}


def noted(words: str, folder: Path, out: Path) -> dict[str, Any]:
    """What `rosenblatt train` with these words makes of the files in the folder."""
    given = shlex.split(words.replace("{folder}", str(folder)))
    with mock.patch.object(spooled, "BLOCK", BLOCK):
        told = json.loads(_run("train", *given, "--json", "--out", str(out)))
    assert ("disk" in told) == ("--memory" in given)
    bare: dict[str, Any] = {"header": False, "delimiter": ";"} if "--no-header" in given else {}
    return of_model(out, given[0], **bare)


def noted_fragments(name: str, client: Any, folder: Path, out: Path) -> dict[str, Any]:
    """The same of a model that `distributed.train` makes on a cluster."""
    which, settings = FRAGMENTS[name]
    wishes = _dropping("id", "day", "family", *(["note"] if settings.get("model") else []))
    source = str(folder / f"{which}.parquet")
    save(distributed.train(source, client=client, wishes=wishes, **settings), out)
    return of_model(out, source)


def of_model(path: Path, source: str, **how: Any) -> dict[str, Any]:
    """What a model file holds, and what the model predicts of the first rows of its data."""
    model, (_, _, arrays) = load(path), unpacked(path, DataError)
    predicted = model.predict(model.read(source, labelled=False, **how))[:PREDICTIONS]
    arrays = {name: array for name, array in arrays.items() if not name.startswith("calibration.")}
    card = json.loads(json.dumps(model.card))
    return {
        "arrays": {name: _digest(array.tobytes()) for name, array in sorted(arrays.items()) if "origins" not in name},
        "plan": [line.rstrip() for line in str(model.plan).splitlines()][:20],
        "plan as kept": _digest(json.dumps(model.plan.to_dict(), sort_keys=True).encode()),
        "fingerprint": card["fingerprint"][:16],
        "split": card["split"],
        "choice": _timeless(card["choice"]),
        "test": _timeless(card.get("test")),
        "predictions": " ".join(predicted),
    }


def _run(*words: str) -> str:
    done = CliRunner().invoke(cli, list(words))
    if done.exit_code:
        raise AssertionError(f"{shlex.join(words)}: {done.output[-300:]}") from done.exception
    return done.stdout


def _dropping(*names: str) -> Any:
    from rosenblatt.features import Wishes

    return Wishes(drop=names)


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if name not in OTHERS}
    return value


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
