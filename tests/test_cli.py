"""The command line: what it prints, and how it ends when something is wrong."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from rosenblatt import cli
from rosenblatt.cli.train import BUILT_IN, interval
from rosenblatt.errors import DataError


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_set_trains(name):
    done = CliRunner().invoke(cli.commands, ["train", name, "--seed", "1"])
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == ["data", "split", "run", "test", "proof"]
    assert all(len(line) <= 100 for line in done.output.splitlines())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "digit"], "'digit' is not one of"),
        (["learn"], "No such command"),
        (["train", "--seed", "-1"], "is not in the range"),
    ],
)
def test_wrong_usage_ends_with_code_2_and_a_hint(arguments, message):
    done = CliRunner().invoke(cli.commands, arguments)
    assert done.exit_code == 2
    assert message in done.output


def test_wrong_data_ends_with_code_1_and_one_line(monkeypatch, capsys):
    @click.command()
    def broken():
        raise DataError("tennis.csv: no column named 'Play'.")

    monkeypatch.setattr(cli, "commands", lambda: broken(args=[], standalone_mode=False))
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 1
    assert capsys.readouterr().err == "rosenblatt: tennis.csv: no column named 'Play'.\n"


def test_the_interval_is_wilson_s():
    # Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611.
    assert interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
