"""The families of models, one file each. Their order is that of trials in reports.

perceptron    runs over margins, passes and variants of the weights
naive_bayes   counts, smoothed by some k
kernel        curves, only where asked for: their file holds training rows
"""

from __future__ import annotations

from collections.abc import Mapping

from rosenblatt.pipeline.families.kernel import Kernel
from rosenblatt.pipeline.families.naive_bayes import NaiveBayes
from rosenblatt.pipeline.families.perceptron import Perceptron
from rosenblatt.pipeline.family import Candidate

FAMILIES: tuple[type[Candidate], ...] = (Perceptron, NaiveBayes, Kernel)


def by_name() -> Mapping[str, type[Candidate]]:
    """The families by what --model calls them."""
    return {family.model: family for family in FAMILIES}
