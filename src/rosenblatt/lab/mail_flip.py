"""The fewest words without which a message would be something else: exact, not a guess.

Let the message hold m known words, each present or not, and let its text be scaled to unit length. The predicted class
leads another by

    lead = b + S / sqrt(m),     S = the sum of d_j = w_j(predicted) - w_j(other) over the m words,

where b, the difference of the biases, is not scaled. With no word left the lead is b. Take out a set R of r words:

    lead(R) = b + (S - sum of d_j over R) / sqrt(m - r).

For a fixed r the root is the same whatever R is, so the lead is lowest where the sum over R is highest: where R are
the r words of the largest d_j. If that set does not make the other class win, no set of r words does. So the sizes
r = 1, 2, ... are tried in order, each with its best set, and the first that wins is the fewest. Every size is tried,
for none answers for another: as r grows the root shrinks, and what is left of the message counts more against b.
With several classes each of the others is tried, and the fewest of all is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

ROUNDING = 1e-9  # leads closer to 0 than this part of their terms are for the engine to decide


class Flip(NamedTuple):
    """The words to leave out, as places in the list given, and the class that wins without them."""

    words: tuple[int, ...]
    other: int


def fewest(weights: np.ndarray, bias: np.ndarray, predicted: int, says: Callable[[Sequence[int]], int]) -> Flip | None:
    """The smallest set of words whose absence changes the decision; None where there is no such set.

    weights    for each class and word of the message
    bias       for each class
    says       what the engine predicts without some of the words, by their places: it has the last word
    """
    found: Flip | None = None
    for other in range(len(weights)):
        if other != predicted:
            limit = weights.shape[1] if found is None else len(found.words) - 1
            found = _against(weights, bias, predicted, other, limit, says) or found
    return found


def _against(
    weights: np.ndarray,
    bias: np.ndarray,
    predicted: int,
    other: int,
    limit: int,
    says: Callable[[Sequence[int]], int],
) -> Flip | None:
    """The smallest set of at most `limit` words after which this class is ahead of the predicted one."""
    lead_of, b = weights[predicted] - weights[other], float(bias[predicted] - bias[other])
    order = np.argsort(-lead_of, kind="stable")
    left = len(order) - np.arange(1, limit + 1)
    rest = lead_of.sum() - np.cumsum(lead_of[order])[:limit]
    leads = b + rest / np.sqrt(np.maximum(left, 1))  # with no word left `rest` is 0
    unclear = ROUNDING * (abs(b) + float(np.abs(lead_of).sum()) + 1)
    for place in np.flatnonzero(leads <= unclear).tolist():
        words = tuple(int(j) for j in order[: place + 1])
        says_now = says(words)
        if says_now != predicted:
            return Flip(words, says_now)
    return None
