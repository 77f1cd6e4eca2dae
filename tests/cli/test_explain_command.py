"""`rosenblatt explain`: from words or values to the training rows, to what would turn it, and to how it is checked."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

import rosenblatt
from rosenblatt import cli

TEXT = "Final notice: renew your domain name today, claim your free prize now, click here to pay"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "mail.rosenblatt"
    rosenblatt.save(rosenblatt.train("mail", record=True, passes=4, margin=1.0), path)
    return str(path)


def run(*words: str) -> str:
    return CliRunner().invoke(cli.commands, ["explain", *words], catch_exceptions=False).output


def test_the_chain_of_a_recorded_model_ends_in_how_it_is_checked(recorded):
    shown = run(recorded, "--text", TEXT, "--features", "3")
    model = rosenblatt.load(recorded)
    score = float(model.scores([TEXT])[0])
    places = [shown.index(part) for part in ("score ", "training rows behind", "turned   ", "check    ")]
    assert places == sorted(places)
    parts = re.findall(r"^ +([+-][\d.e-]+)  (.*)$", shown.split("training rows behind")[1].split("turned")[0], re.M)
    assert float(parts[-1][0]) == pytest.approx(score, rel=1e-4)
    assert sum(float(part) for part, _ in parts[:-1]) == pytest.approx(score, abs=1e-3)
    assert len(parts) == 5  # three rows, the others together, and the sum
    assert f"rosenblatt check {recorded} DATA" in shown


def test_a_record_without_parts_of_rows_says_why(tmp_path):
    path = str(tmp_path / "mail.rosenblatt")
    rosenblatt.save(rosenblatt.train("mail", record=True, rule="arow", passes=1), path)
    shown = run(path, "--text", TEXT)
    assert "no row has a part of the score: the rule adds no multiples of rows" in shown
    assert f"rosenblatt check {path} DATA" in shown
    assert "behind" not in json.loads(run(path, "--text", TEXT, "--json"))


def test_flip_shows_every_change_and_json_has_them(recorded):
    model = rosenblatt.load(recorded)
    found = model.flip([TEXT])
    assert len(found.changes) > 3
    brief, full = run(recorded, "--text", TEXT), run(recorded, "--text", TEXT, "--flip")
    assert f"and {len(found.changes) - 3} more (--flip)" in brief
    assert all(str(each) in full for each in found.changes)
    plain = json.loads(run(recorded, "--text", TEXT, "--flip", "--json"))
    assert plain["flip"] == found.to_dict()
    assert "flip" not in json.loads(run(recorded, "--text", TEXT, "--json"))


def test_what_nothing_turns_is_said_in_one_line(recorded):
    shown = run(recorded, "--text", "qqq", "--flip")
    assert "turned   no word taken out and no known value put in its place turns" in shown
    assert "turned" not in run(recorded, "--text", "qqq")


def test_votes_have_no_sum_but_what_turns_them_is_found(tmp_path):
    path = str(tmp_path / "iris.rosenblatt")
    rosenblatt.save(rosenblatt.train("iris", model="perceptron", weights="voted", passes=2, margin=0.0), path)
    assert run(path, "iris", "--row", "1", "--flip").startswith("turned   ")
    assert json.loads(run(path, "iris", "--row", "1", "--flip", "--json"))["flip"]["predicted"] == "setosa"


def test_only_naive_bayes_has_a_posterior_of_its_own(recorded):
    assert "own posterior" not in run(recorded, "--text", TEXT)
