"""Association units: Rosenblatt's own machine. Fixed units, each wired to a few inputs, that are on or off."""

from __future__ import annotations

from collections.abc import Sequence

MASK = 2**64 - 1


def hashed(key: int, number: int) -> int:
    """64 bits that depend on every bit of key and number (the finaliser of splitmix64)."""
    z = (key + (number + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def wires(key: int, unit: int, fan_in: int, columns: Sequence[int]) -> list[tuple[int, int]]:
    """The inputs of a unit, each with its sign: drawn by the hash, one after the other, with repetition."""
    own = hashed(key, unit)
    found = []
    for k in range(fan_in):
        drawn = hashed(own, k)
        place = ((drawn >> 32) * len(columns)) >> 32
        found.append((columns[place], 1 if drawn & 1 else -1))
    return found


def nearby_wires(
    key: int, unit: int, fan_in: int, columns: Sequence[int], shape: tuple[int, int], reach: int
) -> list[tuple[int, int]]:
    """The same over the pixels of a picture: a unit has a place, and its wires lead to pixels at most `reach` away."""
    own = hashed(key, unit)
    y, x = divmod(columns[((hashed(own, fan_in) >> 32) * len(columns)) >> 32], shape[1])
    found, span = [], 2 * reach + 1
    for k in range(fan_in):
        drawn = hashed(own, k)
        down = y - reach + (((drawn >> 48) * span) >> 16)
        right = x - reach + (((drawn >> 32 & 0xFFFF) * span) >> 16)
        pixel = min(max(down, 0), shape[0] - 1) * shape[1] + min(max(right, 0), shape[1] - 1)
        found.append((pixel, 1 if drawn & 1 else -1))
    return found


def is_on(row: Sequence[float], wired: Sequence[tuple[int, int]], level: float) -> bool:
    """Whether the signed sum of its inputs is above the unit's level, its threshold."""
    total = 0.0
    for column, sign in wired:
        total += sign * row[column]
    return total > level
