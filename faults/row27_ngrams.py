"""Dictionaries of n-grams with less room than they need: what is left out, in any blocks, in memory and on disk."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from faults.forging import in_cache
from faults.outcome import Outcome, generator, one_line
from rosenblatt.data import spooled
from rosenblatt.data.table import Origin
from rosenblatt.errors import RosenblattError
from rosenblatt.features import TextSettings, grams
from rosenblatt.features.lines import Asked
from rosenblatt.features.text import Text
from rosenblatt.features.textlearner import TextLearner
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.reference import words as reference
from rosenblatt.store import to_bytes

NUMBER = 27
FAULT = (
    "random texts of many scripts with room for 1 to 1,000 of their pairs, triples and runs of characters, cut into "
    "any blocks that are counted apart and merged; `train --memory` on such files, in memory, on the disk and from the "
    "cache; 400,000 different pairs with the room that 64 MB have"
)
PROMISE = (
    "exactly the n-grams in fewer rows than the note says are left out, and there is a note; the same dictionary "
    "whatever the blocks, and the same bytes of the model in memory and on the disk; or one line; never a crash"
)
SHORT, FULL = 60, 12_000
FOUND = [
    "A column of which memory held no n-gram was said to hold no word, or none in min_documents rows "
    "(features/text.py).",
]
TRAINED = 20  # so many dictionaries for each model that is trained
NOWHERE = Origin("", "row", np.empty(0, np.int64))
WORDS = (
    "the", "of", "and", "win", "cash", "prize", "naïve", "straße", "İzmir", "ΟΔΟΣ", "a", "x1", "don't", "e\u0301cole",
    "2024",    "我喜欢电影", "ฉันชอบหนัง", "とても", "ខ្ញុំចូលចិត្ត", "𝐀𝐁", "…", "_", "👍", "w" * 40, "",
)  # fmt: skip
SIGNS = (" ", " ", " ", " ", ", ", "-", "\n", "\u3000", "…", "\0")


def run(cases: int, seed: int) -> Outcome:
    outcome, draw, over = Outcome(), generator(seed, NUMBER), 0
    for number in range(cases):
        over += _dictionary(number, draw, outcome)
    outcome.measured["dictionaries over their room, share"] = over / cases
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(max(2, cases // TRAINED // 10)):
            in_cache(folder / f"cache{number}", partial(_trained, number, folder, draw, outcome))
        if cases >= FULL:
            in_cache(folder / "large", partial(_large, folder / "large.csv", outcome))
    return outcome


@contextmanager
def with_room(size: int) -> Iterator[None]:
    """While the block runs there is room for so many n-grams, whatever memory is asked for."""
    before = grams.FEWEST, grams.MOST, spooled.BLOCK
    grams.FEWEST = grams.MOST = size
    spooled.BLOCK = 1 << 12  # many blocks, although the data is small
    try:
        yield
    finally:
        grams.FEWEST, grams.MOST, spooled.BLOCK = before


def _texts(draw: random.Random, count: int) -> list[str]:
    some = draw.sample(WORDS, draw.randint(2, len(WORDS)))
    more = [f"w{n}" for n in range(draw.choice((0, 5, 200)))]
    return [
        "".join(word + draw.choice(SIGNS) for word in draw.choices([*some, *more], k=draw.randrange(12)))
        for _ in range(count)
    ]


def _settings(draw: random.Random) -> dict[str, Any]:
    longest, characters = draw.choice(((1, True), (2, False), (2, True), (3, False), (3, True), (0, True)))
    weight = draw.choice(("presence", "counts", "tfidf", "ratio"))
    least = draw.choice((1, 1, 2))
    return {"ngrams": longest, "characters": characters, "weight": weight, "min_documents": least}


def _dictionary(number: int, draw: random.Random, outcome: Outcome) -> bool:
    """One column of texts in any blocks; whether there were more n-grams than room."""
    texts, settings = _texts(draw, draw.choice((2, 20, 60))), TextSettings(**_settings(draw))
    classes = np.array([draw.randrange(2) for _ in texts])
    told = f"column {number}, {settings.ngrams} {settings.characters} {settings.weight} {settings.min_documents}"
    room = draw.choice((1, 3, 10, 50, 300, 1000))
    with with_room(room):
        try:
            whole = _learned(texts, classes, [len(texts)], settings)
            parts = _learned(texts, classes, _cuts(draw, len(texts)), settings)
        except Exception as error:
            outcome.case(False, f"{told}: {type(error).__name__}: {error}")
            return False
    same = whole.names() == parts.names() and np.array_equal(whole.rarity, parts.rarity) and whole.least == parts.least
    outcome.case(same, f"{told}: other blocks, another dictionary")
    noted = any(f"fewer than {whole.least} rows" in note for note in whole.notes())
    outcome.case(noted == (whole.least > 1), f"{told}: its notes are {whole.notes()}")
    problem = _problem(texts, whole)
    outcome.case(not problem, f"{told}, room {room}, at least {whole.least}: {problem}")
    return whole.least > 1


def _cuts(draw: random.Random, count: int) -> list[int]:
    """The sizes of the blocks."""
    ends = sorted({*(draw.randint(0, count) for _ in range(draw.choice((1, 3, 10)))), count})
    return [high - low for low, high in zip([0, *ends], ends, strict=False) if high > low]


def _learned(texts: list[str], classes: np.ndarray, sizes: list[int], settings: TextSettings) -> Text:
    """The line of texts that come in blocks, of which every other is counted apart and merged, twice if it must be."""
    found: Text | TextLearner = TextLearner(Asked("t", "", pa.large_string(), words=settings))
    for _ in range(2):
        assert isinstance(found, TextLearner)
        start = 0
        for number, size in enumerate(sizes):
            part, own = texts[start : start + size], classes[start : start + size]
            apart = number % 2 == 1 and found.grams.admitted is None and found.runs.admitted is None
            into = TextLearner(found.asked) if apart else found
            into.tell(own if settings.classes > 1 else np.zeros(size, np.int64))
            into.look(pa.chunked_array([pa.array(part, pa.large_string())]), NOWHERE)
            if apart:
                found.merge(into)
            start += size
        found = found.settle()
        if isinstance(found, Text):
            return found
    raise AssertionError("it wants to look a third time")


def _problem(texts: list[str], line: Text) -> str:
    """What is wrong with what was left out, by plain counting; nothing where it is right."""
    settings, kept = line.settings, set(line.names())
    longest = settings.longest
    pairs: Counter[str] = Counter()
    runs: Counter[str] = Counter()
    for text in texts:
        found = reference.words(text, min(3, longest + 1)) if longest else []
        pairs.update(set(reference.ngrams(found, longest)))
        runs.update(set(reference.character_runs(text)) if settings.characters else ())
    for counts in (pairs, runs):
        left = {name: rows for name, rows in counts.items() if name not in kept}
        most, fewest = max(left.values(), default=0), min((counts[name] for name in counts.keys() & kept), default=0)
        if fewest and most >= fewest:
            return f"one in {most} rows was left out, one in {fewest} is there"
        if most >= max(settings.min_documents, line.least):
            return f"one in {most} rows was left out"
    strange = {name for name in kept if " " in name} - pairs.keys()
    return f"it holds {sorted(strange)[:3]}, which no text has" if strange else ""


def _trained(number: int, folder: Path, draw: random.Random, outcome: Outcome) -> None:
    """One file in memory, on the disk, and from the cache."""
    path, count = folder / f"{number}.csv", 200
    labels = ["ab"[k % 2] for k in range(count)]
    lines = [
        f"{text} own{label}".replace("\n", " ").replace("\0", " ")
        for text, label in zip(_texts(draw, count), labels, strict=True)
    ]
    path.write_text("text,label\n" + "".join(f'"{t}",{c}\n' for t, c in zip(lines, labels, strict=True)), "utf8")
    settings = {
        "model": "perceptron",
        "margin": 1.0,
        "passes": 2,
        "text": ["text"],
        "config": {"text": _settings(draw)},
    }
    with with_room(draw.choice((10, 100, 1000))):
        _compare(path, (None, "20kB", "20kB"), settings, outcome, f"file {number}, {settings['config']}")


def _compare(path: Path, memories: tuple[Any, ...], settings: dict[str, Any], outcome: Outcome, told: str) -> None:
    found: list[bytes] = []
    for memory in memories:
        try:
            model, evidence = train_with_evidence(str(path), memory=memory, **settings)
        except RosenblattError as error:
            empty = "no column is left" in str(error) and "memory holds" not in str(error)  # all rows have a word
            outcome.case(one_line(str(error)) and not empty, f"{told}, {memory}: {error}")
            found.append(str(error).encode())
            continue
        found.append(to_bytes(model))
        on_disk = evidence.disk is not None
        outcome.case(on_disk == (memory is not None and memory != "64MB"), f"{told}, {memory}: on the disk: {on_disk}")
        least = max(line.least for line in model.plan.lines if isinstance(line, Text))
        noted = any("more n-grams than memory holds" in note for note in model.card["notes"])
        outcome.case(noted == (least > 1), f"{told}, {memory}: notes are {model.card['notes']}")
    outcome.case(len(set(found)) == 1, f"{told}: other models in memory and on the disk")


def _large(path: Path, outcome: Outcome) -> None:
    """More pairs than there is room for, with nothing made small for the test."""
    draw = np.random.default_rng(0)
    with path.open("w") as file:
        file.write("text,label\n")
        for number in range(7_000):
            words = draw.integers(0, 20_000, 60)
            file.write(f"own{number % 2} {' '.join(f'w{word}' for word in words)},{'ab'[number % 2]}\n")
    wishes = {"text": {"ngrams": 2, "characters": False}}
    settings = {"model": "perceptron", "margin": 1.0, "passes": 1, "text": ["text"], "config": wishes}
    _compare(path, ("64MB", "2MB"), settings, outcome, "a large file")
