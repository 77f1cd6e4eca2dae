"""Certificates: damaged, tampered or for other data, none gets through; nor does any that is false."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace

import numpy as np
import pytest

from rationals import holds
from rosenblatt.errors import DataError
from rosenblatt.proofs import Inseparable, from_json, prove
from rosenblatt.proofs.certificate import checksum

BLOCKS = 100 if os.environ.get("ROSENBLATT_FAULTS") else 10  # of 100 mutations each
XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]


def samples():
    """Small data with every kind of verdict, two classes and more."""
    r = np.random.default_rng(5)
    sets = [XOR, ([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1])]
    sets.append((r.normal(size=(12, 2)).tolist(), [0, 1, 2] * 4))
    sets.append(([[0.1, 0.7], [2, 1], [1.3, -1], [-3, 0.3], [2, 1.5]], ["a", "b", "b", "c", "b"]))
    found = [(prove(X, y), X, y) for X, y in sets]
    noise = r.normal(size=(40, 5)).tolist(), r.integers(0, 2, 40).tolist()
    return [*found, (prove(*noise, time_limit=0), *noise)]


SAMPLES = samples()


def mutate(content, dice):
    """One value somewhere in the certificate replaced, removed, repeated or nudged."""
    place = content
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = dice.choice(keys)
        if isinstance(place[key], dict | list) and place[key] and dice.random() < 0.9:
            place = place[key]
            continue
        value = place[key]
        action = dice.randrange(8)
        if action == 0 and isinstance(place, list):
            del place[key]
        elif action == 1 and isinstance(place, list):
            place.append(value)
        elif isinstance(value, bool) or value is None:
            place[key] = not value
        elif isinstance(value, int):
            place[key] = dice.choice(
                [value + 1, value - 1, -value, 0, value * 2, float(value % 2**60), str(value), 10**400]
            )
        elif isinstance(value, float):
            near = [np.nextafter(value, 9e9), np.nextafter(value, -9e9), value * (1 + 1e-9), value * 1.5, -value, 0.0]
            place[key] = dice.choice([*map(float, near), 1e308, None, hex(7)])
        elif isinstance(value, str):
            place[key] = dice.choice([value[:-1], value + "0", value.swapcase(), hex(dice.getrandbits(80)), ""])
        else:
            place[key] = dice.choice([[], {}, 0, "x"])
        return


def accepted(text, X, y):
    try:
        return from_json(text).check(X, y)
    except DataError:
        return False


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_changed_certificate_is_refused_and_one_signed_anew_is_accepted_only_if_true(block):
    dice = random.Random(block)
    changed = true = 0
    for _ in range(100):
        verdict, X, y = dice.choice(SAMPLES)
        original = verdict.to_json()
        content = json.loads(original)
        for _ in range(dice.choice([1, 1, 1, 2, 3])):
            mutate(content, dice)
        if json.dumps(content, sort_keys=True) == json.dumps(json.loads(original), sort_keys=True):
            continue
        changed += 1
        assert not accepted(json.dumps(content), X, y)  # the checksum does not fit any more
        content.pop("checksum", None)
        content["checksum"] = checksum(content)
        signed = json.dumps(content)
        if accepted(signed, X, y):
            true += 1
            claimed = from_json(signed)
            assert holds(claimed, X, y), signed
            assert claimed.data == verdict.data
    assert changed > 50
    assert true < changed


def test_bytes_changed_anywhere_are_refused():
    dice = random.Random(1)
    for _ in range(300):
        verdict, X, y = dice.choice(SAMPLES)
        text = bytearray(verdict.to_json().encode())
        place = dice.randrange(len(text) - 1)
        text[place] ^= 1 << dice.randrange(8)
        assert not accepted(bytes(text), X, y), text[max(0, place - 20) : place + 20]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"multipliers": (1, 1, 1, 2)}, "do not cancel"),
        ({"multipliers": (1, 1, 1, 0)}, "not positive"),
        ({"multipliers": (1, -1, 1, 1)}, "not positive"),
        ({"multipliers": (1, 1, 1)}, "one multiplier for each row"),
        ({"multipliers": (1, -(16**5000), 1, 1)}, "not positive"),
        ({"rows": (0, 1, 2, 16**5000)}, "outside 0 to 3"),
        ({"rows": (0, 1, 2, 4)}, "outside 0 to 3"),
        ({"rows": (-1, 1, 2, 3)}, "outside 0 to 3"),
        ({"others": (0, 0, 0, 1)}, "no other class"),
    ],
)
def test_a_false_statement_is_refused_with_its_reason(change, message):
    verdict = prove(*XOR)
    assert isinstance(verdict, Inseparable)
    with pytest.raises(DataError, match=message):
        from_json(replace(verdict, **change).to_json()).check(*XOR)


def test_a_separator_that_claims_too_much_is_refused():
    verdict, X, y = SAMPLES[1]
    claims = [("margin", "margin"), ("gap", "gap")]
    for name, message in claims:
        with pytest.raises(DataError, match=message):
            replace(verdict, **{name: float(np.nextafter(getattr(verdict, name) * (1 + 1e-12), 1))}).check(X, y)
    with pytest.raises(DataError, match="radius"):
        replace(verdict, radius=verdict.radius * (1 - 1e-12)).check(X, y)
    with pytest.raises(DataError, match="more mistakes"):
        replace(verdict, mistake_bound=verdict.mistake_bound - 1).check(X, y)
    with pytest.raises(DataError, match="do not separate row"):
        replace(verdict, weights=-verdict.weights).check(X, y)
    with pytest.raises(DataError, match="shape"):
        replace(verdict, weights=verdict.weights[:2]).check(X, y)


def test_other_data_is_refused_and_the_difference_named():
    verdict = prove(*XOR)
    X, y = XOR
    with pytest.raises(DataError, match="4 rows, 2 columns and 2 classes, the data has 4 rows, 3 columns"):
        verdict.check([[*x, 1] for x in X], y)
    with pytest.raises(DataError, match="classes differ"):
        verdict.check(X, [0, 2, 2, 0])
    with pytest.raises(DataError, match="order of rows differ"):
        verdict.check(X[::-1], [0, 1, 1, 0])
    with pytest.raises(DataError, match="NaN"):
        verdict.check([[0, float("nan")], *X[1:]], y)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON"),
        ("[]", "does not begin"),
        ("{}", "does not begin"),
        ("[" * 100_000, "nested too deeply"),
        ("NaN", "NaN"),
    ],
)
def test_what_is_no_certificate_is_refused(text, message):
    with pytest.raises(DataError, match=message):
        from_json(text)


def test_a_field_named_twice_is_refused():
    text = prove(*XOR).to_json()
    with pytest.raises(DataError, match="twice"):
        from_json(text.replace('"verdict":', '"verdict":"separable","verdict":'))
