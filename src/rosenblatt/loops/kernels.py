"""Kernels: what takes the place of the product of two rows. From products to values, one entry at a time.

poly     (gamma x.z + coef0) to the degree
rbf      e to the -gamma |x - z|^2, plus coef0
cosine   (x.z / (|x| |z|)) to the degree, plus coef0; 0 to the degree where a row is all zeros

Every value is made of plain products, sums, one division and one square root, in a fixed order, and powers are
repeated products from the left: whoever has the same products has the same values, to the bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.loops.compile import part
from rosenblatt.loops.exponential import exponential

POLY, RBF, COSINE = range(3)
KERNELS = ("poly", "rbf", "cosine")


class Kernel(NamedTuple):
    """A kernel with its numbers. `kind` is a place in KERNELS.

    What coef0 adds to rbf and cosine is the square of a constant feature: a bias. It is 0 where there is none.
    """

    kind: int
    degree: int
    gamma: float
    coef0: float


@part
def to_values(kernel, square, squares, products, base):
    """products[r], of a row of length² `square` with row r of length² squares[r], becomes the kernel of the two.

    Given    room for as many numbers in `base`
    """
    if kernel.kind == RBF:
        gamma, coef0 = kernel.gamma, kernel.coef0
        for r in range(len(products)):
            distance = (square + squares[r]) - 2.0 * products[r]
            products[r] = exponential(-(gamma * max(distance, 0.0))) + coef0
        return
    if kernel.kind == POLY:
        gamma, coef0 = kernel.gamma, kernel.coef0
        for r in range(len(products)):
            products[r] = gamma * products[r] + coef0
    else:
        for r in range(len(products)):
            lengths = square * squares[r]
            products[r] = products[r] / np.sqrt(lengths) if lengths > 0 else 0.0
    if kernel.degree > 1:
        for r in range(len(products)):
            base[r] = products[r]
        for _ in range(kernel.degree - 1):
            for r in range(len(products)):
                products[r] *= base[r]
    if kernel.kind == COSINE:
        for r in range(len(products)):
            products[r] += kernel.coef0
