"""Texts that stand one on each line: labelled as fastText has it, in one file for each class, or to be predicted."""

from __future__ import annotations

import gzip
import json

import pytest
from click.testing import CliRunner

from rosenblatt import load, save
from rosenblatt.cli import commands
from rosenblatt.data import csvtext, read
from rosenblatt.errors import DataError
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.store import to_bytes

SPAM = "__label__spam Win money, now: click 1,000 times!\n\n__label__ham\tSee you at lunch\r\n  __label__ham \n"
TEXTS = ["Win money, now: click 1,000 times!", "See you at lunch", None]


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def run(*arguments, **more):
    found = CliRunner().invoke(commands, [str(each) for each in arguments], **more)
    assert found.exit_code == 0, found.output
    return found.output


def messages(n=300):
    """Rows of three classes whose words tell them, with enough said beside that they do not fit into 31 kB."""
    said = {"spam": "win money now", "ham": "see you at lunch", "news": "the paper of today"}
    names = list(said)
    return [(names[k * 7 % 3], f"{said[names[k * 7 % 3]]} {'and so on ' * 5} number{k % 50}") for k in range(n)]


def test_labels_and_texts_of_fasttext_are_read_by_any_name_that_tells_no_format(tmp_path):
    for name in ("x.txt", "x", "x.ft.gz", "x.train"):
        path = written(tmp_path / name, gzip.compress(SPAM.encode()) if name.endswith("gz") else SPAM)
        table = read(path)
        assert table.columns.to_pydict() == {"text": TEXTS}
        assert table.labels.to_pylist() == ["spam", "ham", "ham"]
        assert (table.label, table.origin.of(1)) == ("label", f"{path}, line 3")
        parts = list(read(path, batches=2))
        assert [part.n_rows for part in parts] == [2, 1]
        assert parts[1].origin.of(0) == f"{path}, line 4"


def test_a_table_with_such_labels_stays_a_table(tmp_path):
    path = written(tmp_path / "x.csv", "__label__,text\n__label__a,one two three\n__label__b,four five six\n")
    assert read(path, label="__label__").labels.to_pylist() == ["__label__a", "__label__b"]
    path = written(tmp_path / "y.csv", "__label__a,one two three\n__label__b,four five six\n__label__a,seven\n")
    assert read(path, label="c1").labels.to_pylist() == ["__label__a", "__label__b", "__label__a"]


def test_encodings_of_lines(tmp_path):
    text = "__label__a früh am Morgen\n__label__b spät\n__label__b late\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert read(written(tmp_path / "x.txt", text.encode(encoding))).columns["text"][0].as_py() == "früh am Morgen"
    latin = written(tmp_path / "x.txt", text.encode("latin-1"))
    table = read(latin)
    assert table.columns["text"].to_pylist() == ["früh am Morgen", "spät", "late"]
    assert table.notes == ("2 lines are not UTF-8 and were read as latin-1",)
    assert read(latin, encoding="latin-1").notes == ()
    with pytest.raises(DataError, match=r"the file is not utf-16 text \(UTF-16 stream does not start with BOM\)"):
        read(latin, encoding="utf-16", format="fasttext")
    with pytest.raises(DataError, match=r"x\.txt, line 1: byte 0xfc at 13 is not utf-8"):
        read(latin, encoding="utf-8")


