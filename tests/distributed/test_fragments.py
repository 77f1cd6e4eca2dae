"""Models from row groups of Parquet files on a cluster: the bits of the same rows, plan and shards in memory."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import load, save
from rosenblatt.data import read
from rosenblatt.data.table import sparse_column
from rosenblatt.distributed import fragments, local, train, training
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Classes, TextSettings, Wishes, learn_and_encode
from rosenblatt.features import learn as learn_plan
from rosenblatt.learn.merging import recast
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import learn
from rosenblatt.loops.rows import Dense, Sparse, Words
from rosenblatt.model.bayes import count_matrix
from rosenblatt.model.columns import count, count_columns, frame_of
from rosenblatt.pipeline.families.perceptron import rounded
from rosenblatt.pipeline.runs import run_settings

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("weights", ["pocket", "voted"])
def test_weights_that_need_a_run_apart_are_refused(weights):
    with pytest.raises(SettingError, match=f"gives final or averaged weights; got '{weights}'"):
        train("rows.parquet", client=None, shards=1, weights=weights)


@pytest.fixture(scope="module")
def client():
    with local(2) as site:
        yield site.client


def numbers_and_names(rng, n):
    x = rng.normal(size=n)
    return {
        "x": x, "y": rng.normal(size=n), "kind": rng.choice(["a", "b", "c"], n), "size": rng.choice([0.5, 1.0], n),
        "label": np.where(x + rng.normal(size=n) / 2 > 0, "yes", "no"),
    }  # fmt: skip


def names(rng, n):
    kinds = {f"c{j}": rng.choice([f"v{v}" for v in range(30)], n) for j in range(3)}
    return {**kinds, "label": np.where(kinds["c0"] > "v2", 1, rng.integers(0, 3, n))}


def curved(rng, n):
    x = rng.normal(size=(n, 4))
    return {**{f"f{k}": x[:, k] for k in range(4)}, "label": np.abs(x[:, 0]) < 0.7}


def texts(rng, n):
    words = np.array([f"word{v}" for v in range(80)])
    labels = rng.integers(0, 2, n)
    made = [" ".join(rng.choice(words[20 * label : 20 * label + 60], rng.integers(3, 9))) for label in labels]
    return {"text": made, "label": np.array(["ham", "spam"])[labels]}


def sparse(rng, n, repeat=False):
    lengths = rng.integers(0, 6, n)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns = np.concatenate([np.sort(rng.choice(50, length, replace=False)) for length in lengths])
    values = np.ones(len(columns)) if repeat else np.round(rng.normal(size=len(columns)), 2)
    return {"features": sparse_column(starts, columns, values), "label": rng.integers(0, 2, n)}


def repeated(rng, n):
    return sparse(rng, n, repeat=True)


def vectors(rng, n):
    values = rng.normal(size=(n, 5)).astype(np.float32)
    column = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), 5)
    return {"v": column, "label": (values[:, 0] > 0).astype(int)}


def written(folder, make, n=600):
    """Two files of several row groups each."""
    table = pa.table(make(np.random.default_rng(1), n))
    pq.write_table(table.slice(0, 350), folder / "a.parquet", row_group_size=120)
    pq.write_table(table.slice(350), folder / "b.parquet", row_group_size=90)
    return table


@pytest.mark.parametrize(
    ("make", "storage", "wishes"),
    [
        (numbers_and_names, Dense, Wishes()),
        (curved, Sparse, Wishes(knots=8)),
        (names, Words, Wishes()),
        (texts, Words, Wishes()),
        (texts, Sparse, Wishes(unit="none", scale=False, words=TextSettings(weight="tfidf"))),
        (texts, Sparse, Wishes(words=TextSettings(weight="tfidf", ngrams=3, characters=True))),
        (texts, Sparse, Wishes(words=TextSettings(weight="ratio-idf", ngrams=2, min_documents=2))),
        (sparse, Sparse, Wishes()),
        (repeated, Words, Wishes(unit="rows")),
        (vectors, Dense, Wishes(scale=False)),
        (numbers_and_names, Words, Wishes(units=50)),
        (vectors, Words, Wishes(units=40)),
    ],
)
def test_the_model_is_that_of_the_same_rows_plan_and_shards_in_memory(client, tmp_path, make, storage, wishes):
    columns = written(tmp_path, make)
    pieces = fragments(str(tmp_path))
    assert [piece.rows for piece in pieces] == [120, 120, 110, 90, 90, 70]
    table = read(columns)
    classes = Classes.learn(table)
    plan, _ = learn_and_encode(table, wishes, classes.encode(table))
    got = train(pieces, client=client, shards=3, margin=1.0, passes=4, seed=5, wishes=wishes)
    assert got.plan.to_dict() == plan.to_dict()
    rows = plan.encode(table).rows
    assert isinstance(rows, storage)
    problem = make_problem(rows, classes.encode(table).astype(np.int32), len(classes.names))
    run = learn(problem, replace(run_settings(problem, 1.0, 4, 5), shards=3))
    assert np.array_equal(got.learner.weights, rounded(run.weights_of("averaged")))
    assert got.card["choice"]["threshold"] == run.settings.margin
    assert got.card["proof"]["updates"] == run.updates
    assert (got.card["margin"]["low"], got.card["margin"]["high"]) == run.margin_bracket


def test_knots_of_a_sample_are_those_of_the_same_rows_in_memory(client, tmp_path):
    columns = pa.table(curved(np.random.default_rng(2), 6_000))  # more values than are counted
    pq.write_table(columns.slice(0, 3_500), tmp_path / "a.parquet", row_group_size=900)
    pq.write_table(columns.slice(3_500), tmp_path / "b.parquet", row_group_size=900)
    wishes = Wishes(knots=8, over="values")
    got = train(str(tmp_path), client=client, shards=2, passes=2, wishes=wishes)
    assert got.plan.to_dict() == learn_plan(read(columns), wishes).to_dict()


def test_pairs_of_path_and_row_group_do_too_and_the_plan_is_learned_from_all_rows(client, tmp_path):
    columns = written(tmp_path, numbers_and_names)
    pairs = [(str(tmp_path / "b.parquet"), 1), (str(tmp_path / "a.parquet"), 0)]
    said = []
    got = train(pairs, client=client, test=columns, watch=said.append)
    rows = [pq.ParquetFile(path).read_row_group(group) for path, group in pairs]
    assert got.plan.to_dict() == learn_plan(read(pa.concat_tables(rows))).to_dict()
    assert got.card["rows"] == 90 + 120
    assert got.card["test"]["accuracy"] > 0.75
    assert any(each.state == "2 workers" and each.passes for each in said)
    save(got, tmp_path / "model.rosenblatt")
    assert np.array_equal(load(tmp_path / "model.rosenblatt").learner.weights, got.learner.weights)


@pytest.mark.parametrize("make", [texts, sparse, numbers_and_names])
def test_naive_bayes_counts_what_would_be_counted_in_memory(client, tmp_path, make):
    columns = written(tmp_path, make)
    got = train(str(tmp_path), client=client, model="naive-bayes", k=0.5)
    table = read(columns)
    plan, classes = learn_plan(table), Classes.learn(table)
    truth = classes.encode(table)
    if make is numbers_and_names:
        schema = count_columns(plan, table, truth, 2).schema
        wanted = recast(count(frame_of(plan, table), truth, "auto", like=schema), schema, np.arange(2))
    else:
        wanted = count_matrix(plan.encode(table).rows, truth, 2, False)
    assert np.array_equal(got.learner.counts.cells, wanted.cells)
    assert np.array_equal(got.learner.counts.rows, wanted.rows)
    assert got.learner.k == 0.5


def test_a_lost_worker_is_recomputed_and_a_job_resumed_from_fragments(client, tmp_path):
    written(tmp_path, numbers_and_names)
    settings = {"client": client, "shards": 4, "passes": 4, "margin": 1.0}
    wanted = train(str(tmp_path), **settings)
    killed = []

    def watch(progress):
        if progress.passes == 2 and not killed:
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)
        if progress.passes == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(str(tmp_path), **settings, watch=watch, checkpoint=tmp_path / "kept")
    got = train(str(tmp_path), **settings, checkpoint=tmp_path / "kept", resume=True)
    assert killed
    assert np.array_equal(got.learner.weights, wanted.learner.weights)
    assert got.card == wanted.card


@contextmanager
def refused(pattern, kind=DataError):
    with pytest.raises(kind, match=pattern):
        yield


def test_what_is_wrong_with_fragments_is_one_line_that_names_them(client, tmp_path, monkeypatch):
    table = written(tmp_path, numbers_and_names)
    other = tmp_path / "c.parquet"
    pq.write_table(table.drop_columns(["y"]).slice(0, 50), other)
    with refused(r"c\.parquet, row group 0: its columns are .*, where the first fragment has x, y"):
        train(str(tmp_path), client=client)
    pq.write_table(table.slice(0, 50).set_column(0, "x", pa.array(["maybe"] * 50)), other)
    with refused(r"c\.parquet: .*x.* types"):
        train(str(tmp_path), client=client)
    other.write_bytes(other.read_bytes()[:-20])
    with refused(r"c\.parquet: this process cannot read it"):
        fragments(str(tmp_path))
    pq.write_table(table, other, row_group_size=300)
    outlined = training.outline

    def outline_and_lose(*arguments):
        found = outlined(*arguments)
        other.unlink()
        return found

    monkeypatch.setattr(training, "outline", outline_and_lose)
    with refused(r"c\.parquet: worker tcp://.* cannot read it"):
        train(str(tmp_path), client=client)
    monkeypatch.undo()
    with refused(r"there is no row group 9"):
        train([(str(tmp_path / "a.parquet"), 9)], client=client)
    empty = tmp_path / "nothing"
    empty.mkdir()
    with refused(r"no \.parquet files"):
        fragments(str(empty))
    with refused("searches nothing", SettingError):
        train(str(tmp_path), client=client, model="auto")


def test_uris_are_read_through_pyarrow(tmp_path):
    written(tmp_path, numbers_and_names)
    assert [piece.rows for piece in fragments(f"file://{tmp_path}")] == [120, 120, 110, 90, 90, 70]
    assert fragments(f"file://{tmp_path}/b.parquet")[0].path == f"file://{tmp_path}/b.parquet"
    with refused("not an address of files"):
        fragments("nosuch://bucket/x")


def test_numbers_and_classes_may_differ_from_fragment_to_fragment(client, tmp_path):
    """Whole numbers in one file and fractions in the next; a class that only the last rows have."""
    parts = [
        pa.table({"x": [1, 2, 3, 4] * 10, "kind": [1, 2] * 20, "label": ["a", "b"] * 20}),
        pa.table({"x": [0.5, 1.5] * 20, "kind": [2.5, 1.0] * 20, "label": ["a", "c"] * 20}),
    ]
    for name, part in zip("ab", parts, strict=True):
        pq.write_table(part, tmp_path / f"{name}.parquet", row_group_size=15)
    wishes = Wishes(category=["kind"])
    got = train(str(tmp_path), client=client, passes=2, shards=2, wishes=wishes)
    table = read(pa.concat_tables(parts, promote_options="permissive"))
    assert got.classes == Classes.learn(table)
    assert got.plan.to_dict() == learn_plan(table, wishes).to_dict()
    assert [line.values for line in got.plan.lines if line.column == "kind"] == [("1", "2", "2.5")]
