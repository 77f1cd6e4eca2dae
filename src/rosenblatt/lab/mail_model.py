"""The model of the mail part: an averaged perceptron on words present or not, each text scaled to unit length.

What the page is told of one is enough to read messages by itself (engine/mail.js).
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.features import Classes, Plan, Split, learn_and_encode, split_rows
from rosenblatt.features.contents import Contents
from rosenblatt.lab.mail_texts import one_text
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.model import Card, Linear, Model
from rosenblatt.model.card import ChosenModel, SplitCounts
from rosenblatt.pipeline.card import describe
from rosenblatt.traces.numerals import numeral

MOST_MESSAGES = 20_000
MOST_CLASSES = 10
PARTS = (0.8, 0.0, 0.2)
MARGIN, PASSES, SEED = 1.0, 50, 0  # unit rows do well with a margin of 1
HEAVIEST = 8  # words of a class that are shown
LONGEST, TITLE = 20_000, 48  # letters of a message to try and of its title


@dataclass(frozen=True)
class Learned:
    """A model, and the messages that were kept apart from it."""

    model: Model
    name: str
    n_train: int
    test: Table
    right: int  # of the test messages


def learn_mail(table: Table, name: str) -> Learned:
    """A perceptron on four fifths of the messages, and how it does on the rest."""
    if table.n_rows > MOST_MESSAGES:
        raise DataError(f"{name}: {table.n_rows} messages; the lab takes at most {MOST_MESSAGES}. Give a part of them.")
    texts = one_text(table)
    classes = Classes.learn(texts)
    if len(classes.names) > MOST_CLASSES:
        raise DataError(f"{name}: {len(classes.names)} classes; the lab takes at most {MOST_CLASSES}. Merge some.")
    truth = classes.encode(texts).astype(np.int32)
    split = split_rows(texts, truth, seed=SEED, parts=PARTS)
    plan, matrix = learn_and_encode(texts.take(split.train))
    problem = make_problem(matrix.rows, truth[split.train], len(classes.names))
    run = learn(problem, Settings(weights="averaged", margin=MARGIN, max_iter=PASSES, seed=SEED))
    card = _card(texts, name, classes, truth, split, plan, run)
    model = Model(plan, classes, Linear(run.weights_of("averaged").astype(np.float64)), card)
    test = texts.take(split.test)
    right = int(np.sum(model.codes(test) == truth[split.test]))
    return Learned(model, name, len(split.train), test, right)


def tell(learned: Learned) -> dict[str, Any]:
    """What the page needs: the words and their weights for each class, and messages that were not learned from."""
    model = learned.model
    formula = model.formula("the lab")
    heaviest = model.heaviest(HEAVIEST).items()
    return {
        "name": learned.name,
        "classes": model.classes.names,
        "train": learned.n_train,
        "test": learned.test.n_rows,
        "right": learned.right,
        "heaviest": {name: [{"word": w, "weight": numeral(weight)} for w, weight in some] for name, some in heaviest},
        "samples": _samples(learned),
        "words": " ".join(model.plan.names),
        "weights": b64encode(np.column_stack([formula.weights, formula.constant]).astype("<f8").tobytes()).decode(),
    }


def _samples(learned: Learned) -> list[dict[str, str]]:
    """Two test messages of each of four classes and, if there is one, a message that the model gets wrong."""
    names = learned.model.classes.names
    truth, said = learned.model.classes.encode(learned.test), learned.model.codes(learned.test)
    texts: list[str] = learned.test.columns["text"].to_pylist()
    able = [row for row, text in enumerate(texts) if text.strip() and len(text) <= LONGEST]
    chosen = [row for c in range(len(names))[:4] for row in [row for row in able if truth[row] == c][:2]]
    wrong = [row for row in able if truth[row] != said[row] and row not in chosen]
    return [
        {"title": f"{texts[row].strip().splitlines()[0][:TITLE]} ({names[truth[row]]})", "text": texts[row]}
        for row in [*chosen, *wrong[:1]]
    ]


def _card(texts: Table, name: str, classes: Classes, truth: np.ndarray, split: Split, plan: Plan, run: Run) -> Card:
    counts, learned = (np.bincount(codes, minlength=len(classes.names)) for codes in (truth, truth[split.train]))
    sizes: SplitCounts = {
        "train": len(split.train), "validation": 0, "test": len(split.test), "seed": SEED, "kind": "by class",
    }  # fmt: skip
    choice: ChosenModel = {"model": "perceptron", "name": "averaged perceptron", "unit": plan.unit}
    fingerprint = Contents.of(texts).fingerprint(truth)
    return describe(texts, name, classes, counts, learned, fingerprint, sizes, [], plan, choice, run)
