"""Learning as plain functions and dataclasses: settings, a problem, a run, and what follows from its mistake list.

settings   what a user can choose, checked
problem    rows, classes and amounts: what a run visits
run        passes over a problem until a reason to stop; the state it leaves
notes      the mistake list
stopping   when there is no more progress
cycle      weights that come back, and the exact proof that this will go on for ever
exact      sums of rows in exact arithmetic
pocket     the best weights met on the way
votes      all weights met on the way, voting
decide     scores and decisions
calibration  scores as probabilities, and sets of classes
losses     the two losses of the notes
explain    why a row got its score
kernel     the same list without weights: curves
"""
