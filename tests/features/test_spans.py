"""Where features are in a text: every occurrence that is counted has its place, and stands there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.features import TextSettings
from rosenblatt.features.spans import spans_of
from rosenblatt.features.textlearner import learn_text

TEXTS = [
    "Not good at all, not good. NOT a good film!",
    "A good film; not a bad one, and not good at all.",
    "İstanbul'da GÜZEL bir gün: güzel İSTANBUL, ΣΊΣΥΦΟΣ σίσυφος",
    "这部电影很好看。这部电影 not good 很好",
    "ภาพยนตร์เรื่องนี้ดีมาก very good",
    "don't STOP me now — don't stop, naïve café",
    "",
    "x",
    "good " * 50,
]
DOT = "\u0307"  # "İ" is lowered to "i" and this; a run may begin between the two
SETTINGS = {
    "words": TextSettings(),
    "counted words": TextSettings(weight="counts"),
    "pairs": TextSettings(ngrams=2),
    "triples by rarity": TextSettings(ngrams=3, weight="tfidf"),
    "characters": TextSettings(characters=True),
    "characters alone": TextSettings(ngrams=0, characters=True),
    "pairs and characters": TextSettings(ngrams=2, characters=True),
    "capitals": TextSettings(capitals=True),
    "pairs with capitals": TextSettings(ngrams=2, capitals=True),
    "pairs without stop words": TextSettings(ngrams=2, stop_words="english"),
    "stems": TextSettings(stems="english", ngrams=2),
    "hashed": TextSettings(hash_bits=10),
    "few": TextSettings(ngrams=2, min_documents=2),
}


def column(texts):
    return pa.chunked_array([pa.array(texts, pa.large_string())])


@pytest.mark.parametrize("name", list(SETTINGS))
def test_a_feature_has_as_many_spans_as_it_is_counted(name):
    settings = SETTINGS[name]
    if settings.stems:
        pytest.importorskip("Stemmer", reason="the extra stems is not installed")
    line, _ = learn_text("text", column(TEXTS), settings, threads=1)
    counting = replace(line, settings=replace(settings, weight="counts"), rarity=np.empty(0))
    for text in [*TEXTS, "an unseen good film, not good"]:
        block = counting.encode(column([text]), None)
        expected = np.zeros(line.width)
        expected[block.columns] = block.values
        found = np.bincount([span.feature for span in spans_of(line, text)], minlength=line.width)
        assert np.array_equal(found, expected), text


@pytest.mark.parametrize("name", ["words", "pairs", "triples by rarity", "characters", "pairs and characters"])
def test_what_stands_at_a_span_is_the_feature(name):
    line, _ = learn_text("text", column(TEXTS), SETTINGS[name], threads=1)
    names = line.names()
    for text in TEXTS:
        for span in spans_of(line, text):
            there = text[span.start : span.stop].lower().replace("ς", "σ")
            assert there, names[span.feature]
            for word in names[span.feature].strip("…").split():
                assert word.strip(DOT).replace("ς", "σ") in there


def test_spans_are_in_reading_order():
    line, _ = learn_text("text", column(TEXTS), TextSettings(ngrams=2), threads=1)
    found = [(TEXTS[0][a:b], line.names()[j]) for a, b, j in spans_of(line, TEXTS[0])][:4]
    assert found == [("Not good", "not good"), ("Not", "not"), ("good at", "good at"), ("good", "good")]
