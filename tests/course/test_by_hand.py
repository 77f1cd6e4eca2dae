"""Numbers, vectors and answers as students write them."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from rosenblatt.course.by_hand import Unreadable, change_of, read_answer, read_number, same, vector_of

NUMBERS = {
    "1/3": F(1, 3), "0.333": F(333, 1000), "0,333": F(333, 1000), " -2 ": F(-2), "−2": F(-2), "+1": F(1), "'-1": F(-1),
    ".5": F(1, 2), "33.3 %": F(333, 1000), "1e-3": F(1, 1000), "-1·1 + 0·3 = -1": F(-1), "(1/8)": F(1, 8),
    "3/8 = 0,375": F(3, 8), "-1/3": F(-1, 3), "2≈ 2,5": F(5, 2),
}  # fmt: skip
VECTORS = {
    "[1, 3, 2]": (1, 3, 2), "(1; 0,5; -2)": (1, F(1, 2), -2), "1 3 2": (1, 3, 2), "-[1, 2, 3]": (-1, -2, -3),
    "'+[1, 2, 3]": (1, 2, 3), "+ 1·(-1)·[1, 3, 2]": (-1, -3, -2), "0.5·(-1)·[2, 4, 6]": (-1, -2, -3),
    "[0, 0, 0] − [1, 2, 3] = [-1, -2, -3]": (-1, -2, -3), "[1,3,2]": (1, 3, 2), "1/2, 0.25, 0": (F(1, 2), F(1, 4), 0),
    "[0,5 1 2]": (F(1, 2), 1, 2),
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_taken_at_their_word(text):
    assert read_number(text) == NUMBERS[text]


@pytest.mark.parametrize("text", VECTORS)
def test_vectors_in_the_notation_of_each_course(text):
    assert vector_of(3)(text) == VECTORS[text]


@pytest.mark.parametrize("text", ["", "three", "1/0", "1.234,5", "1,2,3", "--1", "9" * 100, "#DIV/0!", "٣·"])
def test_what_is_no_number_is_told_in_one_line(text):
    with pytest.raises(Unreadable, match="write a number") as told:
        read_number(text)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("text", ["3-Jan", "Jan 3", "01. Mrz", "1.3.2026", "2026-01-03", "1/2/3"])
def test_a_fraction_that_a_spreadsheet_took_for_a_date_is_named_so(text):
    with pytest.raises(Unreadable, match="took a fraction for a date"):
        read_number(text)


def test_no_update_may_be_said_in_words():
    assert change_of(2)("none") == change_of(2)("0") == change_of(2)("[0, 0]") == (0, 0)
    assert change_of(2)("-[1, 2]") == (-1, -2)
    with pytest.raises(Unreadable, match="write 2 numbers"):
        change_of(2)("[1, 2, 3]")


def test_yes_and_no():
    assert read_answer("Yes")
    assert not read_answer(" no ")
    with pytest.raises(Unreadable, match="yes or no"):
        read_answer("maybe")


def test_three_significant_digits_are_enough_and_two_are_not():
    assert same(F(333, 1000), F(1, 3))
    assert same(F("0.667"), F(2, 3))
    assert same(F("0.00391"), F(1, 256))
    assert not same(F("0.33"), F(1, 3))
    assert not same(F("0.0039001"), F(1, 250))
    assert not same(F("0.001"), F(0))
    assert not same(F(101), F(100))
