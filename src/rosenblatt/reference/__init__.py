"""Every rule once more in plain Python, to be read first. Tests hold the compiled loops to it.

A row is a list of numbers whose first entry is the constant 1, if there is a bias; numbers may be int, float or
Fraction. Weights are never changed in place, so that the list of all weights of a run is the run.
"""
