"""Stand-ins for data that is not there: random rows with as many classes and the same form, the same in every run."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from rosenblatt.data import read
from rosenblatt.data.table import Table

WORDS_PER_TEXT = 60
RARER = 1.1  # the n-th word is n ** RARER times rarer than the first


def texts(rows: int, classes: int, words: int, seed: int) -> tuple[list[str], np.ndarray]:
    """Messages of words drawn by rank; each class prefers some of the rarer words."""
    drawn, codes = _words(rows, classes, words, seed)
    return [" ".join(f"w{word}" for word in row) for row in drawn], codes


def text_table(rows: int, classes: int, seed: int) -> Table:
    messages, codes = texts(rows, classes, 20_000, seed)
    return read(messages, [f"class {code}" for code in codes])


def sparse_table(rows: int, classes: int, features: int, seed: int) -> Table:
    """How often each word occurs in such messages."""
    from scipy.sparse import csr_matrix

    drawn, codes = _words(rows, classes, features, seed)
    starts = np.arange(0, drawn.size + 1, drawn.shape[1])
    matrix = csr_matrix((np.ones(drawn.size), drawn.ravel(), starts), shape=(rows, features))
    matrix.sum_duplicates()
    return read(matrix, codes.tolist())


def dense_table(rows: int, classes: int, features: int, seed: int) -> Table:
    """Bytes around one pattern for each class, most of them 0."""
    rng = np.random.default_rng(seed)
    patterns = rng.integers(0, 256, (classes, features)) * (rng.random((classes, features)) < 0.2)
    codes = rng.integers(0, classes, rows)
    noise = rng.normal(0, 90, (rows, features)) * (rng.random((rows, features)) < 0.3)
    return read(np.clip(patterns[codes] * 0.5 + noise, 0, 255).astype(np.uint8), codes.tolist())


def curved_table(rows: int, classes: int, features: int, seed: int) -> Table:
    """Numbers between -1 and 1, three places for each class, so that no line tells them apart."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, classes, rows)
    places = rng.uniform(-0.8, 0.8, (classes, 3, features))[codes, rng.integers(0, 3, rows)]
    return read(np.clip(places + rng.normal(0, 0.25, (rows, features)), -1, 1), codes.tolist())


def wide_columns(rows: int, columns: int, seed: int) -> dict[str, np.ndarray]:
    """Columns as wide tables have them: a quarter names, a quarter small whole numbers, the others fractions."""
    numbers = np.random.default_rng(seed).integers(0, 1000, (rows, columns))
    words = np.array(["red", "green", "blue"])
    kinds = (lambda v: v % 3, lambda v: v / 10, lambda v: words[v % 3], lambda v: v / 7)
    return {f"c{j}": kinds[j % 4](numbers[:, j]) for j in range(columns)}


def wide_tables(rows: int, tested: int, columns: int, seed: int) -> tuple[Table, Table]:
    """Such columns, and a label that follows from ten of the fractions, with exceptions; to learn from, and to test."""
    made = wide_columns(rows + tested, columns, seed)
    score = sum(made[f"c{j}"] for j in range(1, 41, 4))
    label = (score > np.median(score)) ^ (np.random.default_rng(seed + 1).random(rows + tested) < 0.05)
    table = read(pa.table({**made, "label": np.where(label, "high", "low")}))
    return table.take(np.arange(rows)), table.take(np.arange(rows, rows + tested))


def mixed_table(rows: int, seed: int, noise: float) -> Table:
    """Numbers and categories; the label follows from some of them, with exceptions."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(rows, 4))
    kinds = rng.integers(0, [3, 8, 15], (rows, 3))
    score = numbers[:, 0] + 0.5 * numbers[:, 1] + (kinds[:, 0] == 1) - 0.8 * (kinds[:, 1] > 4)
    label = (score > np.median(score)) ^ (rng.random(rows) < noise)
    columns = {f"number {j}": numbers[:, j] for j in range(4)}
    columns |= {f"kind {j}": np.array([f"k{value}" for value in kinds[:, j]]) for j in range(3)}
    return read(pa.table({**columns, "label": np.where(label, "yes", "no")}))


def _words(rows: int, classes: int, words: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    common = 1 / np.arange(1, words + 1) ** RARER
    codes = rng.integers(0, classes, rows)
    drawn = np.empty((rows, WORDS_PER_TEXT), np.int32)
    for code in range(classes):
        preferred = np.where(rng.random(words) < 0.05, 4.0, 1.0)
        preferred[:50] = 1.0
        shares = np.cumsum(common * preferred)
        which = codes == code
        places = rng.random((int(which.sum()), WORDS_PER_TEXT)) * shares[-1]
        drawn[which] = np.minimum(np.searchsorted(shares, places), words - 1)
    return drawn, codes
