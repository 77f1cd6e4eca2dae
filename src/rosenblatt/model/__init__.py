"""A trained model: how columns become features, what was learned of them, and the card that says how.

learner     what a family has learned, as everybody else knows it
formula     how a score is made, term by term
linear      a perceptron's weights, and their scores
bayes       naive Bayes' counts, and their scores
voted       the updates of a run whose weights all vote, and their shares of votes
trained     Model: predict, explain, evaluate; its Decision (learn.decide) turns scores into classes
answers     what is told of rows, and why, for commands and servers
evaluation  how a model did on labelled rows
comparison  how two models did on the same rows
statistics  intervals of shares, and the test of a difference
doubts      what a review of labels found
marked      a text with what each word and n-gram of it adds, in its place
messages    messages as rows of a model that reads text
reliability how far its probabilities can be believed, how often its sets hold the true class
seen        hashes of the training rows, to know them again
card        where the data came from, what was chosen, and how it did
prune       a model without the features that matter least
kept_rows   the training rows that it was updated on, where they are kept
training    the list of updates on them, and the data that the run was of
audit       the run of a model as replay and audit want it
evidence    what a report shows beyond the model
"""

from __future__ import annotations

from rosenblatt.learn.decide import Decision
from rosenblatt.model.bayes import Bayes
from rosenblatt.model.card import Card
from rosenblatt.model.comparison import Comparison, compare
from rosenblatt.model.evaluation import Evaluation
from rosenblatt.model.evidence import Curve, Disk, Evidence, Growth, Trial, Worst
from rosenblatt.model.formula import Formula
from rosenblatt.model.kernel import Curved
from rosenblatt.model.learner import Learner
from rosenblatt.model.linear import Linear
from rosenblatt.model.prune import pruned
from rosenblatt.model.reliability import Coverage, Reliability
from rosenblatt.model.seen import Seen
from rosenblatt.model.statistics import wilson
from rosenblatt.model.trained import Model
from rosenblatt.model.voted import Voted

__all__ = [
    "Bayes",
    "Card",
    "Comparison",
    "Coverage",
    "Curve",
    "Curved",
    "Decision",
    "Disk",
    "Evaluation",
    "Evidence",
    "Formula",
    "Growth",
    "Learner",
    "Linear",
    "Model",
    "Reliability",
    "Seen",
    "Trial",
    "Voted",
    "Worst",
    "compare",
    "pruned",
    "wilson",
]
