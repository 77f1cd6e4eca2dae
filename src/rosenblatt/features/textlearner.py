"""How a dictionary is learned from blocks of text: words by their letters, n-grams by their hashes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Origin
from rosenblatt.data.values import names_of
from rosenblatt.errors import SettingError
from rosenblatt.features import grams, tokens
from rosenblatt.features.blocks import Block
from rosenblatt.features.grams import Counted
from rosenblatt.features.lines import Asked, Learner, Line
from rosenblatt.features.text import Text
from rosenblatt.features.textrows import find_to_learn
from rosenblatt.features.textsettings import TextSettings
from rosenblatt.features.tokens import CUT, UNCUT, Found
from rosenblatt.loops.gather import count_rows
from rosenblatt.loops.grams import find_hashes, table_of

ALONE, ENOUGH = 0.9, 200  # of so many words at least, the share that is in one row alone


class Vocabulary:
    """Different words, numbered as they come."""

    def __init__(self) -> None:
        self.words = pa.array([], pa.large_string())

    def add(self, words: pa.LargeStringArray) -> np.ndarray:
        """Adds words, none of them twice; their places among all."""
        before = len(self.words)
        if not before:
            self.words = words
            return np.arange(len(words), dtype=np.int32)
        encoded = pa.concat_arrays([self.words, words]).dictionary_encode()
        self.words = encoded.dictionary
        return np.asarray(encoded.indices.to_numpy()[before:])


class TextLearner(Learner):
    """The words and n-grams of a column of text, and where that is asked, in how many rows of each class each is."""

    def __init__(self, asked: Asked, threads: int | None = None) -> None:
        self.asked, self.settings, self.threads = asked, asked.words, threads
        self.vocabulary, self.chunks, self.rows, self.tokens = Vocabulary(), Vocabulary(), 0, 0
        n = self.settings.classes
        self.documents, self.sizes = np.empty((n, 0), np.int64), np.zeros(n, np.int64)
        self.counts = (
            self.settings.min_documents > 1
            or self.settings.weight not in ("presence", "counts")
            or self.settings.grams
            or self.settings.max_features is not None
        )
        self.grams, self.runs = Counted(n, grams.room()), Counted(n, grams.room())
        self.classes: np.ndarray | None = None
        # So that text is read once, to learn and to encode: what was found, and the place of each word among all.
        self.found: list[Found] | None = [] if asked.keep else None
        self.places: list[np.ndarray] = []

    def tell(self, classes: np.ndarray) -> None:
        self.classes = classes

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        classes = self._classes(len(column))
        self.rows += len(column)
        self.sizes += np.bincount(classes, minlength=len(self.sizes))
        if self.settings.hash_bits and self.found is None:
            return
        start = 0
        for part in find_to_learn(tokens.as_texts(names_of(column)), self.settings, threads=self.threads):
            stop = start + len(part.starts) - 1
            if self.found is not None:
                self.found.append(part)
            if not self.settings.hash_bits:
                self._count(part, classes[start:stop])
            start = stop

    def _classes(self, rows: int) -> np.ndarray:
        """The classes of the rows of a block; all the same where words are not weighed by them."""
        if self.settings.classes == 1:
            return np.zeros(rows, np.int64)
        if self.classes is None or self.classes.max(initial=0) > 1:
            raise SettingError(
                f"weight {self.settings.weight!r} weighs words by how unevenly two classes have them, and there are "
                f"{'none here' if self.classes is None else 'more than two'}. Use tfidf."
            )
        return self.classes.astype(np.int64)

    def _count(self, part: Found, classes: np.ndarray) -> None:
        """Adds what some rows show."""
        places = self.vocabulary.add(part.words)
        self.tokens += len(part.numbers)
        if self.found is not None:
            self.places.append(places)
        if not self.counts:
            return
        self._make_room()
        n, g = len(part.words), len(part.grams.hashes)
        counted = rows_with(part, n + g + len(part.runs.hashes), classes, len(self.sizes))
        for own, more in zip(self.documents, counted, strict=True):
            own[places] += more[:n]  # none of the places is there twice
        if self.settings.longest > 1:
            self.grams.add(part.grams.hashes, counted[:, n : n + g], grams.renumbered(part.grams.parts, places))
        if part.chunks is not None:
            chunks = self.chunks.add(part.chunks)
            self.runs.add(part.runs.hashes, counted[:, n + g :], grams.renumbered(part.runs.parts, chunks))

    def _make_room(self) -> None:
        more = len(self.vocabulary.words) - self.documents.shape[1]
        self.documents = np.hstack([self.documents, np.zeros((len(self.documents), more), np.int64)])

    def merge(self, later: TextLearner) -> None:
        self.rows, self.tokens, self.sizes = (
            self.rows + later.rows,
            self.tokens + later.tokens,
            self.sizes + later.sizes,
        )
        places = self.vocabulary.add(later.vocabulary.words)
        if self.counts:
            self._make_room()
            self.documents[:, places] += later.documents
        self.grams.merge(later.grams, places)
        self.runs.merge(later.runs, self.chunks.add(later.chunks.words))

    def settle(self) -> Text | TextLearner:
        least = self.settings.min_documents
        again = self.grams.again(least), self.runs.again(least)
        if any(again):
            return self._looking_again(*again)
        words = self.vocabulary.words
        kept = np.diff(tokens.buffers(words)[1]) > 0  # an empty one is what `rename` took out
        if self.counts:
            kept &= self.documents.sum(axis=0) >= least
        order = tokens.sorted_order(words)
        self.order = order[kept[order]]
        self.kept = [each.in_order(max(least, each.least)) for each in (self.grams, self.runs)]
        if self.settings.max_features is not None:
            self._keep_most(self.settings.max_features)
        both = self._grams_in_order()
        self.rank = np.full(len(words), -1, np.int32)
        self.rank[self.order] = np.arange(len(self.order))
        names = pa.concat_arrays([words.take(pa.array(self.order)), both[1]])
        documents = np.hstack([self.documents[:, self.order], both[2]]) if self.counts else self.documents
        asked, weights = self.asked, weights_of(self.settings, documents, self.sizes)
        return Text(
            asked.column, asked.reason, self.settings, names, weights, asked.prefix, reads=asked.reads,
            rule=self._rule(), least=max(self.grams.least, self.runs.least), alone=self._alone(),
        )  # fmt: skip

    def _looking_again(self, some: Counted | None, runs: Counted | None) -> TextLearner:
        """What looks at all blocks once more, for those of too many n-grams that are in enough rows."""
        again = TextLearner(self.asked, self.threads)
        again.grams, again.runs = some or again.grams, runs or again.runs
        return again

    def _rule(self) -> int:
        """The rule for scripts without spaces; none where no text has any, so that earlier versions read the line."""
        return CUT if self.settings.hash_bits or tokens.holds_units(self.vocabulary.words) else UNCUT

    def _alone(self) -> bool:
        words = len(self.vocabulary.words)
        return not self.settings.grams and self.tokens >= ENOUGH and words > ALONE * self.tokens

    def _keep_most(self, most: int) -> None:
        """Leaves those that are in most rows; of equals words before n-grams, and each in its order."""
        parts = (self.grams, self.runs)
        documents = [self.documents[:, self.order].sum(axis=0)]
        documents += [each.documents.sum(axis=0)[kept] for each, kept in zip(parts, self.kept, strict=True)]
        chosen = np.zeros(sum(map(len, documents)), bool)
        chosen[np.argsort(-np.concatenate(documents), kind="stable")[:most]] = True
        first, *others = np.split(chosen, np.cumsum([len(each) for each in documents])[:-1])
        self.order = self.order[first]
        self.kept = [kept[some] for kept, some in zip(self.kept, others, strict=True)]

    def _grams_in_order(self) -> tuple[np.ndarray, pa.LargeStringArray, np.ndarray]:
        """The n-grams that are kept, in the order of their hashes: hashes, names, documents."""
        sources = ((self.grams, self.vocabulary), (self.runs, self.chunks))
        hashes, names, documents = [], [], []
        for (each, vocabulary), kept in zip(sources, self.kept, strict=True):
            some = grams.Grams(each.hashes[kept], each.parts[kept])
            if len(kept):
                hashes.append(some.hashes)
                documents.append(each.documents[:, kept])
                names.append(grams.names_of(some, *tokens.buffers(vocabulary.words)))
        if len(names) < 2:  # in order as they are
            none = pa.array([], pa.large_string()), np.empty((len(self.sizes), 0), np.int64)
            self.hashes = hashes[0] if hashes else np.empty(0, np.uint64)
            return self.hashes, *((names[0], documents[0]) if names else none)
        every = np.concatenate(hashes)
        order = np.argsort(every)
        self.hashes = every[order]
        return self.hashes, pa.concat_arrays(names).take(pa.array(order)), np.hstack(documents)[:, order]

    def encoded(self, line: Line) -> Block | None:
        if not isinstance(line, Text) or self.found is None:
            return None
        if self.settings.hash_bits:
            return line.of(self.found)
        places = [
            np.concatenate([self.rank[places], self._placed(part.grams.hashes), self._placed(part.runs.hashes)])
            for part, places in zip(self.found, self.places, strict=True)
        ]
        return line.of(self.found, places)

    def _placed(self, hashes: np.ndarray) -> np.ndarray:
        """The places of n-grams in the dictionary, -1 for those that are not in it."""
        key, first = grams.random_key(), len(self.order)
        with np.errstate(over="ignore"):
            table = table_of(self.hashes, np.arange(first, first + len(self.hashes)), key)
            return np.asarray(find_hashes(hashes, table, key))


def weights_of(settings: TextSettings, documents: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The weight of each word: rarity, or how unevenly two classes have it, or both; nothing where none is weighed.

    The ratio is |ln((p / sum of p) / (q / sum of q))|, where p is 1 + the rows of the first class with the word, and q
    those of the second (Wang and Manning 2012). Without its sign, which the weights of a classifier have anyway.
    """
    if settings.weight in ("presence", "counts"):
        return np.empty(0)
    rarity = settings.rarity_of(sizes.sum(), documents.sum(axis=0))
    if settings.weight == "tfidf":
        return rarity
    p, q = 1 + documents
    ratio = np.abs(np.log((p / p.sum()) / (q / q.sum())))
    return np.asarray(ratio * rarity if settings.weight == "ratio-idf" else ratio)


def rows_with(found: Found, width: int, classes: np.ndarray, n_classes: int) -> np.ndarray:
    """For each class and number how many rows hold it."""
    documents = np.zeros((n_classes, width), np.int64)
    count_rows(found.numbers, found.starts, classes, documents)
    return documents


def learn_text(
    name: str, column: pa.ChunkedArray, settings: TextSettings, threads: int | None = None
) -> tuple[Text, Block]:
    """The line for a column of text, and the column encoded by it, from one pass over the text."""
    learner = TextLearner(Asked(name, "", column.type, words=settings, keep=True), threads)
    learner.look(column, Origin("", "row", np.empty(0, np.int64)))
    line = learner.settle()
    if isinstance(line, TextLearner):
        learner = line
        learner.look(column, Origin("", "row", np.empty(0, np.int64)))
        line = learner.settle()
    assert isinstance(line, Text)
    return line, learner.encoded(line) or line.of([])
