"""What every family promises, with every variant of its weights and every rule: shared checks over the tables.

Whoever adds a family, a variant or a rule to its table finds it checked here.
"""

from __future__ import annotations

import warnings
from functools import cache
from itertools import product

import numpy as np
import pyarrow as pa
import pytest

import rosenblatt
from exported import in_duckdb, same_scores, scores_in
from rosenblatt.cli.train import train as command
from rosenblatt.data import spooled
from rosenblatt.distributed import local
from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Bag, Listed
from rosenblatt.learn.rules import RULES
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.families import FAMILIES, by_name
from rosenblatt.pipeline.tries import ASKED_WEIGHTS, RUN_APART
from rosenblatt.pipeline.update import update
from rosenblatt.report.html import page
from rosenblatt.store import to_bytes

# What is fixed where a family has it, so that a search is short.
FIXED = {"passes": 3, "margin": 1.0, "k": 0.5}
TABLES = {"weights": ASKED_WEIGHTS, "rule": tuple(RULES)}
ROWS = 150


def asked_of(family):
    """The family with every variant and every rule that it has, but for those that it refuses."""
    own = [name for name in TABLES if name in family.settings]
    fixed = {name: value for name, value in FIXED.items() if name in family.settings}
    for values in product(*(TABLES[name] for name in own)):
        asked = {"model": family.model, **fixed, **dict(zip(own, values, strict=True))}
        try:
            Choices(**asked)
        except SettingError:
            asked.pop("margin", None)  # rules with an amount of their own have none
            try:
                Choices(**asked)
            except SettingError:
                continue
        yield asked


ASKED = [asked for family in FAMILIES for asked in asked_of(family)]
every = pytest.mark.parametrize("asked", ASKED, ids=lambda asked: " ".join(map(str, asked.values())))
many = pytest.mark.parametrize("classes", [2, 3])


def table_of(classes: int, rows: int = ROWS, seed: int = 2) -> pa.Table:
    """Names, few and many numbers, with missing values; the label follows from them, but for some noise."""
    make = np.random.default_rng(seed)
    size, colour = make.choice(["tiny", "fair", "huge"], rows), make.choice(["red", "green", "blue"], rows)
    width, rooms = make.normal(size=rows), make.integers(1, 8, rows)
    score = width + (size == "huge") - (colour == "red") + rooms / 4 + make.normal(size=rows) / 3
    cuts = np.quantile(score, np.arange(1, classes) / classes)
    return pa.table({
        "size": size, "colour": [None if i % 17 == 0 else str(v) for i, v in enumerate(colour)],
        "width": [None if i % 13 == 0 else round(float(v), 3) for i, v in enumerate(width)], "rooms": rooms,
        "label": [f"class {c}" for c in np.searchsorted(cuts, score)],
    })  # fmt: skip


@cache
def trained(items: tuple, classes: int):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return train_with_evidence(table_of(classes), label="label", curves=True, **dict(items))


def model_of(asked, classes):
    return trained(tuple(asked.items()), classes)[0]


def refused(call) -> str:
    """What is said where something is refused: one line."""
    with pytest.raises(SettingError) as found:
        call()
    said = str(found.value)
    assert "\n" not in said
    return said


def test_the_command_offers_the_families_of_the_table():
    (option,) = [option for option in command.params if option.name == "model"]
    assert tuple(option.type.choices) == ("auto", *by_name())


@every
@many
def test_a_model_predicts_and_is_the_same_in_its_file(asked, classes, tmp_path):
    model, rows = model_of(asked, classes), table_of(classes, 60, seed=8).drop_columns(["label"])
    assert model.learner.family == asked["model"]
    always = max(np.unique(table_of(classes)["label"], return_counts=True)[1]) / ROWS
    assert model.evaluate(table_of(classes)).accuracy > always
    names = [model.classes.names[code] for code in model.decision.decide(model.scores(rows))]
    assert model.predict(rows) == names
    rosenblatt.save(model, tmp_path / "m.rosenblatt")
    again = rosenblatt.load(tmp_path / "m.rosenblatt")
    assert model.scores(rows).tobytes() == again.scores(rows).tobytes()
    assert again.card["choice"] == model.card["choice"]


@every
@many
def test_an_explanation_sums_to_the_score(asked, classes):
    model, rows = model_of(asked, classes), table_of(classes, 20, seed=8)
    if asked.get("weights") == "voted":  # votes are no sum
        assert refused(lambda: model.explain(rows.slice(0, 1)))
        return
    for number in range(20):
        found = model.explain(rows.slice(number, 1))
        assert found.contributions.sum(axis=1) + found.bias == pytest.approx(found.scores, abs=1e-9)
        assert found.predicted == model.predict(rows.slice(number, 1))[0]


@every
@many
def test_a_model_learns_more(asked, classes):
    model, more = model_of(asked, classes), table_of(classes, 40, seed=9)
    given = model.read(more, "label")
    if asked.get("weights") == "voted":  # every row of the past has its vote
        assert refused(lambda: update(model, given))
        return
    new = update(model, given)
    assert new.card["updates"][-1]["rows"] == 40
    assert not np.array_equal(new.scores(given), model.scores(given))


@every
@many
def test_exported_scores_are_those_of_the_model(asked, classes):
    model, rows = model_of(asked, classes), table_of(classes, 40, seed=8).drop_columns(["label"])
    formula = model.learner.summed_or_none(model.plan)
    if formula is None:
        assert refused(lambda: in_duckdb(model, rows))
        return
    assert not any(isinstance(term, Bag | Listed) for term in formula.terms)
    found = in_duckdb(model, rows)
    same_scores(scores_in(found, model), model.scores(rows))
    assert found["predicted"].to_pylist() == model.predict(rows)


@every
@many
def test_a_report_is_made(asked, classes):
    model, evidence = trained(tuple(asked.items()), classes)
    shown = page(model, evidence)
    assert model.card["choice"]["name"] in shown
    assert f"{model.card['test']['accuracy']:.1%}" in shown
    assert not evidence.worst or any(row.turned and row.turned.split(":")[0] in shown for row in evidence.worst)


@every
@many
def test_what_turns_a_decision_turns_it(asked, classes):
    model, rows = model_of(asked, classes), table_of(classes, 10, seed=8).drop_columns(["label"])
    for number in range(10):
        found = model.flip(rows.slice(number, 1))
        assert model.predict(found.row) == [found.becomes]
        assert found.becomes != found.predicted == model.predict(rows.slice(number, 1))[0]


@every
def test_out_of_core_and_on_threads_the_bits_are_the_same(asked, tmp_path, monkeypatch):
    from pyarrow.csv import write_csv

    rows = table_of(2, 400).append_column("beside", pa.array(["always the same " * 8] * 400))
    write_csv(rows, tmp_path / "rows.csv")
    monkeypatch.setattr(spooled, "BLOCK", 1 << 11)
    source, wide = str(tmp_path / "rows.csv"), {**asked, "label": "label"}
    here = to_bytes(rosenblatt.train(source, **wide))
    assert to_bytes(rosenblatt.train(source, memory="41kB", **wide)) == here
    assert to_bytes(rosenblatt.train(source, jobs=1, **wide)) == here


@pytest.fixture(scope="module")
def two():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with local(2) as site:
            yield site


@every
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_on_two_workers_the_bits_are_the_same(asked, two):
    shards = {} if asked.get("weights") in RUN_APART else {"shards": 2}
    here = rosenblatt.train(table_of(2), label="label", **asked, **shards)
    there = rosenblatt.train(table_of(2), label="label", site=two, **asked, **shards)
    assert to_bytes(here) == to_bytes(there)
