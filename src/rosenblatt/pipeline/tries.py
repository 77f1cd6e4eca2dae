"""What is tried where a user fixes nothing."""

from __future__ import annotations

from rosenblatt.learn.variants import TABLE

TRIED_WEIGHTS = ("averaged", "final")  # tried unasked; the first wins a tie
RUN_APART = tuple(sorted(each.name for each in TABLE if each.single))  # where asked for: runs of their own, more time
ASKED_WEIGHTS = (*TRIED_WEIGHTS, *RUN_APART)
MARGINS = (0.0, 0.5, 2.0, 5.0)  # multiples of the mean |f(x)|²
UNASKED = ("perceptron", "arow")  # rules that are tried over words; other rows are tried with the first alone
STRONGEST = (0.05, 0.5, 5.0)  # C of the rules that have one
PASSES = (1, 2, 4, 8, 16)
MORE_PASSES = (32, 64, 128)
# Bytes read in the passes of one run, once for each class; `SMALL_OFTEN` where there are runs in every way and fold.
SMALL, SMALL_TEXT, SMALL_OFTEN = 100_000_000, 500_000_000, 40_000_000
FEW_BYTES = 2_000_000  # of rows, once for each class: threads would wait for the interpreter longer than they work
SMALL_TABLE = 400_000  # features of all training rows, once for each class: so few are searched in every fold
SMALL_PICTURES = 1_000_000  # the same of vectors such as pixels, which have one way of encoding
FEWEST = 50  # rows; fewer cannot tell a curve, a margin or a number of passes from luck
STRENGTHS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
# Of the short run that decides between ways of encoding. Rare words are met late: on the validation rows of two sets of
# messages, 8 splits each, tf-idf gained 0.2 points on 0/1 between 4 passes and 8, and no more until 32.
PROBE_MARGIN, PROBE_PASSES = 2.0, 8
MOST_PROBED = 5_000  # training rows of more than two classes by which it is told whether n-grams are worth a run
# Where several do as well as the best, of tables: in the middle of what does well on most of them.
USUAL_MARGIN, USUAL_PASSES = 2.0, 16
LONGEST = 200  # passes of a run that is expected to separate the rows
