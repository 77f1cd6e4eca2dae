"""Compiled loops: arrays in, arrays out. They know rows, weights and orders, and nothing of estimators or files.

rows        the three storages of rows, checked when they are made
vector      score and add: one weight vector against one row
matrix      score_all and add_pair: one weight vector per class against one row
scores      every score that is given out, in one order of sums
lanes       that order for dense rows
ties        when a row counts as wrong: the conventions as two bounds
binary      the perceptron rule for two classes, and what is read off its weights
multiclass  the same for more classes
kernels     from products of rows to kernels
exponential e to the x, the same bits everywhere
tiles       rows in tiles, and the products of other rows with them
units       association units: which of them are on
curves      the perceptron rule over tiles: scores of all rows, no weights
order       the shuffling rule
prefetch    asking for rows before they are visited
counts      counting for naive Bayes, and tuning it
compile     how all of them are compiled, or run without it
compiler    numba, loaded when it is needed
kept        where what was compiled is kept for the next process
forking     compiling in a process that was copied while another thread compiled
"""
