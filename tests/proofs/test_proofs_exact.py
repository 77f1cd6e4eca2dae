"""The parts that proofs rest on: the filter's bound, roots, the rational solver, the program in integers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt.proofs.clock import Clock
from rosenblatt.proofs.exact import Separator, float_leads, radius_up, root_down, root_up
from rosenblatt.proofs.input import read_question
from rosenblatt.proofs.matrix import SignedRows, integer_array
from rosenblatt.proofs.rational import vanishing
from rosenblatt.proofs.simplex import cancel_or_separate


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("spread", [0, 20, 140])
def test_the_filter_never_claims_more_than_the_exact_lead(n_classes, storage, spread):
    r = np.random.default_rng(n_classes + spread)
    X = r.normal(size=(60, 9)) * 10.0 ** r.integers(-spread, min(spread, 60) + 1, (60, 9))
    question = read_question(storage(X), np.arange(60) % n_classes)
    weights = r.normal(size=(n_classes, 10)) * 10.0 ** r.integers(-spread, spread + 1, (n_classes, 10))
    separator = Separator.of(weights[0] if n_classes == 2 else weights)
    leads = float_leads(question, separator.floats())
    clear = 0
    for row, true in enumerate(question.truth.tolist()):
        for other in set(range(n_classes)) - {true}:
            place = row, 0 if n_classes == 2 else other
            if leads.clear[place]:
                assert 0 < Fraction(float(leads.low[place])) <= separator.lead(question, row, other)
                clear += 1
    assert clear


@given(st.fractions(min_value=0, max_value=10**40))
def test_roots_are_rounded_to_the_side_they_say(value):
    low, high = root_down(value), root_up(value)
    assert Fraction(low) ** 2 <= value <= Fraction(high) ** 2
    assert high - low <= 2 * np.spacing(high)


def test_the_radius_is_not_below_the_longest_row():
    r = np.random.default_rng(3)
    for X in (r.normal(size=(50, 7)), np.tile(r.normal(size=(1, 7)), (50, 1))):
        radius = Fraction(radius_up(read_question(X, np.arange(50) % 2)))
        longest = max(1 + sum(Fraction(v) ** 2 for v in line) for line in X.tolist())
        assert longest <= radius**2 <= longest * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize("size", [1, 2, 5, 30])
@pytest.mark.parametrize("bits", [3, 60, 300])
def test_the_rational_solver_finds_the_combination_that_was_hidden(size, bits):
    dice = np.random.default_rng(size + bits)

    def number():
        return int.from_bytes(dice.bytes(bits // 8 + 1), "big", signed=True)

    rows = [[number() for _ in range(size + 2)] for _ in range(size)]
    multiples = [int(dice.integers(1, 50)) for _ in range(size)]
    rows.append([-sum(c * row[j] for c, row in zip(multiples, rows, strict=True)) for j in range(size + 2)])
    matrix = integer_array([v for row in rows for v in row]).reshape(size + 1, size + 2)
    found = vanishing(matrix, Clock())
    assert found is not None
    assert [Fraction(c, found[-1]) for c in found] == [*multiples, 1]
    assert vanishing(matrix[:-1], Clock()) is None


def test_the_program_in_integers_ends_in_one_of_the_two():
    dice = np.random.default_rng(0)
    seen = set()
    for _ in range(100):
        count, width = int(dice.integers(1, 12)), int(dice.integers(1, 5))
        rows = dice.integers(-2, 3, (count, width)).astype(object)
        kind, numbers = cancel_or_separate(rows, Clock())
        seen.add(kind)
        if kind == "cancel":
            assert min(numbers) >= 0 < max(numbers)
            assert not any(integer_array(numbers) @ rows)
        else:
            assert min(rows @ integer_array(numbers)) > 0
    assert seen == {"cancel", "separate"}


def test_signed_rows_of_three_classes_leave_out_the_first_block():
    question = read_question([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [0, 1, 2])
    signed = SignedRows(question, [0, 1, 2], [1, 2, 0])
    assert signed.values.toarray().tolist() == [[-1, -2, -1, 0, 0, 0], [3, 4, 1, -3, -4, -1], [0, 0, 0, 5, 6, 1]]
