"""Blocks side by side: how a row is stored depends on the plan, never on the rows beside it."""

from __future__ import annotations

import numpy as np

from rosenblatt.data import read
from rosenblatt.features import Wishes, learn_and_encode
from rosenblatt.features.textsettings import TextSettings
from rosenblatt.model import Linear
from rosenblatt.model.messages import text_table


def test_a_row_has_the_same_score_to_the_bit_in_any_company():
    """Words of equal weight are not added up first because the row happens to be alone."""
    draw = np.random.default_rng(0)
    words = [f"word{n}" for n in range(200)]
    texts = [" ".join(draw.choice(words, 3)) for _ in range(120)]
    labels = ["a" if text < "word5" else "b" for text in texts]
    weights = TextSettings(weight="tfidf")
    plan, _ = learn_and_encode(read({"text": texts, "label": labels}), Wishes(text=("text",), words=weights))
    model = Linear(draw.normal(size=plan.width + 1))
    alone = [" ".join(draw.choice(words, 3)) for _ in range(200)]
    single = [model.scores(plan.encode(text_table(plan, [text])).rows)[0] for text in alone]
    assert single == model.scores(plan.encode(text_table(plan, alone)).rows).tolist()
