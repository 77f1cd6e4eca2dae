"""Out of core and in memory: the same model, to the bit."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import rosenblatt
from rosenblatt.data import spooled
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.store import to_bytes


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(spooled, "BLOCK", 1 << 16)  # many blocks, although the data is small


def model_of(source, **settings):
    """The bytes of the model file, and whether rows lay on the disk."""
    if settings.get("model") == "perceptron":
        settings = {"passes": 2, "margin": 1.0, **settings}
    model, evidence = train_with_evidence(str(source), **settings)
    return to_bytes(model), evidence.disk is not None


def assert_equal(source, memory, **settings):
    in_memory, on_disk = model_of(source, **settings)
    assert not on_disk
    out_of_core, on_disk = model_of(source, memory=memory, **settings)
    assert on_disk
    assert out_of_core == in_memory
    again, _ = model_of(source, memory=memory, **settings)  # from the cache
    assert again == in_memory


@pytest.mark.parametrize("model", ["perceptron", "naive-bayes"])
class TestSameBits:
    def test_svmlight_with_counts(self, model, tmp_path):
        rng = np.random.default_rng(1)
        lines = []
        for _ in range(2000):
            columns = np.sort(rng.choice(np.arange(1, 400), rng.integers(0, 30), replace=False))
            values = rng.integers(1, 4, len(columns))
            lines.append(f"{rng.integers(0, 3)} " + " ".join(f"{c}:{v}" for c, v in zip(columns, values, strict=True)))
        lines[1500] += " 401:2"  # a column that only one block has
        (tmp_path / "counts.svm").write_text("\n".join(lines) + "\n")
        assert_equal(tmp_path / "counts.svm", "1MB", model=model)

    def test_a9a(self, model, data, tmp_path):
        head = (data / "libsvm" / "a9a").read_text().splitlines(keepends=True)[:8000]
        (tmp_path / "a9a").write_text("".join(head))
        assert_equal(tmp_path / "a9a", "2MB", model=model)

    def test_csv_with_numbers_categories_and_gaps(self, model, tmp_path):
        rng = np.random.default_rng(2)
        rows = []
        for _ in range(3000):
            size = rng.choice(["small", "medium", "large"])
            colour = rng.choice(["red", "blue", "green", "?"])
            number = rng.normal()
            half = rng.choice(["1.0", "2.5"])
            late = "7" if len(rows) < 2000 else "7.5"
            label = "yes" if number + (colour == "red") > 0.3 else "no"
            rows.append(f"{number:.4f},{rng.integers(0, 9)},{size},{colour},{half},{late},{len(rows)},{label}")
        (tmp_path / "t.csv").write_text("x,count,size,colour,half,late,id,class\n" + "\n".join(rows) + "\n")
        assert_equal(tmp_path / "t.csv", "500kB", model=model)

    def test_curves_whose_knots_are_those_of_a_sample(self, model, tmp_path):
        rng = np.random.default_rng(6)
        x = rng.normal(size=(9_000, 20))
        columns = {f"f{k}": x[:, k] for k in range(20)}
        columns["label"] = np.where(np.abs(x[:, 0]) < 0.7, "in", "out")
        parquet.write_table(pa.table(columns), tmp_path / "t.parquet", row_group_size=700)
        assert_equal(tmp_path / "t.parquet", "1MB", model=model, config={"features": {"knots": 8}})

    def test_messages(self, model, tmp_path):
        source = Path(rosenblatt.__file__).parent / "data" / "sets" / "mail.jsonl"
        (tmp_path / "mail.jsonl").write_bytes(source.read_bytes())
        assert_equal(tmp_path / "mail.jsonl", "20kB", model=model)

    def test_a_folder_of_texts(self, model, tmp_path):
        source = Path(rosenblatt.__file__).parent / "data" / "sets" / "mail.jsonl"
        for number, line in enumerate(source.read_text().splitlines()):
            row = json.loads(line)
            folder = tmp_path / "texts" / row["label"]
            folder.mkdir(parents=True, exist_ok=True)
            encoding = "latin-1" if number % 20 == 3 else "utf-8"
            (folder / f"{number}.txt").write_text(row["text"] + " café", encoding=encoding)
        assert_equal(tmp_path / "texts", "20kB", model=model)

    def test_parquet_with_columns(self, model, tmp_path):
        rng = np.random.default_rng(3)
        x = rng.normal(size=(4000, 6))
        columns = {f"f{k}": x[:, k] for k in range(6)}
        columns["f5"] = pa.array(x[:, 5], mask=rng.random(4000) < 0.1)
        columns["shop"] = pa.array(rng.choice(["a", "b", "c"], 4000)).dictionary_encode()
        columns["whole"] = pa.array(rng.integers(0, 5, 4000)).dictionary_encode()
        columns["label"] = (x[:, 0] > x[:, 1] * x[:, 2]).astype(int)
        parquet.write_table(pa.table(columns), tmp_path / "t.parquet", row_group_size=700)
        assert_equal(tmp_path / "t.parquet", "600kB", model=model)

    def test_parquet_with_bytes(self, model, tmp_path):
        rng = np.random.default_rng(4)
        x = rng.integers(0, 3, (4000, 60)).astype(np.uint8)
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(x.ravel()), 60)
        table = pa.table({"pixels": vectors, "label": (x[:, 0] > x[:, 1]).astype(int)})
        parquet.write_table(table, tmp_path / "t.parquet")
        assert_equal(tmp_path / "t.parquet", "530kB", model=model)


@pytest.mark.parametrize(
    "words",
    [
        {"ngrams": 3, "weight": "tfidf", "damped": True},
        {"ngrams": 0, "characters": True, "weight": "counts", "min_documents": 2},
        {"ngrams": 2, "characters": True, "weight": "ratio-idf", "stop_words": "english"},
        {"ngrams": 2, "weight": "ratio", "max_features": 500, "stems": "english"},
    ],
)
def test_same_bits_for_ngrams(words, tmp_path):
    source = Path(rosenblatt.__file__).parent / "data" / "sets" / "mail.jsonl"
    lines = source.read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    rows = [{"text": f"{row['text']} 我喜欢 {number}", "label": row["label"]} for number, row in enumerate(rows)]
    (tmp_path / "mail.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert_equal(tmp_path / "mail.jsonl", "20kB", model="perceptron", config={"text": words})


def test_same_bits_where_ngrams_are_searched_for(data, tmp_path):
    lines = (data / "sms-spam" / "SMSSpamCollection").read_text(encoding="utf8").splitlines(keepends=True)[:1500]
    (tmp_path / "sms.tsv").write_text("".join(lines), encoding="utf8")
    assert_equal(tmp_path / "sms.tsv", "200kB", label="c1")


def test_same_bits_for_vectors_of_fractions(tmp_path):
    x = np.random.default_rng(5).normal(size=(4000, 10)).astype(np.float32)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(x.ravel()), 10)
    parquet.write_table(pa.table({"v": vectors, "label": (x[:, 0] > 0).astype(int)}), tmp_path / "t.parquet")
    assert_equal(tmp_path / "t.parquet", "530kB", model="perceptron")


def test_same_bits_with_a_goal_a_group_several_orders_and_new_names(tmp_path):
    rng = np.random.default_rng(6)
    x = rng.normal(size=(3000, 4))
    label = np.where(x[:, 0] + 0.5 * rng.normal(size=3000) > 0, "p", np.where(x[:, 1] > 0, "n", "m"))
    columns = {**{f"f{k}": x[:, k] for k in range(4)}, "who": rng.integers(0, 500, 3000), "label": label}
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    from rosenblatt.pipeline import Goal

    settings = {"group": "who", "goal": Goal("p", 0.05), "seeds": 2, "relabel": {"m": "n"}, "model": "perceptron"}
    assert_equal(tmp_path / "t.parquet", "400kB", **settings)


def test_same_bits_from_standard_input(tmp_path, monkeypatch):
    rng = np.random.default_rng(7)
    x = rng.normal(size=(2000, 3))
    text = "a,b,c,label\n" + "".join(f"{a:.3f},{b:.3f},{c:.3f},{int(a > b)}\n" for a, b, c in x)
    (tmp_path / "t.csv").write_text(text)
    with (tmp_path / "t.csv").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        in_memory, _ = model_of("-", model="perceptron", passes=2)
    with (tmp_path / "t.csv").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        out_of_core, on_disk = model_of("-", memory="300kB", model="perceptron", passes=2)
    assert on_disk
    assert out_of_core == in_memory
    import gc

    gc.collect()
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]  # of a pipe nothing is kept


def test_same_bits_for_tabs_in_another_encoding_and_numbers_taken_as_text(tmp_path):
    from rosenblatt.features import Wishes

    rng = np.random.default_rng(8)
    words = ["café", "über", "naïve", "plain", "other", "words"]
    rows = [(*rng.choice(words, 4), rng.integers(10, 40) + rng.choice([0, 0, 0.5])) for _ in range(1500)]
    lines = [f"{' '.join(row[:4])}\t{row[4]}\t{'a' if 'café' in row else 'b'}" for row in rows]
    (tmp_path / "t.tsv").write_bytes(("text\tsize\tlabel\n" + "\n".join(lines) + "\n").encode("latin-1"))
    settings = {"encoding": "latin-1", "wishes": Wishes(text=["size"]), "model": "perceptron"}
    assert_equal(tmp_path / "t.tsv", "250kB", **settings)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "a,b,label\n" + "1,2,x\n2,1,y\n" * 50_000 + "1,2\n"),
        ("t.csv", "a,b,label\n" + "1,2,x\n2,1,y\n" * 50_000 + '1,"2,x\n'),
        ("t.jsonl", '{"a": 1, "label": "x"}\n' * 20_000 + '{"a": \n'),
        ("t.svm", "1 1:2 2:3\n-1 1:4 2:5\n" * 20_000 + "1 2:3 1:2\n"),
    ],
)
def test_mistakes_in_the_data_are_told_in_the_same_words(name, content, tmp_path):
    from rosenblatt.errors import DataError

    (tmp_path / name).write_text(content)
    said = []
    for memory in ("10GB", "6MB"):
        with pytest.raises(DataError) as error:
            rosenblatt.train(str(tmp_path / name), memory=memory, model="perceptron")
        said.append(str(error.value))
    assert said[0] == said[1]
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_pixels_have_the_same_names_on_the_disk(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (300, 6, 5), np.uint8)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, 300, 6, 5) + pixels.tobytes())
    labels = (pixels[:, 0, 0] > 127).astype(np.uint8)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, 300) + labels.tobytes())
    source, settings = str(tmp_path / "train-images-idx3-ubyte"), {"model": "perceptron", "passes": 1, "margin": 0.0}
    assert_equal(source, "40kB", **settings)
