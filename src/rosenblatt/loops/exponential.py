"""e to the x by sums and products alone, so that the CPU, a GPU and a browser find the same bits.

`reference.kernel` states it. The libraries' own differ from each other in the last bit, and are called once for each
value; this one is made of what vector units do.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.loops.compile import part

LOWEST = -708.0  # below it the result would be no normal number; it is 0
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13 = (1.0 / math.factorial(k) for k in range(2, 14))
S52 = np.int64(52)


@part
def exponential(x):
    """e to the x, for x <= 0."""
    n = np.floor(max(x, LOWEST) * LOG2_E + 0.5)
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    total = ((((((C13 * r + C12) * r + C11) * r + C10) * r + C9) * r + C8) * r + C7) * r + C6
    total = (((((total * r + C5) * r + C4) * r + C3) * r + C2) * r + 1.0) * r + 1.0
    scale = np.int64((np.int64(n) + np.int64(1023)) << S52).view(np.float64)
    return total * scale if x >= LOWEST else 0.0
