"""Blocks side by side: how a row is stored depends on the plan, never on the rows beside it."""

from __future__ import annotations

import numpy as np
import pytest

from rosenblatt.data import read
from rosenblatt.features import Wishes, blocks, learn_and_encode
from rosenblatt.features.textsettings import TextSettings
from rosenblatt.model import Linear
from rosenblatt.model.messages import text_table


@pytest.mark.parametrize("values", [1, 90, 1 << 17])
def test_columns_stand_side_by_side_in_pieces_of_any_size(values, monkeypatch):
    monkeypatch.setattr(blocks, "TOGETHER", values)
    draw = np.random.default_rng(0)
    arrays = [draw.normal(size=(40, width)).astype(kind) for width, kind in [(1, "f8"), (3, "f4"), (2, "u1")] * 3]
    found = blocks.joined(arrays, 40, [False] * len(arrays), False).values
    assert found.flags.c_contiguous
    assert found.dtype == np.float64
    assert np.array_equal(found, np.hstack(arrays))


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
