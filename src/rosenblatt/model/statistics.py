"""What chance can do to a share of rows: the intervals and the test that evaluations and comparisons give."""

from __future__ import annotations

import math

Z = 1.96  # of a normal distribution, 95% lie within so many standard deviations


def wilson(right: int, total: int, z: float = Z) -> tuple[float, float]:
    """Wilson's 95% interval for a share of `right` in `total`; 0 to 1 where there are no rows."""
    if not total:
        return 0.0, 1.0
    share = right / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, centre - half), min(1.0, centre + half)


def mcnemar(first: int, second: int) -> float:
    """The exact two-sided p-value of McNemar's test: rows that only the first has right, and only the second.

    If both were equally good, each of these rows would be the first's or the second's like a fair coin. The value is
    the probability of a division at least as uneven as this one.
    """
    from scipy.special import bdtr

    total, fewer = first + second, min(first, second)
    return min(1.0, 2 * float(bdtr(fewer, total, 0.5))) if total else 1.0


def paired_interval(first: int, second: int, total: int, z: float = Z) -> tuple[float, float]:
    """The 95% interval of the second's accuracy less the first's, both of the same rows (Bonett and Price 2012).

    One row is added to either side before the interval is taken, so that it has a width where few rows differ.
    """
    if not total:
        return -1.0, 1.0
    one, other, rows = (first + 1) / (total + 2), (second + 1) / (total + 2), total + 2
    half = z * math.sqrt((one + other - (one - other) ** 2) / rows)
    return max(-1.0, other - one - half), min(1.0, other - one + half)
