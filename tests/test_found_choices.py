"""Choices that were found wrong in use: columns, classes, weights, families and encodings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rosenblatt import cli, train
from rosenblatt.errors import DataError


def salaries(folder: Path, name: str = "salary", spread: int = 100_000) -> Path:
    """250 people with salaries that are all distinct, and a column that says nothing."""
    rng = np.random.default_rng(5)
    salary = 20_000 + rng.choice(spread, 250, replace=False)
    rows = [f"{s},{rng.normal():.4f},{'high' if s > 20_000 + spread / 2 else 'low'}" for s in salary]
    path = folder / "people.csv"
    path.write_text(f"{name},noise,label\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("memory", [None, "30kB"], ids=["in memory", "on the disk"])
class TestFound18:
    def test_found_18_distinct_salaries_are_amounts_and_no_id(self, memory, tmp_path):
        model = train(str(salaries(tmp_path)), memory=memory)
        assert {line.column: line.kind for line in model.plan.lines}["salary"] == "numeric"
        assert model.card["test"]["accuracy"] > 0.9
        assert ("disk" in model.card) == (memory is not None)

    @pytest.mark.parametrize("name", ["id", "customer_id", "PassengerId", "customerID", "order no", "id of row"])
    def test_found_18_the_same_numbers_under_the_name_of_an_id_are_one(self, name, memory, tmp_path):
        model = train(str(salaries(tmp_path, name)), memory=memory)
        line = next(line for line in model.plan.lines if line.column == name)
        assert line.kind == "dropped"
        assert line.reason == "an id by its name: 200 whole numbers, all distinct"

    def test_found_18_numbers_given_out_one_after_the_other_are_an_id(self, memory, tmp_path):
        model = train(str(salaries(tmp_path, "who", 250)), memory=memory)
        line = model.plan.lines[0]
        assert line.kind == "dropped"
        assert line.reason.startswith("an id: 200 whole numbers from 20000 to 20248")


def regression(n: int = 442, low: int = 25, high: int = 347) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and how far each patient's illness has gone: about 240 distinct whole numbers in 442 rows."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 3))
    return X, np.clip(150 + 60 * X[:, 0] + 30 * rng.normal(size=n), low, high - 1).astype(int)


@pytest.mark.parametrize("half", [1, 0.5], ids=["whole numbers", "fractions"])
def test_found_19_amounts_to_predict_are_refused_with_the_way_out(half):
    X, y = regression()
    with pytest.raises(DataError) as refused:
        train(X, label=(y * half).tolist())
    message = str(refused.value)
    assert "distinct numbers in 442 rows are amounts, not classes" in message
    assert "Put them into bins" in message
    assert "name another column" in message
    assert "\n" not in message


def test_found_19_a_command_ends_in_one_line_for_amounts(tmp_path, capfd):
    X, y = regression()
    lines = [",".join(f"{v:.3f}" for v in row) + f",{amount}" for row, amount in zip(X, y, strict=True)]
    (tmp_path / "ill.csv").write_text("a,b,c,progress\n" + "\n".join(lines) + "\n")
    with pytest.raises(SystemExit) as end:
        cli.main(["train", str(tmp_path / "ill.csv"), "--label", "progress"])
    _, err = capfd.readouterr()
    assert end.value.code == 1
    assert "are amounts, not classes" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("names", "each"),
    [
        (range(10), 12),  # digits
        (range(1, 27), 5),  # letters
        (range(1, 106), 5),  # many classes of little data
        (range(0, 3000, 100), 12),  # codes with gaps, each with many rows
        ([f"person {k}" for k in range(200)], 4),
        ([0.5, 1.0, 1.5, 2.0], 30),
    ],
)
def test_labels_that_are_classes_stay_classes(names, each):
    labels = list(names) * each
    model = train(
        np.random.default_rng(0).normal(size=(len(labels), 2)), label=labels, model="perceptron", passes=1, margin=0
    )
    assert len(model.classes.names) == len(names)
