"""What `predict` writes beside the class: columns that are carried, headers without rows, one message."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

import rosenblatt
from rosenblatt import cli


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        cli.main([str(each) for each in arguments])
    return end.value.code, *capsys.readouterr()


@pytest.fixture
def weather(tmp_path):
    lines = [f"{n},{'sunny' if n % 2 else 'rain'},{20 + n % 7 + n / 100},{'out' if n % 2 else 'in'}" for n in range(80)]
    (tmp_path / "weather.csv").write_text("\n".join(["id,sky,temp,label", *lines]) + "\n")
    rosenblatt.save(rosenblatt.train(tmp_path / "weather.csv", drop=["id"]), tmp_path / "weather.rosenblatt")
    return tmp_path


def test_columns_are_carried_beside_the_prediction(weather, capsys):
    (weather / "new.csv").write_text("id,name,sky,temp\n007,=Ann,sunny,21\n8,,rain,20\n")
    for form, wanted in (
        ("csv", "id,name,prediction\n007,'=Ann,out\n8,,in\n"),
        (
            "jsonl",
            '{"id": "007", "name": "=Ann", "prediction": "out"}\n{"id": "8", "name": null, "prediction": "in"}\n',
        ),
    ):
        code, out, _ = run(
            capsys, "predict", weather / "weather.rosenblatt", weather / "new.csv", "--keep", "id,name", "--to", form
        )
        assert (code, out) == (0, wanted)
    code, _, err = run(capsys, "predict", weather / "weather.rosenblatt", weather / "new.csv", "--keep", "id,nam")
    assert (code, "Did you mean 'name'?" in err, err.count("\n")) == (1, True, 1)
    (weather / "new.csv").write_text("prediction,sky,temp\n1,sunny,21\n")
    code, out, err = run(capsys, "predict", weather / "weather.rosenblatt", weather / "new.csv", "--keep", "prediction")
    assert (code, out, "would be there twice" in err) == (1, "", True)


def test_the_label_can_be_carried_too(weather, capsys):
    code, out, _ = run(capsys, "predict", weather / "weather.rosenblatt", weather / "weather.csv", "--keep", "id,label")
    assert code == 0
    lines = [line.split(",") for line in out.splitlines()]
    assert lines[0] == ["id", "label", "prediction"]
    assert [line[0] for line in lines[1:]] == [str(n) for n in range(80)]
    assert [line[1] for line in lines[1:]] == ["out" if n % 2 else "in" for n in range(80)]


def test_a_header_without_rows_gives_a_header_without_rows(weather, capsys):
    (weather / "none.csv").write_text("id,sky,temp\n")
    code, out, _ = run(
        capsys,
        "predict",
        weather / "weather.rosenblatt",
        weather / "none.csv",
        "--keep",
        "id",
        "--scores",
        "--probabilities",
    )
    assert (code, out) == (0, "id,prediction,score out,threshold,probability in,probability out\n")
    code, out, _ = run(capsys, "predict", weather / "weather.rosenblatt", weather / "none.csv", "--to", "jsonl")
    assert (code, out) == (0, "")
    code, out, _ = run(
        capsys, "predict", weather / "weather.rosenblatt", weather / "none.csv", "--out", weather / "none.parquet"
    )
    assert (code, pq.read_table(weather / "none.parquet").schema.names) == (0, ["prediction"])
    (weather / "none.csv").write_text("id,sky\n")
    code, _, err = run(capsys, "predict", weather / "weather.rosenblatt", weather / "none.csv")
    assert (code, "no column named 'temp'" in err) == (1, True)


def test_one_message_is_given_as_an_option(tmp_path, capsys):
    model = rosenblatt.train("mail", drop=["subject", "sender"])
    rosenblatt.save(model, tmp_path / "mail.rosenblatt")
    code, out, _ = run(capsys, "predict", tmp_path / "mail.rosenblatt", "--text", "claim your free prize now")
    assert (code, out) == (0, f"prediction\n{model.predict(['claim your free prize now'])[0]}\n")
    assert run(capsys, "predict", tmp_path / "mail.rosenblatt", "rows.csv", "--text", "hello")[0] == 2


def test_a_string_for_a_model_of_texts_is_a_path_and_will_be_a_text(tmp_path):
    model = rosenblatt.train("mail", drop=["subject", "sender"])
    (tmp_path / "two.csv").write_text("text\nclaim your prize\nsee you at lunch\n")
    with pytest.warns(
        DeprecationWarning, match=r"from 0\.3 on a model that reads text will take it for a text"
    ) as noted:
        found = model.predict(str(tmp_path / "two.csv"))
    assert noted[0].filename == __file__
    assert found == model.predict(tmp_path / "two.csv") == model.predict(["claim your prize", "see you at lunch"])


def test_one_text_for_a_model_of_more_columns_is_told_how_to_be_given(tmp_path, capsys):
    rosenblatt.save(rosenblatt.train("mail", model="perceptron"), tmp_path / "mail.rosenblatt")
    (tmp_path / "one").write_text("claim your free prize now\n")
    code, _, err = run(capsys, "predict", tmp_path / "mail.rosenblatt", tmp_path / "one")
    assert code == 1
    assert "A message by itself is given with --text" in err
    code, _, err = run(capsys, "explain", tmp_path / "mail.rosenblatt", tmp_path / "one")
    assert code == 1
    assert "its only line is read as the names of columns, claim your free prize now" in err
