"""Proofs that data can or cannot be separated, each of which checks itself in exact arithmetic.

question     what is to be decided, and the mark that names the data
input        from arrays, tables and scipy matrices to a question, nothing rounded
exact        leads, lengths and sums in integers, behind a filter with a proven error bound
verdicts     Separable, Inseparable, Undecided
found        verdicts from proposals, rounded so that they are proved
widest       the best margin between two proved bounds
repair       few rows without which the others can be separated
certificate  verdicts as JSON text
portfolio    prove: cheap ways first
run          what a perceptron run already proves
twins        equal rows with different labels
revisit      the perceptron that goes back to its mistakes
matrix       some signed rows side by side
programs     linear programs in floating point: hints
rational     exact multiples from a hint
simplex      the linear program in integers
picture      the verdict drawn, for two features
clock        how much time is left
"""

from rosenblatt.proofs.picture import plot_verdict
from rosenblatt.proofs.portfolio import prove
from rosenblatt.proofs.verdicts import Inseparable, Separable, Undecided, Verdict, from_json

__all__ = ["Inseparable", "Separable", "Undecided", "Verdict", "from_json", "plot_verdict", "prove"]