BAD = {
    "no label": ("__label__a one\n\ntwo words\n", "line 3: it does not begin with __label__. Write the label first"),
    "several": (
        "__label__a one\n__label__a __label__b two\n",
        "line 2: several labels on a line are not for this program",
    ),
    "several apart": ("__label__a one\n__label__a two __label__b\n", "line 2: several labels"),
    "several with a comma": ("__label__a one\n__label__a,__label__b two\n", "line 2: several labels"),
    "no name": (
        "__label__a one\n__label__ two\n",
        "line 2: a label without a name. Name the class, as in __label__spam",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_lines_of_fasttext_are_named(tmp_path, case):
    content, says = BAD[case]
    path = written(tmp_path / "bad.txt", content)
    for how in ({}, {"labelled": False}):
        with pytest.raises(DataError) as error:
            read(path, **how)
        assert str(error.value).startswith(f"{path}, {says}")
    with pytest.raises(DataError, match=r"line [23]"):
        list(read(path, batches=1))


def test_fasttext_is_asked_for_by_its_name(tmp_path):
    with pytest.raises(DataError, match="line 1: it does not begin with __label__"):
        read(written(tmp_path / "x.txt", "a b\n__label__a c\n"), format="fasttext")
    with pytest.raises(DataError, match="the file has no rows"):
        read(written(tmp_path / "x.txt", "\n\n"), format="fasttext")
    with pytest.raises(DataError, match=r"no column named 'kind'. Columns are: text, label"):
        read(written(tmp_path / "x.txt", SPAM), label="kind")


def test_fasttext_trains_evaluates_and_predicts_as_the_same_rows_of_json_do(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(csvtext, "FIRST", 1000)  # lines are cut by blocks
    lines = written(tmp_path / "x.txt", "".join(f"__label__{label} {text}\n" for label, text in messages()))
    rows = [json.dumps({"text": text, "label": label}) for label, text in messages()]
    table = written(tmp_path / "x.jsonl", "\n".join(rows))
    settings = {"model": "naive-bayes"}
    model, evidence = train_with_evidence(lines, **settings)
    assert evidence.disk is None
    on_disk, evidence = train_with_evidence(lines, memory="31kB", **settings)
    assert evidence.disk is not None
    assert to_bytes(on_disk) == to_bytes(model)
    other, _ = train_with_evidence(table, **settings)
    assert model.predict(table) == other.predict(lines) == model.predict(lines)
    assert model.evaluate(lines).accuracy == model.evaluate(table).accuracy > 0.9
    save(model, tmp_path / "m")
    assert load(tmp_path / "m").predict(lines) == model.predict(lines)
    assert "right    100.0%" in run("evaluate", tmp_path / "m", lines)
    assert run("predict", tmp_path / "m", lines) == run("predict", tmp_path / "m", "-", input=table.read_bytes())
    assert len(run("predict", tmp_path / "m", lines).splitlines()) == 301


def folder_of(path, form="texts.{}", encoding="utf-8", n=300):
    path.mkdir()
    for label in ("spam", "ham", "news"):
        text = "".join(f"{text}\n" for each, text in messages(n) if each == label)
        written(path / form.format(label), text.encode(encoding))
    return path


def test_files_of_one_name_hold_a_text_on_each_line_and_their_endings_are_the_classes(tmp_path):
    folder = folder_of(tmp_path / "texts")
    table = read(folder)
    assert table.n_rows == 300
    assert sorted(zip(table.labels.to_pylist(), table.columns["text"].to_pylist(), strict=True)) == sorted(
        (label, text) for label, text in messages()
    )
    assert table.origin.of(0) == f"{folder}/texts.ham, line 1"
    assert table.origin.of(299) == f"{folder}/texts.spam, line 100"
    parts = list(read(folder, batches=120))
    assert [part.n_rows for part in parts] == [120, 120, 60]
    assert parts[2].origin.of(59) == f"{folder}/texts.spam, line 100"
    assert read(folder, labelled=False).n_rows == 300
    written(folder / "texts.spam", (folder / "texts.spam").read_bytes() + b"caf\xe9 \n")
    table = read(folder)
    assert table.columns["text"][300].as_py() == "café"
    assert table.notes == ("1 lines are not UTF-8 and were read as latin-1",)
    (folder / "texts.spam").write_bytes(gzip.compress((folder / "texts.spam").read_bytes()))
    (folder / "texts.spam").rename(folder / "texts.Spam.gz")
    written(folder / ".hidden", "beside")
    assert set(read(folder).labels.to_pylist()) == {"Spam", "ham", "news"}


def test_every_other_folder_is_what_it_was(tmp_path):
    """One file is one text, a sub-folder is a class: in doubt this stays."""
    said = "no class folders in it. Put the files of each class into a folder named for it, or the texts of each class"
    others = {
        "another file": lambda path: written(path / "readme", "what this is"),
        "another stem": lambda path: (path / "texts.ham").rename(path / "words.ham"),
        "an ending of a format": lambda path: (path / "texts.ham").rename(path / "texts.json"),
        "an ending of a document": lambda path: (path / "texts.ham").rename(path / "texts.TXT"),
        "no ending": lambda path: (path / "texts.ham").rename(path / "texts"),
        "few lines": lambda path: written(path / "texts.ham", "one\n\n" * 9),
    }
    for name, change in others.items():
        folder = folder_of(tmp_path / name)
        change(folder)
        with pytest.raises(DataError, match=said):
            read(folder)
        assert read(folder, labelled=False).n_rows == len(list(folder.iterdir()))
    folder = folder_of(tmp_path / "asked")
    assert read(folder, labelled=False, format="text").n_rows == 3
    (folder / "class").mkdir()
    written(folder / "class" / "a.txt", "some text")
    assert read(folder).labels.to_pylist() == ["class"]
    single = tmp_path / "single"
    single.mkdir()
    written(single / "texts.ham", "a line\n" * 20)
    assert read(single, labelled=False).n_rows == 1


def test_links_out_of_a_folder_of_lines_are_refused(tmp_path):
    folder = folder_of(tmp_path / "texts")
    (folder / "texts.more").symlink_to(written(tmp_path / "secret", "a\n" * 20))
    with pytest.raises(DataError, match=r"texts\.more: a link to a place outside"):
        read(folder)


def test_files_of_lines_train_the_same_in_memory_and_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    folder = folder_of(tmp_path / "texts")
    model, evidence = train_with_evidence(folder, model="perceptron", passes=3)
    assert evidence.disk is None
    on_disk, evidence = train_with_evidence(folder, model="perceptron", passes=3, memory="31kB")
    assert evidence.disk is not None
    assert to_bytes(on_disk) == to_bytes(model)
    save(model, tmp_path / "m")
    assert "right    100.0%" in run("evaluate", tmp_path / "m", folder)
    assert len(run("predict", tmp_path / "m", folder).splitlines()) == 301
    lines = "".join(f"__label__{label} {text}\n" for label, text in messages())
    assert model.evaluate(written(tmp_path / "x.txt", lines)).accuracy == 1


def test_the_sentences_of_film_reviews(data):
    """Pang and Lee's sentence polarity: 5,331 lines in each of two files."""
    table = read(data / "sentences")
    assert table.n_rows == 10_662
    assert table.labels.value_counts().to_pylist() == [
        {"values": "neg", "counts": 5331}, {"values": "pos", "counts": 5331},
    ]  # fmt: skip
    assert table.columns["text"][0].as_py() == "simplistic , silly and tedious ."
    assert any("cliché" in text for text in table.columns["text"].to_pylist())
    model, _ = train_with_evidence(data / "sentences", model="naive-bayes")
    assert model.card["test"]["accuracy"] > 0.74


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """It reads one column of text, which has a name of its own."""
    path = tmp_path_factory.mktemp("model")
    rows = [json.dumps({"message": text, "kind": label}) for label, text in messages()]
    table = written(path / "x.jsonl", "\n".join(rows))
    made, _ = train_with_evidence(table, label="kind", model="naive-bayes")
    save(made, path / "m")
    return path / "m"


PLAIN = "Win money; now, or never\r\n\nsee you, friend, at lunch\ntoday\tthe paper\n"


@pytest.mark.parametrize("name", ["x.txt", "x", "x.gz", "-"])
def test_a_model_of_one_column_of_text_predicts_plain_lines(model, tmp_path, name):
    content = gzip.compress(PLAIN.encode()) if name == "x.gz" else PLAIN.encode()
    given = name if name == "-" else written(tmp_path / name, content)
    said = CliRunner().invoke(commands, ["predict", str(model), str(given)], input=content)
    assert said.exit_code == 0
    answers = said.stdout.splitlines()
    assert len(answers) == 5  # a name, and an answer for each line, the blank one among them
    assert (answers[1], answers[3], answers[4]) == ("spam", "ham", "news")
    assert "each line is read as a text, 'message'" in said.stderr
    rows = load(model).read(given, labelled=False, batches=3) if name != "-" else ()
    places = [(table.n_rows, table.origin.of(0)) for table in rows]
    assert places in ([], [(3, f"{given}, line 1"), (1, f"{given}, line 4")])


def test_plain_lines_are_predicted_as_the_same_texts_of_a_table(model, tmp_path):
    texts = [text for _, text in messages(50)]
    lines = written(tmp_path / "x.txt", "\n".join(texts))
    table = written(tmp_path / "x.jsonl", "\n".join(json.dumps({"message": text}) for text in texts))
    loaded = load(model)
    assert loaded.predict(lines) == loaded.predict(table) == loaded.predict(texts)
    assert loaded.scores(lines).tolist() == loaded.scores(table).tolist()
    assert "predicted ham" in run("explain", model, lines, "--row", texts.index(messages(50)[1][1]) + 1)


def test_what_is_a_table_stays_one(model, tmp_path):
    loaded = load(model)
    table = written(tmp_path / "x.txt", '\ufeffid,"message"\n1,win money now\n2,see you\n')
    assert loaded.read(table, labelled=False).columns.column_names == ["id", "message"]
    for how in ({"header": True}, {"delimiter": ","}, {"quotes": True}):  # asks for a table
        with pytest.raises(DataError, match="no column named 'message', which the model was trained with"):
            loaded.scores(loaded.read(written(tmp_path / "x.txt", "a,b\n1,2\n"), labelled=False, **how))
    with pytest.raises(DataError, match="no column named 'message'"):
        loaded.predict(written(tmp_path / "x.csv", "a,b\n1,2\n"))
    two = [{"text": text, "other": text[::-1], "label": label} for label, text in messages()]
    several, _ = train_with_evidence(two, model="naive-bayes")
    with pytest.raises(DataError, match="the file has a header but no rows"):
        several.predict(written(tmp_path / "z.txt", "win money now\n"))


def test_columns_without_names_stay_columns_and_lines_can_be_asked_for(tmp_path):
    rows = "".join(f"{label}\t{text}\n" for label, text in messages())
    made, _ = train_with_evidence(written(tmp_path / "x", rows), model="naive-bayes")
    assert made.plan.only_text == "c2"
    assert made.predict(written(tmp_path / "y", rows)) == [label for label, _ in messages()]
    lines = written(tmp_path / "z.csv", "win money, now\nsee you\n")
    assert made.read(lines, labelled=False, format="lines").columns.to_pydict() == {"c2": ["win money, now", "see you"]}
    assert read(lines, labelled=False, format="lines").columns.column_names == ["text"]


def test_plain_lines_have_no_labels(model, tmp_path):
    path = written(tmp_path / "x.txt", PLAIN)
    with pytest.raises(DataError, match=r"x\.txt: lines of plain text have no labels. Write each as __label__spam"):
        read(path, format="lines")
    with pytest.raises(DataError):
        load(model).evaluate(path)
