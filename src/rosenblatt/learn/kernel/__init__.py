"""The kernel perceptron: the list of updates without weights.

choice      which kernel, with which numbers, checked
grid        rows in tiles, in the narrowest arithmetic that is exact
updates     the list
passes      tiles visited in the order of a pass, each brought up to date when its turn comes
ondevice    the same passes on a GPU
device      the GPU itself
start       which of them, and the memory that is taken
run         passes over a problem until a reason to stop; the list that they leave
support     the rows of the list and what they count together: scores, votes, explanations
pruning     fewer of them, with the same accuracy on rows that were not learned from
cycle       the exact proof that a run goes round for ever
"""
