"""The card is typed: what it holds is what its types say, however a model was made."""

from __future__ import annotations

import math
from types import NoneType, UnionType
from typing import Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import rosenblatt
from rosenblatt.features import Wishes
from rosenblatt.model.card import MAY, NEEDED, Card
from rosenblatt.pipeline import Goal
from rosenblatt.pipeline.update import update


def needed(kind: Any) -> set[str]:
    """The fields that are always there. Types that are written as text do not tell in `__required_keys__`."""
    hints = get_type_hints(kind, include_extras=True)
    return {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}


def misfits(value: Any, kind: Any, where: str = "card") -> list[str]:
    """Where the value is not what the type says."""
    if get_origin(kind) is NotRequired:
        kind = get_args(kind)[0]
    if is_typeddict(kind) and isinstance(value, dict):
        hints = get_type_hints(kind, include_extras=True)
        wrong = [f"{where}.{name}: unknown" for name in value if name not in hints]
        wrong += [f"{where}.{name}: missing" for name in needed(kind) if name not in value]
        return wrong + [each for name in value if name in hints for each in misfits(value[name], hints[name], name)]
    if isinstance(kind, UnionType):
        found = [misfits(value, one, where) for one in get_args(kind)]
        return [] if [] in found else found[0]
    if get_origin(kind) is list:
        return [each for item in value for each in misfits(item, get_args(kind)[0], where)]
    if get_origin(kind) is dict and get_args(kind)[1] is not Any:
        return [each for name, item in value.items() for each in misfits(item, get_args(kind)[1], f"{where}.{name}")]
    plain = dict if is_typeddict(kind) else get_origin(kind) or (NoneType if kind is None else kind)
    return [] if type(value) is plain else [f"{where}: {type(value).__name__} is no {plain}"]


MADE = {
    "perceptron": lambda: rosenblatt.train("iris", model="perceptron", seeds=2),
    "naive Bayes": lambda: rosenblatt.train("mail", model="naive-bayes", k=math.inf),
    "finalists": lambda: rosenblatt.train("breast-cancer", seed=8),
    "goal": lambda: rosenblatt.train("mail", goal=Goal("spam", 0.1), wishes=Wishes(drop=["sender"])),
    "test apart": lambda: rosenblatt.train("iris", test="iris"),
    "updated": lambda: update(model := rosenblatt.train("iris"), model.read("iris")),
}


@pytest.mark.parametrize("name", MADE)
def test_a_card_holds_what_its_types_say(name):
    assert misfits(MADE[name]().card, Card) == []


def test_a_card_of_other_types_would_be_noticed():
    card = rosenblatt.train("iris", model="perceptron", passes=1).card
    assert misfits({**card, "rows": "150"}, Card)
    assert misfits({**card, "split": {**card["split"], "seconds": 1.0}}, Card)
    assert misfits({name: value for name, value in card.items() if name != "choice"}, Card)


def test_what_is_checked_of_a_card_in_a_file_is_a_field_of_its_type():
    assert {*NEEDED, *MAY} <= set(Card.__annotations__)
    assert set(NEEDED) <= needed(Card)
