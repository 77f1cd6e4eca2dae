"""Everybody who takes part, each in a small file, so that a reader can check how they are treated.

This project first, then the others. A contestant says which kinds of task it takes part in and where it comes from.
"""

from __future__ import annotations

from rosenblatt.bench.contestant import Contestant
from rosenblatt.bench.contestants.fast_text import FastText
from rosenblatt.bench.contestants.mlpack_dense import MlpackPerceptron, MlpackSoftmax
from rosenblatt.bench.contestants.ours import OursFromRaw, OursOnRows
from rosenblatt.bench.contestants.river_online import RiverBayes, RiverPerceptron
from rosenblatt.bench.contestants.scikit_rows import (
    ScikitAveraged,
    ScikitBernoulli,
    ScikitLiblinear,
    ScikitMultinomial,
    ScikitPerceptron,
)
from rosenblatt.bench.contestants.scikit_table import TableAveraged, TableLiblinear, TablePerceptron
from rosenblatt.bench.contestants.scikit_text import (
    CountBernoulli,
    CountLiblinear,
    CountMultinomial,
    TfidfAveraged,
    TfidfLiblinear,
    TfidfMultinomial,
)
from rosenblatt.bench.contestants.vowpal import Vowpal

__all__ = ["EVERYBODY", "OURS"]

EVERYBODY: tuple[type[Contestant], ...] = (
    OursOnRows,
    OursFromRaw,
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
    TablePerceptron,
    TableAveraged,
    TableLiblinear,
    Vowpal,
    FastText,
    RiverPerceptron,
    RiverBayes,
    MlpackPerceptron,
    MlpackSoftmax,
)
OURS = "rosenblatt"
