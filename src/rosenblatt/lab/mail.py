"""Mail: each word's weight in a message, the decision, and the fewest words whose absence would change it.

The model on the built-in mail is shared; one learned from a person's own file lives in their session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.lab.mail_flip import Flip, fewest
from rosenblatt.lab.mail_model import Learned, builtin
from rosenblatt.lab.mail_texts import Place, find_words, leave_out
from rosenblatt.lab.sessions import Session
from rosenblatt.model import Linear, Model
from rosenblatt.traces.numerals import numeral

MOST_LETTERS = 20_000
LEVELS = 4  # strengths in which words are marked
KEPT = "mail"


def learned_in(session: Session) -> Learned:
    own: Learned | None = session.get(KEPT)
    return builtin() if own is None else own


def forget_mail(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The built-in model again."""
    session.drop(KEPT)
    return show_mail(session, body)


def show_mail(session: Session, _body: dict[str, Any]) -> dict[str, Any]:
    """What the model is, its heaviest words, and messages to try that it has not learned from."""
    learned = learned_in(session)
    model = learned.model
    said = model.predict(learned.test)
    return {
        "name": learned.name,
        "classes": model.classes.names,
        "words": model.plan.width,
        "train": learned.n_train,
        "test": learned.test.n_rows,
        "right": learned.right,
        "limit": MOST_LETTERS,
        "heaviest": {
            name: [{"word": word, "weight": numeral(weight)} for word, weight in found]
            for name, found in model.heaviest(8).items()
        },
        "samples": _samples(learned, said),
        "own": session.get(KEPT) is not None,
    }


def _samples(learned: Learned, said: list[str]) -> list[dict[str, str]]:
    """Two test messages of each class and, if there is one, a message that the model gets wrong."""
    assert learned.test.labels is not None
    labels = [learned.model.classes.names[code] for code in learned.model.classes.encode(learned.test)]
    texts = learned.test.columns["text"].to_pylist()
    chosen: list[int] = []
    for name in learned.model.classes.names[:4]:
        chosen += [row for row, label in enumerate(labels) if label == name and len(texts[row]) <= MOST_LETTERS][:2]
    wrong = [row for row, label in enumerate(labels) if label != said[row] and row not in chosen]
    return [
        {"title": f"{texts[row].strip().splitlines()[0][:48] if texts[row].strip() else 'empty'} ({labels[row]})",
         "text": texts[row]}
        for row in [*chosen, *wrong[:1]]
    ]  # fmt: skip


