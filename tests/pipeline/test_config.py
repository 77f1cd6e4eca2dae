"""The config: printed without training, read back, kept by the model, and good for the same model again."""

from __future__ import annotations

import inspect
import math
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rosenblatt
from rosenblatt import cli
from rosenblatt.data import How, read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import TextSettings, Wishes
from rosenblatt.pipeline import Choices, Goal
from rosenblatt.pipeline.config import KEYS, NAMES, SECTIONS, Config, read_config, to_toml, toml_key, toml_value
from rosenblatt.store import load, to_bytes

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=20)
SIZES = "size,colour,price,day,who,note,label\n" + "".join(
    f"{('small', 'medium', 'large')[i % 3]},{('red', 'blue')[i % 2]},{i % 7 + 0.5},2024-01-{i % 28 + 1:02},p{i // 4},"
    f"a note of {i % 11} words here,{('yes', 'no')[i % 5 > 2]}\n"
    for i in range(120)
)


@pytest.fixture
def run(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sizes.csv").write_text(SIZES)

    def call(*words):
        with pytest.raises(SystemExit) as end:
            cli.main(words)
        out, err = capfd.readouterr()
        return end.value.code or 0, out, err

    return call


@given(st.dictionaries(TEXTS, VALUES))
def test_what_is_written_as_toml_is_read_as_the_same(values):
    lines = "".join(f"{toml_key(name)} = {toml_value(value)}\n" for name, value in values.items())
    assert tomllib.loads(lines) == values


@given(st.lists(TEXTS, unique=True, max_size=4), st.sampled_from(["text", "category", "numeric", "bins", "drop"]))
def test_columns_of_any_name_come_back_from_the_file(names, kind):
    config = Config({"seed": 3, "label": "x\n[search]"}, Wishes(**{kind: names}))
    assert read_config(tomllib.loads(toml_of(config.to_dict()))).to_dict() == config.to_dict()


def toml_of(tables):
    return "".join(f"{name} = {toml_value(held)}\n" for name, held in tables.items())


def test_every_setting_has_one_key_and_every_key_is_a_setting():
    assert len(NAMES) == len(KEYS)
    fields = {name for kind in (Choices, Goal, TextSettings, Wishes) for name in kind.__dataclass_fields__} | set(
        How.__annotations__
    )
    no_part_of_the_result = {"jobs", "labelled", "lines", "raw", "usual"}
    columns = {"text", "category", "numeric", "bent", "date", "bins", "tags", "drop", "ordered", "reads"}
    held_by_others = {"wishes", "words", "costs", "weighing", *columns}
    named = set(NAMES) - {"label", "unlabelled", "test", "validation", "group", "time", "fit_all"}
    assert fields - no_part_of_the_result - held_by_others == named


def test_a_plan_is_printed_without_training(run):
    code, out, err = run("train", "sizes.csv", "--plan-only", "--drop", "price", "--seed", "7", "--positive", "yes")
    assert (code, err) == (0, "")
    plan = tomllib.loads(out)
    assert list(plan) == [*SECTIONS, "columns"]
    assert plan["search"]["seed"] == 7
    assert plan["goal"] == {"positive": "yes"}
    columns = plan["columns"]
    assert columns["size"]["order"] == ["small", "medium", "large"]
    assert columns["colour"]["kind"] == "ordered"
    assert columns["note"]["reason"].endswith("words a value")
    assert columns["price"] == {"kind": "drop", "reason": "as asked"}
    assert '\nday = {kind = "date", reason = "dates or times"}' in out
    assert not list(Path().glob("*.rosenblatt"))
    assert all(key.about in out for key in KEYS)


def test_a_plan_tells_the_notes_and_of_each_column_its_features_and_first_values(run):
    rows = [f"{k},5;{['ring', 'bell', 'gong', 'harp'][k % 4]};{'xy'[k % 3 > 0]}" for k in range(40)]
    Path("t.csv").write_text("\n".join(["price;name;label", *rows, ""]))
    out = run("train", "t.csv", "--plan-only")[1]
    assert "\n# note: semicolons stand between the values\n# note: price: the decimal sign is a comma" in out
    assert '\nname = {kind = "category", reason = "4 distinct values"}  # 4 features: bell, gong, harp, …' in out
    assert 'reason = "numbers with decimal commas"}  # 1 feature\n' in out


@pytest.mark.parametrize("data", ["sizes.csv", "iris", "mail", "notes", "digits"])
def test_a_plan_that_nobody_changed_gives_the_model_that_no_plan_gives(data, run):
    fast = ("--model", "perceptron", "--passes", "2", "--quiet")
    Path("plan.toml").write_text(run("train", data, "--plan-only")[1], encoding="utf8")
    assert run("train", data, *fast, "--out", "plain.rosenblatt")[0] == 0
    assert run("train", data, *fast, "--config", "plan.toml", "--out", "again.rosenblatt")[0] == 0
    plain, again = load("plain.rosenblatt"), load("again.rosenblatt")
    assert (plain.learner.weights == again.learner.weights).all()
    assert plain.card["test"] == again.card["test"]


def test_a_plan_that_was_changed_is_followed(run):
    plan = run("train", "sizes.csv", "--plan-only")[1]
    plan = plan.replace('price = {kind = "numeric"', 'price = {kind = "category"').replace(
        "pairs = false", "pairs = true"
    )
    Path("plan.toml").write_text(plan)
    assert run("train", "sizes.csv", "--config", "plan.toml", "--quiet")[0] == 0
    model = load("sizes.rosenblatt")
    assert {line.column: line.kind for line in model.plan.lines}["price"] == "category"
    assert "note of" in " ".join(model.plan.names)


TYPED = {
    "nothing": ("iris",),
    "a table": (
        "sizes.csv",
        "--label",
        "label",
        "--drop",
        "who",
        "--drop",
        "price",
        "--ordered",
        "colour=red,blue",
        "--no-scale",
    ),
    "a goal": ("sizes.csv", "--positive", "yes", "--max-false-positives", "10%", "--category", "price"),
    "a split": ("sizes.csv", "--time", "day", "--seed", "5", "--seeds", "2"),
    "a group": ("sizes.csv", "--group", "who", "--text", "size", "--relabel", "yes=maybe"),
    "naive Bayes": ("mail", "--model", "naive-bayes", "--k", "inf"),
    "a record": ("wine", "--record", "--margin", "0.1", "--passes", "3", "--weights", "final", "--shards", "2"),
    "test rows": ("sizes.csv", "--test", "sizes.csv", "--delimiter", ",", "--header"),
}


@pytest.mark.parametrize("name", TYPED)
def test_the_config_that_a_model_keeps_makes_the_same_model_to_the_bit(name, run):
    data, *options = TYPED[name]
    assert run("train", data, *options, "--quiet", "--out", "first.rosenblatt")[0] == 0
    code, out, _ = run("inspect", "first.rosenblatt", "--config")
    assert code == 0
    Path("kept.toml").write_text(out, encoding="utf8")
    assert run("train", data, "--config", "kept.toml", "--quiet", "--out", "second.rosenblatt")[0] == 0
    assert Path("first.rosenblatt").read_bytes() == Path("second.rosenblatt").read_bytes()


def test_an_option_comes_before_the_config_even_where_it_is_the_default(run):
    Path("c.toml").write_text(
        '[search]\nseed = 5\npasses = 3\n[columns]\nsize = {kind = "drop"}\nprice = {kind = "drop"}\n'
    )
    given = ("--config", "c.toml", "--seed", "0", "--category", "size", "--quiet")
    assert run("train", "sizes.csv", *given)[0] == 0
    model = load("sizes.rosenblatt")
    assert model.card["split"]["seed"] == 0
    assert model.card["choice"]["passes"] == 3
    kinds = {line.column: line.kind for line in model.plan.lines}
    assert (kinds["size"], kinds["price"]) == ("category", "dropped")


def test_in_python_a_config_is_a_file_or_a_dictionary_and_names_come_first(tmp_path):
    plain = {
        "search": {"model": "perceptron", "passes": 2, "seed": 3},
        "columns": {"petal width (cm)": {"kind": "drop"}},
    }
    file = tmp_path / "c.toml"
    file.write_text(toml_of(plain))
    one = rosenblatt.train("iris", config=plain)
    assert to_bytes(one) == to_bytes(rosenblatt.train("iris", config=file))
    assert to_bytes(one) == to_bytes(
        rosenblatt.train("iris", model="perceptron", passes=2, seed=3, drop=["petal width (cm)"])
    )
    other = rosenblatt.train("iris", config=plain, seed=4, numeric=["petal width (cm)"])
    assert other.card["config"] == {
        "search": {"model": "perceptron", "passes": 2, "seed": 4}, "columns": {"petal width (cm)": {"kind": "numeric"}},
    }  # fmt: skip


def test_columns_are_named_as_on_the_command_line_or_by_wishes():
    table = read("iris")
    fast = {"model": "perceptron", "passes": 1}
    wishes = Wishes(drop=["sepal width (cm)"], category=["petal width (cm)"])
    by_name = rosenblatt.train(table, drop=["sepal width (cm)"], category=["petal width (cm)"], **fast)
    assert to_bytes(by_name) == to_bytes(rosenblatt.train(table, wishes=wishes, **fast))
    ordered = rosenblatt.train(
        {"a": [*"xyz"] * 20, "b": [i + 0.5 for i in range(60)], "label": ["n", "m"] * 30},
        ordered={"a": list("zyx")},
        **fast,
    )
    assert ordered.plan.lines[0].values == ("z", "y", "x")


def test_labels_in_memory_are_in_no_config_and_numbers_of_numpy_are():
    import numpy as np

    X, y = np.arange(60.0).reshape(-1, 2), np.arange(30) % 2
    model = rosenblatt.train(X, label=y, seed=np.int64(4), margin=np.float64(0.5), passes=np.int32(2))
    assert model.card["config"] == {"search": {"margin": 0.5, "passes": 2, "seed": 4}}
    assert rosenblatt.train("mail", model="naive-bayes", k=math.inf).card["config"]["search"]["k"] == "inf"


WRONG = {
    "[serch]": r"serch is unknown. Did you mean 'search'\? Tables are: reading, ",
    "[search]\nsed = 1": r"search.sed is unknown. Did you mean 'seed'\? Keys of \[search\] are: model, ",
    '[search]\nseed = "1"': "search.seed must be a whole number from 0 to .*; got '1'",
    "[search]\nseed = true": "search.seed must be a whole number from 0 to .*; got True",
    "[search]\nmargin = -1": "search.margin must be a number from 0 to inf; got -1",
    '[search]\nmodel = "svm"': "search.model must be one of 'auto', .*; got 'svm'",
    "search = 3": "search must be a table of names and values; got 3",
    '[reading]\nstrings = "a"': "reading.strings must be a list; got 'a'",
    "[reading]\nrelabel = {a = 1}": "reading.relabel.a must be a text; got 1",
    '[columns]\na = {kind = "number"}': r"columns.a.kind must be one of 'text', .*; got 'number'",
    '[columns]\na = "text"': "columns.a must be a table of names and values; got 'text'",
    '[columns]\na = {kind = "ordered"}': r"columns.a.order \(its values, lowest first\) is for kind 'ordered'",
    '[columns]\na = {kind = "text", order = ["x"]}': "columns.a.order",
    '[columns]\na = {kind = "text", colour = "x"}': "columns.a.colour is unknown",
    "[goal]\ncost_false_positive = 1": "goal.cost_false_positive is about a class. Name it with positive",
    '[columns]\nnone = {kind = "text"}': "text: no column named 'none'. Columns are: size, ",
    '[text]\nstems = "klingon"': "klingon",
    "seed = = 1": r"not TOML \(.*line 1",
    "a = " + "[" * 3000: "not TOML",
}


@pytest.mark.parametrize("content", WRONG)
@pytest.mark.parametrize("command", ["train", "prove", "trace"])
def test_a_wrong_config_ends_in_one_line_that_names_the_place(command, content, run):
    Path("c.toml").write_text(content)
    code, out, err = run(command, "sizes.csv", "--config", "c.toml")
    used_by_train_alone = content.startswith("[goal]") and command != "train"
    assert (code, out) == ((0, out) if used_by_train_alone else (1, ""))
    assert used_by_train_alone or re.search(WRONG[content], err), err
    assert err.count("\n") <= 1


def test_a_config_that_is_not_there_or_no_text_ends_in_one_line(run):
    assert "none.toml: cannot be read (No such file or directory)" in run("train", "iris", "--config", "none.toml")[2]
    Path("binary.toml").write_bytes(b"\xff\xfe\0")
    assert "binary.toml: not TOML ('utf-8' codec" in run("train", "iris", "--config", "binary.toml")[2]
    with pytest.raises(SettingError, match=r"^config: search.k must be a number"):
        rosenblatt.train("iris", config={"search": {"k": None}})


def test_a_config_is_not_written_over_nor_is_a_test_that_it_names(run):
    Path("c.toml").write_text('[split]\ntest = "sizes.csv"\n')
    for out in ("c.toml", "sizes.csv"):
        code, _, err = run("train", "iris", "--config", "c.toml", "--out", out)
        assert code == 2
        assert "would write over" in err
    assert run("train", "iris", "--plan-only", "--out", "x")[0] == 2


def test_a_model_without_a_config_says_so_and_a_forged_one_is_refused(run):
    golden = Path(__file__).parents[1] / "golden" / "format-1-perceptron.rosenblatt"
    code, _, err = run("inspect", str(golden), "--config")
    assert code == 1
    assert "the model keeps no config" in err
    with pytest.raises(SettingError, match=r"m: the card.config: search.seed must be"):
        read_config({"search": {"seed": "x"}}, "m: the card.config")


def test_an_updated_model_says_so_in_its_config(run):
    assert run("train", "iris", "--quiet")[0] == 0
    assert run("update", "iris.rosenblatt", "iris")[0] == 0
    assert "updated since" in run("inspect", "iris.rosenblatt", "--config")[1]


def test_prove_and_trace_follow_what_the_config_says_of_columns(run):
    Path("c.toml").write_text(
        '[reading]\nlabel = "colour"\n[columns]\nsize = {kind = "drop"}\nlabel = {kind = "category"}\n'
        'day = {kind = "drop"}\nnote = {kind = "drop"}\n'
    )
    code, out, _ = run("prove", "sizes.csv", "--config", "c.toml")
    assert code == 0
    assert "size (as asked)" in out
    assert "--config c.toml" in out
    code, said, err = run("check", "certificate.json", "sizes.csv", "--config", "c.toml")
    assert (code, err) == (0, "")
    assert "The certificate holds" in said
    assert run("check", "certificate.json", "sizes.csv")[0] == 1
    out = run("trace", "sizes.csv", "--config", "c.toml", "--to", "csv")[1]
    assert "price" in out.partition("\n")[0]
    assert "size" not in out.partition("\n")[0]


def test_a_label_of_prove_on_the_command_line_comes_first(run):
    Path("c.toml").write_text('[reading]\nlabel = "colour"\n')
    assert "yes" in run("trace", "sizes.csv", "--config", "c.toml", "--label", "label", "--to", "json")[1]


def test_the_whole_config_of_a_plan_is_read_back(run):
    plan = rosenblatt.train("iris", model="perceptron", passes=1).plan
    every = {
        "label": "species", "strings": ["a"], "relabel": {"a b": "c"}, "scale": False, "unit": "rows", "pairs": True,
        "margin": 0.25, "seed": 2**64 - 1, "positive": 'a "b"', "max_false_positives": 1e-05,
    }  # fmt: skip
    config = Config(every)
    assert read_config(tomllib.loads(to_toml(config, plan))).to_dict() == config.to_dict()
    assert config.to_dict()["goal"] == {"positive": 'a "b"', "max_false_positives": 1e-05}


def test_the_page_names_every_key_in_the_row_of_its_table():
    page = (Path(__file__).parents[2] / "docs" / "train.md").read_text(encoding="utf8")
    rows = dict(re.findall(r"^\| `\[(\w+)\]` \| (.*) \|$", page, flags=re.MULTILINE))
    named = {section: tuple(re.findall(r"`(\w+)`", rows[section])) for section in SECTIONS}
    assert named == {s: tuple(key.name for key in KEYS if key.section == s) for s in SECTIONS}


def test_train_names_every_setting_and_types_it():
    taken = inspect.signature(rosenblatt.train).parameters
    assert {"drop", "text", "category", "numeric", "ordered", "config", "label", "test", "goal", "memory"} <= set(taken)
    assert all(each.kind is not each.VAR_KEYWORD and each.annotation is not each.empty for each in taken.values())
    assert set(NAMES) - set(taken) == {
        *TextSettings.__dataclass_fields__, *Goal.__dataclass_fields__, "scale", "unit", "rare", "share", "knots",
        "over", "units", "unlabelled", "kernel", "degree", "gamma", "device", "calibration", "size",
        "class_weights",
    }  # fmt: skip


@pytest.mark.parametrize("how", [{}, {"memory": "100kB"}])
def test_rows_without_a_label_are_refused_by_their_number_or_left_out_and_counted(tmp_path, how):
    path, whole = tmp_path / "t.csv", tmp_path / "whole.csv"
    rows = [f"{k % 7},{k % 5},{'ab'[k % 7 > 3]}" for k in range(80)]
    path.write_text("\n".join(["x,y,label", *rows[:40], "3,3,", "4,4,", *rows[40:], ""]))
    whole.write_text("\n".join(["x,y,label", *rows, ""]))
    quick = {"model": "perceptron", "passes": 3, **how}
    with pytest.raises(
        DataError, match=r't\.csv, row 41: no value for the label .* \(2 rows lack it\).*unlabelled = "skip"'
    ):
        rosenblatt.train(path, **quick)
    model = rosenblatt.train(path, config={"reading": {"unlabelled": "skip"}}, **quick)
    assert (model.learner.weights == rosenblatt.train(whole, **quick).learner.weights).all()
    assert "2 rows without a label are left out" in model.card["notes"]
    judged = rosenblatt.train(whole, config={"reading": {"unlabelled": "skip"}}, test=path, **quick)
    assert judged.card["test"]["rows"] == 80


@pytest.mark.parametrize("memory", [(), ("--memory", "100kB")])
def test_what_was_found_while_reading_is_in_the_plan_and_gives_the_same_model(run, memory):
    rows = [f"{k * 37 % 97};{k},5;{'ab'[k * 37 % 97 > 40]}" for k in range(80)]
    Path("t.csv").write_text("\n".join([*rows, ""]))
    out = run("train", "t.csv", "--plan-only", *memory)[1]
    found = tomllib.loads(out)["reading"]
    assert {name: found[name] for name in ("delimiter", "header", "label")} == {
        "delimiter": ";", "header": False, "label": "c3",
    }  # fmt: skip
    Path("plan.toml").write_text(out, encoding="utf8")
    quick = ("--model", "perceptron", "--passes", "2", "--quiet", *memory)
    assert run("train", "t.csv", *quick, "--out", "a.rosenblatt")[0] == 0
    assert run("train", "t.csv", *quick, "--config", "plan.toml", "--out", "b.rosenblatt")[0] == 0
    one, other = load("a.rosenblatt"), load("b.rosenblatt")
    assert (one.learner.weights == other.learner.weights).all()
    changed = out.replace('delimiter = ";"', 'delimiter = ","')
    Path("plan.toml").write_text(changed, encoding="utf8")
    assert "no column named 'c3'. Columns are: c1, c2." in run("train", "t.csv", *quick, "--config", "plan.toml")[2]
