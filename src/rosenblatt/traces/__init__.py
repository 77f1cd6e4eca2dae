"""Traces: the step table of the notes for any data, and replay of a recorded run.

steps    a run of the rule of the notes, from what was given
step     one step of it, with everything a person may want to see of it
descent  gradient descent on the perceptron loss of all rows at once, beside it
numerals numbers, vectors and sums as the notes write them
table    a trace as Markdown, text, CSV, JSON, data frame
reading  a trace from its JSON, checked step by step
player   a trace as one HTML file that plays, from the ES modules of `web/player`
replay   every step of a recorded run, the weights at any of them, and the proof that its list of updates made a model
source   the run and the problem behind a model
updates  the updates of a recorded model as a trace
bayes    naive Bayes on one row: counts, smoothed probabilities, products
"""

from __future__ import annotations

from rosenblatt.traces.step import Step
from rosenblatt.traces.steps import Trace, trace

__all__ = ["Step", "Trace", "trace"]
