"""Outputs that agree: one decision behind every door, one source for both reports, the same bytes for the same job."""

from __future__ import annotations

import csv
import html
import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import NaiveBayes, Perceptron, cli, estimator, load, train
from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.pipeline import Goal, train_with_evidence
from rosenblatt.pipeline.update import update
from rosenblatt.report.html import page
from rosenblatt.report.terminal import terminal_report
from rosenblatt.store import to_bytes
from rosenblatt.store.export_json import to_json
from rosenblatt.store.export_sql import to_sql


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capfd):
    """Runs a command as a shell would: exit code, standard output, standard error."""

    def call(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(each) for each in arguments])
        out, err = capfd.readouterr()
        return end.value.code, out, err

    return call


def payments(name="payments.csv", rows=200, seed=7, label="label"):
    """Payments, a quarter of them fraud: large sums at night, with some of each where the other is usual."""
    draw = np.random.default_rng(seed)
    fraud = draw.random(rows) < 0.25
    amount = (draw.normal(40, 15, rows) + 60 * fraud).round(1)
    hour = (draw.normal(13, 3, rows) - 6 * fraud).round(1)
    lines = [f"{a},{h},{'fraud' if f else 'ok'}" for a, h, f in zip(amount, hour, fraud, strict=True)]
    Path(name).write_text("\n".join([f"amount,hour,{label}", *lines]) + "\n")
    return name


def mails(name="mails.csv"):
    """The sources' own example: "minute" is in spam only, so at k = 0 ham is impossible for any mail that has it."""
    spam = ["win a prize in a minute", "free prize call now", "one minute to win", "free cash now"]
    ham = ["see you at lunch", "the notes are here", "call me at noon", "lunch at noon then", "are you here now"]
    rows = [f"{text} {n % 3},spam" for n in range(6) for text in spam]
    rows += [f"{text} {n % 3},ham" for n in range(6) for text in ham]
    Path(name).write_text("\n".join(["text,label", *rows]) + "\n")
    return name


