"""The page of a model gives the scores of the file, to the bit, and asks nobody for anything."""

from __future__ import annotations

import functools
import io
import random
import re
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pytest

import rosenblatt
from engine_page import open_engine
from rosenblatt import cli
from rosenblatt.errors import SettingError
from rosenblatt.store.export_html import page_data, to_html

# Letters of many scripts, among them those whose small forms are two, or depend on neighbours.
LETTERS = [
    chr(code)
    for first, last in ((33, 0x2FF), (0x370, 0x52F), (0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF),
                        (0x1E00, 0x1FFF), (0x3040, 0x30FF), (0x4E00, 0x4E3F), (0x10400, 0x1044F), (0x1D400, 0x1D433))
    for code in range(first, last)
]  # fmt: skip
ODD = [
    "",
    " ",
    "ΣΑΣ ΟΔΟΣ Σ. ΑΣ'Σ",
    "İstanbul ǅ ŉ ẞ STRASSE",
    "漢字かな混じり文 のテスト",
    "ภาษาไทย ມະນຸດ",
    "a\u00adb x\u0301y ﬁ ①②",
    "aa " * 1500,
]


@pytest.fixture(scope="module")
def ask(browser):
    return open_engine(browser)


def odd_texts(words: list[str], count: int) -> list[str]:
    draw = random.Random(0)
    made = ["".join(draw.choice([*LETTERS, *" " * 150]) for _ in range(60)) for _ in range(count // 2)]
    return [*ODD, *made, *(" ".join(draw.choices(words, k=12)) for _ in range(count // 2))]


def page_scores(ask, model, rows):
    (found,) = ask("model.js", "scoresOf", [[page_data(model, "model.rosenblatt"), rows]])
    return found


@pytest.mark.parametrize(
    "words",
    [
        {"weight": "presence"},
        {"weight": "tfidf", "damped": True},
        {"weight": "counts", "ngrams": 3, "stop_words": "english"},
        {"weight": "ratio", "ngrams": 2, "characters": True},
    ],
    ids=lambda words: " ".join(map(str, words.values())),
)
def test_texts_have_the_scores_of_the_file(ask, words):
    draw = random.Random(1)
    vocabulary = [*(f"word{n}" for n in range(80)), "the", "über", "ΟΔΟΣ", "漢字", "ไทย", "𝐀𝐁", "naïve"]
    texts = [" ".join(draw.choices(vocabulary, k=9)) for _ in range(200)]
    labels = ["a" if "word1" in text or "über" in text else "b" for text in texts]
    wishes = {"weight": words["weight"], **{name: value for name, value in words.items() if name != "weight"}}
    model = rosenblatt.train(
        {"text": texts, "label": labels}, model="perceptron", text=["text"], config={"text": wishes}
    )
    rows = odd_texts(vocabulary, 300)
    assert [each for (each,) in page_scores(ask, model, [{"text": text} for text in rows])] == [
        model.scores([text])[0] for text in rows
    ]


@pytest.mark.parametrize("weight", ["presence", "counts", "tfidf"])
@pytest.mark.parametrize("classes", [2, 3])
def test_texts_have_the_scores_of_naive_bayes(ask, weight, classes):
    draw = random.Random(2)
    vocabulary = [*(f"word{n}" for n in range(60)), "über", "漢字"]
    texts = [" ".join(draw.choices(vocabulary, k=9)) for _ in range(200)]
    labels = ["a" if "word1" in text else "bc"[draw.randrange(classes - 1)] for text in texts]
    model = rosenblatt.train(
        {"text": texts, "label": labels}, model="naive-bayes", text=["text"], config={"text": {"weight": weight}}
    )
    rows = odd_texts(vocabulary, 200)
    found = np.array(page_scores(ask, model, [{"text": text} for text in rows]))
    expected = np.array([np.atleast_1d(model.scores([text])[0]) for text in rows])
    if classes == 2:
        assert found.tolist() == expected.tolist()
    else:  # logarithms of sums of exponentials, which no two libraries round alike
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert (found.argmax(axis=1) == expected.argmax(axis=1)).all()
    (found,) = ask("model.js", "explained", [[page_data(model, "m"), [{"text": text} for text in texts[:20]]]])
    for text, each in zip(texts, found, strict=False):
        scores = np.atleast_1d(model.scores([text])[0])
        lead = scores[0] if classes == 2 else np.sort(scores)[-1] - np.sort(scores)[-2]
        assert sum(part["part"] for part in each["parts"]) + each["constant"] == pytest.approx(lead, abs=1e-9)


def test_rows_of_a_table_have_the_scores_of_the_file(ask):
    draw = np.random.default_rng(0)
    n = 400
    table = {
        "age": draw.normal(40, 12, n).round(1).tolist(),
        "income": [None if k % 9 == 0 else float(k % 57) * 1.7 for k in range(n)],
        "town": draw.choice(["Ulm", "Köln", "Bonn", "Jena"], n).tolist(),
        "rooms": draw.integers(1, 9, n).tolist(),
        "member": draw.choice(["yes", "no"], n).tolist(),
    }
    label = [
        f"{'in' if town in ('Ulm', 'Bonn') else 'out'}{age > 45}"
        for town, age in zip(table["town"], table["age"], strict=True)
    ]
    for more in ({}, {"config": {"features": {"knots": 8}}}):
        model = rosenblatt.train({**table, "label": label}, model="perceptron", **more)
        rows = [{name: "" if values[k] is None else str(values[k]) for name, values in table.items()} for k in range(n)]
        rows += [{**rows[0], "town": "Paris", "age": "1e3"}, {**rows[1], "town": "?", "age": "-.5", "income": ""}]
        wanted = [model.scores(model.plan.completed(model.read([row], labelled=False)))[0] for row in rows]
        assert page_scores(ask, model, rows) == [np.atleast_1d(each).tolist() for each in wanted]


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y-%m-%d %H:%M", "%d.%m.%Y", "%m/%d/%Y %H:%M"])
def test_rows_with_dates_have_the_scores_of_the_file(ask, form):
    draw = random.Random(4)
    moments = [datetime(2019, 1, 1) + timedelta(minutes=draw.randrange(3_000_000)) for _ in range(300)]
    when = [None if draw.random() < 0.05 else each.strftime(form) for each in moments]
    table = {"when": when, "n": [draw.gauss(0, 1) for _ in moments]}
    label = ["work" if each.weekday() < 5 and each.hour > 7 else "rest" for each in moments]
    path = io.BytesIO()
    pc.write_csv(pa.table({**table, "label": label}), path)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "d.csv").write_bytes(path.getvalue())
        model = rosenblatt.train(Path(folder) / "d.csv", model="perceptron")
    early = [datetime(1960, 2, 29).strftime(form), datetime(2060, 12, 31, 23, 59).strftime(form)]
    rows = [
        {"when": each or "", "n": str(n)} for each, n in zip([*when, *early], [*table["n"], 0.5, -1.0], strict=True)
    ]
    wanted = [model.scores(model.read([row], labelled=False))[0] for row in rows]
    assert page_scores(ask, model, rows) == [[each] for each in wanted]
    (wrong,) = page_scores(ask, model, [{"when": "2024-02-30", "n": "1"}])
    assert "column 'when': '2024-02-30' is no date such as" in wrong


def test_rows_of_an_ugly_table_have_the_scores_of_the_file(ask, tmp_path):
    draw = random.Random(5)
    lines = [
        (f"{draw.randrange(1, 9)}.{draw.randrange(100, 999)},{draw.randrange(10, 99)} €",
         draw.choice(["true", "FALSE"]), draw.choice(["NA", f"{draw.gauss(0, 1):.3f}".replace(".", ",")]))
        for _ in range(200)
    ]  # fmt: skip
    said = [f"{amount};{member};{other};{'much' if amount > '5' else 'little'}" for amount, member, other in lines]
    path = tmp_path / "ugly.csv"
    path.write_text("amount;member;other;kind\n" + "\n".join(said) + "\n", encoding="utf8")
    model = rosenblatt.train(path, label="kind", model="perceptron")
    rows = [{"amount": amount, "member": member, "other": other} for amount, member, other in lines]
    rows += [{"amount": "?", "member": "1", "other": "null"}, {"amount": "12", "member": "False", "other": "-1"}]
    wanted = [model.scores(model.plan.completed(model.read([row], labelled=False)))[0] for row in rows]
    assert page_scores(ask, model, rows) == [[each] for each in wanted]
    (found,) = ask("turns.js", "turnsOf", [[page_data(model, "m"), rows[:20]]])
    for row, each in zip(rows, found, strict=False):
        changed = applied(row, each["changes"])  # numbers have a decimal comma again
        assert model.predict([changed])[0] == model.classes.names[each["becomes"]] != model.predict([row])[0]


@pytest.mark.parametrize("kernel", ["poly", "rbf", "cosine"])
def test_rows_have_the_scores_of_a_kernel(ask, kernel):
    draw = np.random.default_rng(0)
    table = {
        "x": draw.normal(size=90).tolist(),
        "y": draw.normal(size=90).tolist(),
        "town": ["Ulm", "Bonn", "Jena"] * 30,
    }
    for label in (
        ["in" if x * x + y * y < 1 else "out" for x, y in zip(table["x"], table["y"], strict=True)],
        [f"{int(x > 0)}{int(y > 0)}" for x, y in zip(table["x"], table["y"], strict=True)],
    ):
        model = rosenblatt.train({**table, "label": label}, model="kernel", config={"search": {"kernel": kernel}})
        rows = [{name: str(values[k]) for name, values in table.items()} for k in range(90)]
        wanted = [model.scores(model.read([row], labelled=False))[0] for row in rows]
        assert page_scores(ask, model, rows) == [np.atleast_1d(each).tolist() for each in wanted]
        facts = dict(page_data(model, "m")["card"])
        assert f"CONTAINS {len(model.learner.labels)} TRAINING ROWS" in facts["holds"]


def test_rows_have_the_scores_of_units(ask):
    draw = np.random.default_rng(0)
    table = {
        "x": draw.normal(size=90).tolist(),
        "y": draw.normal(size=90).tolist(),
        "town": ["Ulm", "Bonn", "Jena"] * 30,
    }
    label = ["in" if x * x + y * y < 1 else "out" for x, y in zip(table["x"], table["y"], strict=True)]
    model = rosenblatt.train({**table, "label": label}, model="perceptron", config={"features": {"units": 300}})
    assert model.plan.units is not None
    rows = [{name: str(values[k]) for name, values in table.items()} for k in range(90)]
    wanted = [model.scores(model.read([row], labelled=False))[0] for row in rows]
    assert page_scores(ask, model, rows) == [[each] for each in wanted]


def test_texts_have_the_scores_of_a_kernel(ask):
    draw = random.Random(2)
    texts = [" ".join(draw.choices([f"word{n}" for n in range(40)], k=9)) for _ in range(120)]
    labels = ["a" if "word1" in text else "b" for text in texts]
    model = rosenblatt.train({"text": texts, "label": labels}, model="kernel", text=["text"])
    found = page_scores(ask, model, [{"text": text} for text in texts])
    assert [each for (each,) in found] == [model.scores([text])[0] for text in texts]
    with pytest.raises(SettingError, match=r"at most 0\.02 MB, and the training rows of this kernel make it"):
        to_html(model, "m", 20_000)


def test_a_number_that_is_none_is_one_line(ask):
    model = rosenblatt.train("iris", model="perceptron")
    row = dict.fromkeys(model.card["plan"], "1")
    columns = [line.column for line in model.plan.lines]
    row = dict.fromkeys(columns, "1.5")
    found = page_scores(ask, model, [{**row, columns[0]: "long"}])
    assert found == [f"column '{columns[0]}': 'long' is not a number."]


def applied(row: dict[str, str], changes: list[dict[str, object]]) -> dict[str, str]:
    """The row of strings with the changes of a page, made here by other means."""
    row = dict(row)
    for change in changes:
        column, gone = change["column"], str(change["before"])
        if change.get("word"):
            words = re.findall(r"\w+|\W+", row[column].lower())
            row[column] = "".join(" " if word == gone else word for word in words)
        else:
            row[column] = str(change["after"])
    return row


@pytest.mark.parametrize("words", [{"ngrams": 1, "characters": False}, {"ngrams": 2, "characters": True}], ids=str)
def test_words_that_turn_a_decision_turn_it_in_the_file_too(ask, words):
    model = rosenblatt.train("mail", drop=["subject", "sender"], model="perceptron", config={"text": words})
    texts = ["Claim your free prize now!", "the meeting is moved to friday", "free free money, call now: claim"]
    (found,) = ask("turns.js", "turnsOf", [[page_data(model, "m"), [{"text": text} for text in texts]]])
    for text, each in zip(texts, found, strict=True):
        changed = applied({"text": text}, each["changes"])["text"]
        assert model.predict([changed])[0] == model.classes.names[each["becomes"]] != model.predict([text])[0]
        assert each["exact"] == (len(each["changes"]) <= 2)
        fewest = len(model.flip([text]).changes)
        assert len(each["changes"]) == fewest if each["exact"] else len(each["changes"]) >= fewest


def test_values_that_turn_a_decision_turn_it_in_the_file_too(ask):
    draw = np.random.default_rng(3)
    table = {
        "age": draw.integers(18, 80, 300).tolist(),
        "income": draw.normal(3, 1, 300).round(2).tolist(),
        "town": draw.choice(["Ulm", "Köln", "Bonn"], 300).tolist(),
    }
    label = [
        "yes" if age > 45 and town != "Ulm" else "no" for age, town in zip(table["age"], table["town"], strict=True)
    ]
    for more in ({}, {"config": {"features": {"knots": 8}}}):
        model = rosenblatt.train({**table, "label": label}, model="perceptron", **more)
        rows = [{name: str(values[k]) for name, values in table.items()} for k in range(40)]
        (found,) = ask("turns.js", "turnsOf", [[page_data(model, "m"), rows]])
        for row, each in zip(rows, found, strict=True):
            changed = applied(row, each["changes"])
            assert model.predict([changed])[0] == model.classes.names[each["becomes"]] != model.predict([row])[0]
            assert len(each["changes"]) >= len(model.flip([row]).changes)
        ages = [c for each in found for c in each["changes"] if c["column"] == "age"]
        assert ages
        assert all(float(change["after"]).is_integer() for change in ages)  # ages of people are whole


def test_a_page_that_would_be_too_large_holds_a_smaller_model(ask, tmp_path):
    draw = random.Random(0)
    texts = [" ".join(f"word{draw.randrange(4000)}" for _ in range(30)) for _ in range(300)]
    labels = ["a" if "word1" in text else "b" for text in texts]
    model = rosenblatt.train(
        {"text": texts, "label": labels}, model="perceptron", config={"text": {"ngrams": 1, "characters": False}}
    )
    whole, same = to_html(model, "m")
    assert same is model
    page, held = to_html(model, "m", len(whole) - 30_000)
    facts = dict(page_data(held, "m")["card"])
    kept = f"{held.plan.width:,} of {model.plan.width:,} features kept, so that the page is small"
    assert facts["last step"] == kept  # the test was of the model before
    assert "right on test rows, before the last step" in facts
    assert "last step" not in dict(page_data(same, "m")["card"])
    assert len(page) <= len(whole) - 30_000
    assert held.plan.width < model.plan.width
    rows = texts[:50]
    assert [each for (each,) in page_scores(ask, held, [{"text": text} for text in rows])] == held.scores(rows).tolist()


def test_the_command_tells_what_words_that_are_left_out_cost(tmp_path, monkeypatch, capsys):
    draw = random.Random(0)
    texts = [" ".join(f"word{draw.randrange(900)}" for _ in range(20)) for _ in range(200)]
    rows = ["text,label", *(f"{text},{'a' if draw.random() < 0.5 else 'b'}" for text in texts)]
    (tmp_path / "rows.csv").write_text("\n".join(rows) + "\n")
    model = rosenblatt.train(tmp_path / "rows.csv", model="perceptron", config={"text": {"ngrams": 1}})
    rosenblatt.save(model, tmp_path / "m.rosenblatt")
    small = functools.partial(to_html, most=len(to_html(model, "m")[0]) - 5_000)
    monkeypatch.setattr("rosenblatt.store.export_html.to_html", small)
    out = tmp_path / "m.html"
    command = ["export", str(tmp_path / "m.rosenblatt"), "--to", "html", "--out", str(out)]
    with pytest.raises(SystemExit) as end:
        cli.main([*command, "--data", str(tmp_path / "rows.csv")])
    assert end.value.code == 0
    held = rosenblatt.load(tmp_path / "m.page.rosenblatt")
    before, after = (each.evaluate(tmp_path / "rows.csv").accuracy for each in (model, held))
    told = f"accuracy {before:.1%} before, {after:.1%} after, on 200 rows of {tmp_path / 'rows.csv'}"
    assert told in capsys.readouterr().out
    for wrong in (["--data", str(tmp_path / "absent.csv")], ["--data", str(out)]):
        out.unlink(missing_ok=True)
        with pytest.raises(SystemExit) as end:
            cli.main([*command, *wrong])
        assert end.value.code != 0
        assert not out.exists()


def test_what_a_page_cannot_do_to_the_bit_is_refused():
    bayes = rosenblatt.train("iris", model="naive-bayes")
    with pytest.raises(SettingError, match="this model counts the values of whole columns"):
        page_data(bayes, "m")
    stems = rosenblatt.train(
        "mail", drop=["subject", "sender"], model="perceptron", config={"text": {"stems": "english"}}
    )
    with pytest.raises(SettingError, match="a page does not know stems of words"):
        page_data(stems, "m")


def test_the_page_decides_explains_and_gives_a_file_back(browser, tmp_path):
    model = rosenblatt.train(
        "mail", drop=["subject", "sender"], model="perceptron", config={"text": {"ngrams": 1, "characters": False}}
    )
    rosenblatt.save(model, tmp_path / "mail.rosenblatt")
    with pytest.raises(SystemExit) as end:
        cli.main(["export", str(tmp_path / "mail.rosenblatt"), "--to", "html", "--out", str(tmp_path / "mail.html")])
    assert end.value.code == 0
    page, asked, wrong = browser.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto((tmp_path / "mail.html").as_uri())
    text = "claim your free prize now"
    page.fill("textarea", text)
    page.click("button[type=submit]")
    assert page.inner_text(".class") == model.predict([text])[0]
    assert page.inner_text("#answer tbody tr:first-child th") in text.split()
    assert page.inner_text("#turned").startswith("Without “")
    (tmp_path / "new.csv").write_text(f'id,text\n1,"{text}"\n2,the meeting is moved to friday\n')
    with page.expect_download() as saved:
        page.set_input_files("#file", tmp_path / "new.csv")
    lines = saved.value.path().read_text().splitlines()
    assert lines[0] == "id,text,prediction,probability"
    both = [text, "the meeting is moved to friday"]
    assert [line.split(",")[-2] for line in lines[1:]] == model.predict(both)
    likely = model.predict_proba(both).max(axis=1)
    assert [float(line.split(",")[-1]) for line in lines[1:]] == pytest.approx(likely, abs=1e-4)
    (tmp_path / "other.csv").write_text(f'id,message\n1,"{text}"\n')  # of one column, any may be read
    page.set_input_files("#file", tmp_path / "other.csv")
    page.select_option("#file-told select", "message")
    with page.expect_download() as saved:
        page.click("#file-told button")
    assert saved.value.path().read_text().splitlines()[1].split(",")[-2] == model.predict([text])[0]
    page.fill("textarea", " ")
    page.click("button[type=submit]")
    assert page.inner_text("#problem") == "Type something first."
    for width, height in ((1440, 900), (1024, 768), (768, 1024), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (wrong, [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]) == ([], [])
    page.close()
