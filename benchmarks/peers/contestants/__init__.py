"""Everybody who takes part, each in a small file, so that a reader can check how they are treated.

This project first, then the others. A contestant says which kinds of task it takes part in and where it comes from.
"""

from __future__ import annotations

from benchmarks.peers.contestant import Contestant
from benchmarks.peers.contestants.fast_text import FastText
from benchmarks.peers.contestants.mlpack_dense import MlpackPerceptron, MlpackSoftmax
from benchmarks.peers.contestants.nbsvm import NBSVM
from benchmarks.peers.contestants.ours import Ours, OursBayes, OursKernel
from benchmarks.peers.contestants.river_online import RiverBayes, RiverPerceptron
from benchmarks.peers.contestants.scikit_curves import ScikitSVC, ScikitTrees
from benchmarks.peers.contestants.scikit_rows import (
    ScikitAveraged,
    ScikitBernoulli,
    ScikitLiblinear,
    ScikitMultinomial,
    ScikitPerceptron,
)
from benchmarks.peers.contestants.scikit_table import (
    TableAveraged,
    TableLiblinear,
    TableLogistic,
    TablePerceptron,
)
from benchmarks.peers.contestants.scikit_text import (
    CountBernoulli,
    CountLiblinear,
    CountMultinomial,
    TfidfAveraged,
    TfidfLiblinear,
    TfidfMultinomial,
)
from benchmarks.peers.contestants.vowpal import Vowpal

__all__ = ["EVERYBODY", "OURS"]

EVERYBODY: tuple[type[Contestant], ...] = (
    Ours,
    OursBayes,
    OursKernel,
    ScikitPerceptron,
    ScikitAveraged,
    ScikitLiblinear,
    ScikitBernoulli,
    ScikitMultinomial,
    TfidfLiblinear,
    TfidfAveraged,
    TfidfMultinomial,
    CountLiblinear,
    CountMultinomial,
    CountBernoulli,
    NBSVM,
    TablePerceptron,
    TableAveraged,
    TableLiblinear,
    TableLogistic,
    ScikitSVC,
    ScikitTrees,
    Vowpal,
    FastText,
    RiverPerceptron,
    RiverBayes,
    MlpackPerceptron,
    MlpackSoftmax,
)
OURS = "rosenblatt"