def read_mail(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The message in pieces with the part of each known word, the decision, and the fewest words that flip it."""
    text = _checked(body.get("text"))
    model = learned_in(session).model
    assert isinstance(model.learner, Linear)
    row = model.texts([text])
    shown = model.explain(row)
    names = model.classes.names
    predicted = names.index(shown.predicted)
    lines, bias = _by_class(model.learner)
    against = _runner_up(shown.scores, predicted)
    places = find_words(text)
    number_of = {name: j for j, name in enumerate(model.plan.names)}
    known = list(dict.fromkeys(place.word for place in places if place.word in number_of))
    columns = [number_of[word] for word in known]
    towards, other = (1, 0) if len(names) == 2 else (predicted, against)
    line = shown.contributions
    adds = (line[0] if len(names) == 2 else line[towards] - line[other])[columns] if known else np.zeros(0)
    start = float(bias[towards] - bias[other])
    flip = fewest(lines[:, columns], bias, predicted, lambda some: _says(model, text, [known[j] for j in some]))
    score = float(shown.scores[0] if len(names) == 2 else shown.scores[towards] - shown.scores[other])
    return {
        "pieces": _pieces(text, places, {word: j for j, word in enumerate(known)}),
        "words": _word_lines(known, places, adds, lines[towards, columns] - lines[other, columns]),
        "unknown": len({place.word for place in places}) - len(known),
        "towards": names[towards],
        "other": names[other],
        "bias": _signed(start),
        "score": _signed(score),
        "predicted": shown.predicted,
        "sentence": _sentence(shown.predicted, names[towards], score, len(known)),
        "flip": _flip(model, text, known, flip, shown.predicted),
    }


def _checked(text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise DataError("the message is empty. Type or paste some words.")
    if len(text) > MOST_LETTERS:
        raise DataError(
            f"the message has {len(text):,} characters; the lab takes at most {MOST_LETTERS:,}. Paste a part."
        )
    if any(0xD800 <= ord(letter) <= 0xDFFF for letter in text):
        raise DataError("the message holds half a character (a lone surrogate). Paste it anew.")
    return text


def _by_class(learner: Linear) -> tuple[np.ndarray, np.ndarray]:
    """Weights and biases, one line for each class; of two classes the first has zeros, and the line between them."""
    weights = learner.weights
    if weights.ndim == 1:
        weights = np.stack([np.zeros_like(weights), weights])
    return weights[:, :-1], weights[:, -1]


def _runner_up(scores: np.ndarray, predicted: int) -> int:
    if len(scores) == 1:
        return 1 - predicted
    return int(max((c for c in range(len(scores)) if c != predicted), key=lambda c: (scores[c], -c)))


def _says(model: Model, text: str, words: Sequence[str]) -> int:
    return int(model.codes(model.texts([leave_out(text, set(words))]))[0])


def _pieces(text: str, places: Sequence[Place], number_of: dict[str, int]) -> list[list[Any]]:
    """The message in order: texts, each with the number of its word, or -1 where it is none that is known."""
    pieces: list[list[Any]] = []
    done = 0
    for place in places:
        if place.word in number_of:
            if place.start > done:
                pieces.append([text[done : place.start], -1])
            pieces.append([text[place.start : place.end], number_of[place.word]])
            done = place.end
    return [*pieces, [text[done:], -1]] if done < len(text) else pieces


def _word_lines(
    known: Sequence[str], places: Sequence[Place], adds: np.ndarray, weights: np.ndarray
) -> list[dict[str, Any]]:
    largest = float(np.abs(adds).max(initial=0.0)) or 1.0
    written = Counter(place.word for place in places)
    return [
        {
            "word": word,
            "adds": _signed(part),
            "short": f"{part:+.2f}",
            "weight": _signed(weight),
            "sign": (part > 0) - (part < 0),
            "level": int(np.ceil(LEVELS * abs(part) / largest)),
            "size": round(abs(part) / largest, 4),
            "times": written[word],
        }
        for word, part, weight in zip(known, adds.tolist(), weights.tolist(), strict=True)
    ]


def _signed(value: float) -> str:
    return f"{value:+.4g}" if value else "0"


def _sentence(predicted: str, towards: str, score: float, known: int) -> str:
    if not known:
        alone = f"the bias alone decides, {_signed(score)} towards {towards}"
        return f"None of its words occurred in training: {alone}, so the message is taken for {predicted}."
    return f"The score is {_signed(score)} towards {towards}, so the message is taken for {predicted}."


def _flip(model: Model, text: str, known: Sequence[str], flip: Flip | None, predicted: str) -> dict[str, Any] | None:
    if flip is None:
        return {
            "words": [],
            "sentence": f"No words whose absence would change it: without any it is still {predicted}.",
        }
    words = [known[j] for j in flip.words]
    rest = leave_out(text, set(words))
    count = "the word" if len(words) == 1 else f"these {len(words)} words"
    fewer = (
        ""
        if len(words) == 1
        else f" No {len(words) - 1} words would do."
        if len(words) > 2
        else " No single word would do."
    )
    return {
        "words": words,
        "places": list(flip.words),
        "becomes": model.classes.names[flip.other],
        "text": rest,
        "sentence": f"Without {count} it would be {model.classes.names[flip.other]}: {', '.join(words)}.{fewer}",
    }