def words_of(page_of: str) -> str:
    """What a reader of the page reads, without marks and with one blank between words."""
    return " ".join(html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", page_of, flags=re.S)).split())


# 21: the page says what the terminal says


def test_found_21_the_page_gives_the_goal_with_its_threshold_area_and_false_alarms():
    model, evidence = train_with_evidence(payments(), model="perceptron", goal=Goal("fraud", 0.02))
    shown, said = words_of(page(model, evidence)), terminal_report(model, evidence)
    goal = model.card["goal"]
    assert "at most 2% of the others" in shown
    assert "at most 2% of the others" in said
    for part in ("validation", "test"):
        for number in (f"{goal[part]['auc']:.3f}", f"{goal[part]['false_positives']:.2%}", f"{goal[part]['f1']:.3f}"):
            assert number in said
            assert number in shown
    line = f"{goal['threshold']:.6g}"
    assert f"score fraud above {line}" in said
    assert f"score fraud above {line}" in shown


def test_found_21_both_reports_give_the_notes_and_the_test_rows_that_came_apart():
    payments("train.csv")
    payments("apart.csv", rows=60, seed=8)
    whole = read("train.csv")
    table = replace(whole, notes=(*whole.notes, "3 rows without a label were left out"))
    model, evidence = train_with_evidence(table, test="apart.csv", model="perceptron")
    assert model.card["split"]["test"] == 0
    for report in (words_of(page(model, evidence)), " ".join(terminal_report(model, evidence).split())):
        assert "3 rows without a label were left out" in report
        assert "test 60 given apart (apart.csv)" in report
        assert "test 0" not in report


def test_found_21_what_was_tried_stands_in_one_order_in_both_reports():
    model, evidence = train_with_evidence("mail")
    said = terminal_report(model, evidence)
    first = re.findall(r"^  (\S.*?)  +[\d.]+%", said.partition("tried on")[2].partition("\n\n")[0], flags=re.M)
    table = page(model, evidence).partition("Candidates on the validation rows")[2].partition("</table>")[0]
    names = [words_of(cell).removesuffix(" ← chosen") for cell in re.findall(r'<th scope="row">(.*?)</th>', table)]
    assert len(first) > 3
    assert names[: len(first)] == first


# 22: scores point towards the positive class, and say so


@pytest.mark.parametrize("family", ["perceptron", "naive-bayes"])
def test_found_22_scores_point_towards_the_positive_class_and_the_column_says_so(family, run):
    file = payments()
    options = ["--positive", "fraud", "--max-false-positives", "5%", "--quiet", "--out", "m.rosenblatt"]
    assert run("train", file, "--model", family, *options)[0] == 0
    code, out, _ = run("predict", "m.rosenblatt", file, "--scores")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0
    assert list(rows[0]) == ["prediction", "score fraud", "threshold"]
    for row in rows:
        assert (row["prediction"] == "fraud") == (float(row["score fraud"]) > float(row["threshold"]))
    truth = np.array([label == "fraud" for label in read(file).labels.to_pylist()])
    scores = np.array([float(row["score fraud"]) for row in rows])
    assert scores[truth].mean() > scores[~truth].mean()
    assert {float(row["threshold"]) for row in rows} == {load("m.rosenblatt").card["goal"]["threshold"]}


def test_found_22_without_a_positive_class_the_column_names_the_second_one(run):
    assert run("train", payments(), "--model", "perceptron", "--quiet")[0] == 0
    out = run("predict", "payments.rosenblatt", "payments.csv", "--scores")[1]
    assert out.splitlines()[0] == "prediction,score ok,threshold"


def test_found_22_why_and_explain_point_the_same_way(run):
    file = payments()
    options = ("--model", "perceptron", "--positive", "fraud", "--out", "m.rosenblatt")
    report = run("train", file, *options)[1]
    assert re.search(r"^ +fraud +amount \+", report, flags=re.M)
    model = load("m.rosenblatt")
    row = model.predict(file).index("fraud") + 1
    said = run("explain", "m.rosenblatt", file, "--row", row)[1].splitlines()
    assert said[0] == "predicted fraud: the score is above the threshold 0"
    assert re.fullmatch(r"score \+\S+ towards fraud", said[2])
    plain = json.loads(run("explain", "m.rosenblatt", file, "--row", row, "--json")[1])
    assert plain["threshold"] == 0
    assert list(plain["scores"]) == ["fraud"]
    assert 'AS "score fraud"' in to_sql(model)


def test_found_22_the_order_of_the_classes_survives_the_file_an_update_and_an_estimator():
    model = train(payments(), model="perceptron", goal=Goal("fraud"))
    assert model.classes.names == ("ok", "fraud")
    Path("m.rosenblatt").write_bytes(to_bytes(model))
    again = load("m.rosenblatt")
    table = read("payments.csv")
    assert again.classes.names == ("ok", "fraud")
    more = update(again, table)
    assert more.classes.names == ("ok", "fraud")
    assert more.evaluate(table).accuracy > 0.9
    fitted = estimator(again)
    assert list(fitted.classes_) == ["fraud", "ok"]  # as scikit-learn has them
    assert fitted.predict(again.plan.encode(table).rows.values).tolist() == again.predict(table)


def test_found_22_naming_the_positive_class_turns_the_scores_and_changes_nothing_else():
    plain, turned = (train(payments(), model="perceptron", goal=goal) for goal in (None, Goal("fraud")))
    assert np.array_equal(plain.learner.weights, -turned.learner.weights)
    assert plain.predict("payments.csv") == turned.predict("payments.csv")
    assert plain.card["test"] == turned.card["test"]


# One place turns scores into decisions


def test_every_door_decides_alike_on_exact_ties():
    X, y = [[0.0], [1.0], [0.0], [1.0]], ["a", "b", "a", "b"]
    fitted = Perceptron(weights="final", fit_intercept=False, ties="positive", shuffle=False).fit(X, y)
    model = train(payments(), model="perceptron")
    ties = model.with_threshold(float(model.scores("payments.csv")[3]))
    code = ties.codes("payments.csv")[3]
    assert fitted.predict([[0.0]])[0] == "b"  # a score of 0 under "positive"
    assert code == 0  # not above the threshold: the first class
    assert ties.predict("payments.csv")[3] == model.classes.names[0]
    assert json.loads(to_json(ties))["learner"]["threshold"] == ties.scores("payments.csv")[3]


def test_found_22_naive_bayes_decides_as_its_estimator_where_rounding_alone_tells_classes_apart():
    # Both classes have the same factors in another order, so their products are equal and their sums of logarithms
    # may not be. The first class is predicted, whoever is asked.
    draw = np.random.default_rng(0)
    differ = 0
    for _ in range(300):
        width = int(draw.integers(3, 9))
        counts = draw.integers(1, 9, width)
        X, y = [], []
        for label, order in (("a", np.arange(width)), ("b", draw.permutation(width))):
            for row in range(9):
                X.append((row < counts[order]).astype(int).tolist())
                y.append(label)
        words = NaiveBayes(k=0.5, features="binary").fit(X, y)
        whole = [[1] * width]
        assert words.predict(whole)[0] == "a"
        odds = words.predict_log_proba(whole)[0]
        differ += odds[1] > odds[0]
    assert differ == 0  # no score says otherwise than the decision


# 24: what is impossible is shown as that


def test_found_24_explain_and_predict_agree_on_what_is_impossible(run):
    file = mails()
    assert run("train", file, "--model", "naive-bayes", "--k", "0", "--quiet", "--out", "m.rosenblatt")[0] == 0
    model = load("m.rosenblatt")
    text = "call now minute"
    assert model.predict([text]) == ["spam"]
    assert model.scores([text]).tolist() == [math.inf]
    found = model.explain([text])
    assert found.scores.tolist() == [math.inf]
    said = run("explain", "m.rosenblatt", "--text", text)[1].splitlines()
    assert said[0] == "predicted spam: the score is above the threshold 0"
    assert said[2] == "score +inf towards spam"
    assert any(re.search(r"\bminute\b.*\(ham never has it\)", line) for line in said)
    assert "ham never has it" in str(found)


def test_found_24_a_model_explains_with_the_terms_of_the_estimator():
    model = train(mails(), model="naive-bayes", k=0)
    text = "call now minute"
    found, own = model.explain([text]), estimator(model)
    row = model.learner.rows(model.plan, model.texts([text]))
    held = np.zeros((1, model.plan.width), int)
    held[0, np.asarray(row.columns, int)] = 1
    terms = {term.feature: term for term in own.explain(held, against="ham").terms}
    line = dict(zip(map(str, found.names), found.contributions[0].tolist(), strict=True))
    zeros = dict(zip(map(str, found.names), found.zeros[0].tolist(), strict=True))
    assert terms["minute"].zeros == zeros["minute"] == 1
    for name in set(terms) - {"prior"}:
        assert line[name] == pytest.approx(terms[name].log_odds, abs=1e-12)
        assert zeros[name] == terms[name].zeros
    assert found.bias[0] == pytest.approx(terms["prior"].log_odds)


def test_found_24_json_lines_hold_json_and_the_other_formats_say_inf(run):
    file = mails()
    assert run("train", file, "--model", "naive-bayes", "--k", "0", "--quiet", "--out", "m.rosenblatt")[0] == 0
    Path("new.csv").write_text("text\ncall now minute\nlunch at noon\n")
    lines = run("predict", "m.rosenblatt", "new.csv", "--scores", "--to", "jsonl")[1].splitlines()

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    rows = [json.loads(line, parse_constant=refuse) for line in lines]
    assert rows[0] == {"prediction": "spam", "score spam": None, "threshold": 0.0}
    assert run("predict", "m.rosenblatt", "new.csv", "--scores")[1].splitlines()[1] == "spam,inf,0.0"
    assert run("predict", "m.rosenblatt", "new.csv", "--scores", "--out", "new.parquet")[0] == 0
    assert pq.read_table("new.parquet")["score spam"][0].as_py() == math.inf


def test_found_24_a_line_between_infinite_scores_is_drawn_kept_and_read_again(run):
    options = ("--model", "naive-bayes", "--k", "0", "--positive", "spam", "--max-false-positives", "0%")
    assert run("train", mails(), *options, "--quiet", "--out", "m.rosenblatt")[0] == 0
    model = load("m.rosenblatt")
    assert not math.isnan(model.decision.threshold)
    assert model.predict(["call now minute"]) == ["spam"]


# 25: the same data, settings and seed give the same bytes


def test_found_25_two_trainings_write_the_same_bytes(run):
    file = payments()
    for options in ([], ["--record", "--positive", "fraud"], ["--model", "naive-bayes"]):
        for name in ("one", "two"):
            assert run("train", file, "--quiet", "--out", f"{name}.rosenblatt", *options)[0] == 0
        assert Path("one.rosenblatt").read_bytes() == Path("two.rosenblatt").read_bytes()


def test_found_25_so_do_another_process_and_rows_on_the_disk(monkeypatch, tmp_path):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    file = payments(rows=3000)
    base = [sys.executable, "-m", "rosenblatt", "train", file, "--quiet", "--model", "perceptron", "--passes", "2"]
    made = {}
    for name, more in (("one", []), ("two", []), ("disk", ["--memory", "400kB"]), ("again", ["--memory", "400kB"])):
        done = subprocess.run([*base, "--out", f"{name}.rosenblatt", *more], capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr
        made[name] = Path(f"{name}.rosenblatt").read_bytes()
    assert made["one"] == made["two"]
    assert made["disk"] == made["again"]
    assert made["disk"] == made["one"]  # where the rows lay is no part of the model


def test_found_25_how_long_it_took_is_told_and_not_kept(run):
    model, evidence = train_with_evidence(payments(), model="perceptron")
    assert "seconds" not in model.card
    assert evidence.seconds > 0
    plain = json.loads(run("train", "payments.csv", "--json")[1])
    assert plain["seconds"] > 0


# 27: a record that would be empty is refused; what training never saw is said


def test_found_27_naive_bayes_has_no_run_to_record(run):
    file = payments()
    code, _, said = run("train", file, "--record", "--model", "naive-bayes")
    assert code != 0
    assert len(said.splitlines()) == 1
    assert "naive Bayes makes no updates" in said
    assert not Path("payments.rosenblatt").exists()
    with pytest.raises(SettingError, match="record"):
        train(file, record=True, model="naive-bayes")


def test_found_27_with_a_record_only_perceptrons_are_tried_and_the_report_says_so(run):
    code, out, _ = run("train", mails(), "--record", "--out", "m.rosenblatt")
    assert code == 0
    assert load("m.rosenblatt").record is not None
    assert "naive Bayes of" not in out
    assert "note     only perceptrons were tried: naive Bayes makes no updates to record" in out


@pytest.mark.parametrize("price", ["{},5 €", "{}.{:03},5", "{}%"])
def test_training_rows_are_known_again_whatever_way_their_numbers_are_written(price, run):
    rows = [f"{price.format(k + 1, k)};{31 - k % 30:02}.05.2024;{'yn'[k % 9 > 4]}" for k in range(60)]
    Path("written.csv").write_text("\n".join(["price;day;label", *rows, ""]), encoding="utf8")
    assert run("train", "written.csv", "--model", "perceptron", "--quiet", "--out", "m.rosenblatt")[0] == 0
    assert "known    48 of these rows are training rows" in run("evaluate", "m.rosenblatt", "written.csv")[1]


def colours(name, values):
    lines = [f"{value},{i % 13 + i / 100},{'ab'[value in ('red', 'blue')]}" for i, value in enumerate(values)]
    Path(name).write_text("\n".join(["colour,size,label", *lines]) + "\n")


@pytest.mark.parametrize("family", ["perceptron", "naive-bayes"])
@pytest.mark.parametrize("batch", [4, 20_000])
def test_found_27_values_that_training_never_saw_are_counted_by_column(family, batch, run, monkeypatch):
    colours("known.csv", ["red", "green", "blue", "white"] * 20)
    colours("new.csv", ["red"] * 6 + ["mauve", "green", "mauve", "", "teal"])
    assert run("train", "known.csv", "--model", family, "--quiet", "--out", "m.rosenblatt")[0] == 0
    monkeypatch.setattr(sys.modules["rosenblatt.cli.predict"], "ROWS", batch)
    code, out, said = run("predict", "m.rosenblatt", "new.csv")
    assert code == 0
    assert len(out.splitlines()) == 12
    note = "note: 3 rows have a value of 'colour' that training never saw (first: row 7, 'mauve')"
    assert said.splitlines() == [note]
    assert run("predict", "m.rosenblatt", "known.csv")[2] == ""


def test_columns_that_may_be_missing_may_be_absent_and_all_that_was_noticed_is_one_json_object(run):
    rows = [f"{k % 9},{'' if k % 6 == 0 else k % 4},{'red' if k % 2 else 'green'},{'yn'[k % 9 > 4]}" for k in range(90)]
    Path("known.csv").write_text("\n".join(["x,z,colour,label", *rows, ""]))
    assert run("train", "known.csv", "--model", "perceptron", "--quiet", "--out", "m.rosenblatt")[0] == 0
    Path("empty.csv").write_text("x,z,colour\n1,,red\n8,,mauve\n")
    Path("lack.csv").write_text("x,colour\n1,red\n8,mauve\n")
    told = [run("predict", "m.rosenblatt", name, "--scores") for name in ("empty.csv", "lack.csv")]
    assert told[0][1] == told[1][1]
    absent = "note: there is no column 'z': it is missing in every row"
    mauve = "note: 1 row has a value of 'colour' that training never saw (first: row 2, 'mauve')"
    assert [said.splitlines() for _, _, said in told] == [[mauve], [absent, mauve]]
    assert json.loads(run("predict", "m.rosenblatt", "lack.csv", "--json")[2]) == {
        "rows": 2, "unseen": {"colour": {"rows": 1, "row": 2, "value": "mauve"}}, "absent": ["z"], "types": {},
        "notes": [],
    }  # fmt: skip
    Path("lost.csv").write_text("z,colour\n1,red\n")  # training saw every x
    lost = run("predict", "m.rosenblatt", "lost.csv")[2]
    assert "no column named 'x', which the model was trained with. Columns are: z, colour." in lost
    Path("lost.csv").write_text("colour\nred\n")  # what may be missing is not told as if it were there
    assert (
        "no column named 'x', which the model was trained with. Columns are: colour."
        in run("predict", "m.rosenblatt", "lost.csv")[2]
    )
    pq.write_table(pa.table({"x": ["1", "8"], "z": [1, 2], "colour": ["red", "red"]}), "typed.parquet")
    code, _, said = run("predict", "m.rosenblatt", "typed.parquet")
    assert (code, said) == (0, "note: 'x' is text here and is read as number\n")
