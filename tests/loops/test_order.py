"""The shuffling rule is part of every result, so its numbers are pinned: a change here changes every model."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.loops.order import BLOCK, hash_order, hashed, key_of, pass_order, row_hashes

ALL = 2**64 - 1


def plain_hash(key: int, number: int) -> int:
    z = (key + (number + 1) * 0x9E3779B97F4A7C15) & ALL
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & ALL
    return z ^ (z >> 31)


def plain_permutation(key: int, items: list[int]) -> list[int]:
    items = list(items)
    for t in range(len(items) - 1, 0, -1):
        draw = ((plain_hash(key, t) >> 32) * (t + 1)) >> 32
        items[t], items[draw] = items[draw], items[t]
    return items


def plain_pass_order(first: list[int], key: int) -> list[int]:
    blocks = plain_permutation(key, list(range((len(first) + 255) // 256)))
    return [row for b in blocks for row in plain_permutation(plain_hash(key, b), first[256 * b : 256 * (b + 1)])]


def our_hash(key: int, number: int) -> int:
    with np.errstate(over="ignore"):  # a warning of numpy's, with the compiler off
        return int(hashed(np.uint64(key), np.uint64(number)))


@given(st.integers(0, ALL), st.integers(0, ALL - 1))
def test_the_hash_is_splitmix64(key, number):
    assert our_hash(key, number) == plain_hash(key, number)


def test_splitmix64_gives_its_published_stream():
    # The first outputs of the generator for seed 1234567, as its authors publish them.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [our_hash(1234567, t) for t in range(3)] == expected


@given(st.integers(0, ALL), st.integers(1, 1500))
def test_a_pass_permutes_blocks_and_the_rows_within_them(key, n):
    first = np.arange(n, dtype=np.uint32)[::-1].copy()
    order = np.empty_like(first)
    pass_order(first, np.uint64(key), 5, 2, order)
    assert order.tolist() == plain_pass_order(first.tolist(), plain_hash(plain_hash(key, 5), 2))
    assert sorted(order.tolist()) == list(range(n))
    assert BLOCK == 256


@given(st.lists(st.integers(0, ALL), unique=True), st.integers(0, 1000))
def test_hashes_are_put_in_order(hashes, n):
    some = np.array(hashes, np.uint64)
    assert hash_order(some).tolist() == np.argsort(some).tolist()
    even = row_hashes(7, np.arange(n, dtype=np.uint32))
    assert hash_order(even).tolist() == np.argsort(even).tolist()


def test_the_numbers_are_pinned():
    hashes = row_hashes(0, np.arange(5, dtype=np.uint32))
    assert hash_order(hashes).tolist() == [2, 0, 3, 1, 4]
    order = np.empty(8, np.uint32)
    pass_order(np.arange(8, dtype=np.uint32), key_of(0), 0, 0, order)
    assert order.tolist() == [2, 6, 5, 1, 4, 0, 3, 7]
