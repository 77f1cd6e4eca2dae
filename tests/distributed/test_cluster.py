"""On a Dask cluster: the bits of as many shards on threads, whatever the number of workers and whoever is lost."""

from __future__ import annotations

import gc
import os
import signal
import warnings

import numpy as np
import pytest
from distributed import Client

import rosenblatt
from faults.clusters import JOB, Processes, alive, content, free_port, noisy, waiting
from rosenblatt import cli, train
from rosenblatt.distributed import cluster as clusters
from rosenblatt.distributed import local
from rosenblatt.distributed.changes import changes, put
from rosenblatt.errors import DataError
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import dense_rows, sparse_rows

# Dask's sockets and processes may end noisily.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def two():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with local(2) as site:
            yield site


def problem(n_classes, storage):
    X, y = noisy(n_classes=n_classes)
    if storage == "dense":
        return make_problem(dense_rows(X), y, n_classes)
    rows, columns = np.nonzero(X)
    values = np.ones(len(rows)) if storage == "words" else X[rows, columns]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(X)))])
    return make_problem(sparse_rows(starts, columns, values, 6), y, n_classes)


def test_changes_give_back_the_very_same_bits():
    rng = np.random.default_rng(0)
    before = rng.normal(size=(7, 100))
    after = before.copy()
    after[2, :20] = rng.normal(size=20)
    before[0, 0], after[0, 0] = 0.0, -0.0
    for one, other in ((after, before), (rng.normal(size=(7, 100)), before), (before, before)):
        got = put(changes(one, other), other)
        assert got.tobytes() == one.tobytes()
        assert got.shape == one.shape
    assert len(changes(after, before).values) == 21


@pytest.mark.parametrize(
    ("n_classes", "storage", "shards", "own"),
    [
        (2, "dense", 3, {"margin": 0.5}), (3, "sparse", 4, {"margin": 0.5}), (2, "words", 2, {"margin": 0.5}),
        (3, "dense", 1, {"margin": 0.5}), (3, "dense", 2, {"rule": "pa1"}), (2, "words", 3, {"rule": "pa2"}),
        (3, "sparse", 2, {"rule": "arow"}), (2, "dense", 1, {"rule": "arow"}),
    ],
)  # fmt: skip
def test_tasks_give_the_bits_of_threads(two, n_classes, storage, shards, own):
    given = problem(n_classes, storage)
    settings = Settings(shards=shards, tol=None, max_iter=4, record=True, seed=3, **own)
    here, there = learn(given, settings), learn(given, settings, site=two)
    assert np.array_equal(here.weights, there.weights)
    assert np.array_equal(here.lag, there.lag)
    assert (here.per_pass, here.amount, here.lowest_lead) == (there.per_pass, there.amount, there.lowest_lead)
    assert here.recording[5:] == there.recording[5:]
    assert all(map(np.array_equal, here.recording[:5], there.recording[:5]))


def test_a_round_without_a_mistake_proves_separation_on_a_cluster_too(two):
    X, _ = noisy()
    X = X[np.abs(X[:, 0]) > 0.3]
    given = make_problem(dense_rows(X), (X[:, 0] > 0).astype(int), 2)
    settings = Settings(shards=3, tol=None, max_iter=300)
    here, there = learn(given, settings), learn(given, settings, site=two)
    assert there.stopped == "separated"
    assert (there.passes, there.lowest_lead) == (here.passes, here.lowest_lead)
    assert np.array_equal(here.weights, there.weights)


@pytest.fixture(scope="module")
def wanted():
    X, y = noisy(n_classes=3)
    return X, y, content(train(X, label=y, **JOB))


def test_one_worker_gives_the_model_of_two_and_of_threads(two, wanted):
    X, y, model = wanted
    said = []
    assert content(train(X, label=y, site=two, watch=said.append, **JOB)) == model
    assert "2 workers" in {each.state for each in said}
    with local(1) as one:
        assert content(train(X, label=y, site=one, **JOB)) == model


def test_a_worker_killed_in_the_middle_of_each_of_five_rounds_changes_nothing_but_time(two, wanted, monkeypatch):
    X, y, model = wanted
    doomed, killed, gather = [], [], two.gather

    def watch(progress):
        if progress.stage == "final run" and progress.passes <= 5:
            doomed.append(alive(two, killed)[progress.passes % 2])

    def gather_and_kill(futures):
        """Tasks of the round are at the workers now, and none of their results is here."""
        if doomed:
            killed.append(doomed.pop())
            os.kill(killed[-1], signal.SIGKILL)
        return gather(futures)

    monkeypatch.setattr(two, "gather", gather_and_kill)
    assert content(train(X, label=y, site=two, watch=watch, **JOB)) == model
    assert len(set(killed)) == 5
    assert " lost)" in two.state()


def test_when_the_scheduler_is_lost_a_new_one_goes_on_from_the_checkpoint(wanted, tmp_path):
    X, y, model = wanted
    job = {"label": y, "checkpoint": tmp_path / "kept", "resume": True, **JOB}

    def killing(progress):
        if progress.stage == "final run" and progress.passes == 3:
            process.kill()

    with Processes() as processes:
        address, process = processes.scheduler()
        with pytest.raises(DataError, match=r"the scheduler was lost .*--resume"), waiting(address) as site:
            train(X, site=site, watch=killing, **job)
        address, process = processes.scheduler()
        said = []
        with waiting(address) as site:
            assert content(train(X, site=site, watch=said.append, **job)) == model
        passes = [each.passes for each in said if each.stage == "final run"]
        assert passes == [4, 5, 6]  # the third was kept or is the first to be done again


def test_a_client_that_gave_its_scheduler_up_before_or_while_a_round_is_asked_for_is_the_same_line(wanted):
    """The client closes itself when its scheduler does not come back, at any moment."""
    X, y, _ = wanted
    with Processes() as processes:
        address, process = processes.scheduler()
        with waiting(address) as site:

            def given_up(progress):
                if progress.stage == "final run" and progress.passes == 3:
                    process.kill()
                    site.client.close()

            with pytest.raises(DataError, match=rf"^{address}: the scheduler was lost .*--resume"):
                train(X, site=site, watch=given_up, label=y, **JOB)


def open_clients() -> int:
    return sum(type(each) is Client and each.status != "closed" for each in gc.get_objects())


def test_no_scheduler_at_the_address_is_one_line(capfd, tmp_path, monkeypatch):
    """Nobody is there, so no client is made: its own patience would be 30 seconds."""
    import distributed

    asked = []
    monkeypatch.setattr(distributed, "Client", lambda address, **more: asked.append(more) or Client(address, **more))
    monkeypatch.setattr(clusters, "CONNECT", 2)
    monkeypatch.chdir(tmp_path)
    gc.collect()
    before = open_clients()
    for address in (f"tcp://127.0.0.1:{free_port()}", "nowhere"):
        with pytest.raises(SystemExit) as end:
            cli.main(["train", "iris", "--cluster", address])
        said = capfd.readouterr().err
        assert end.value.code == 1
        assert said.startswith(f"rosenblatt: {address}: no Dask scheduler answers there")
        assert said.count("\n") == 1
    assert asked == []
    assert open_clients() == before  # one that is collected later may do so while Dask holds the lock it needs


def test_a_second_cluster_on_the_machine_is_no_reason_to_complain(two):
    gc.collect()  # a client that some other test left would close while Dask starts, and wait for ever
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with local(1) as site:
            assert len(site.client.nthreads()) == 1
    assert [str(one.message) for one in said if "already in use" in str(one.message)] == []


def test_workers_that_cannot_start_are_one_line(monkeypatch):
    def failing(**more):
        raise RuntimeError("Nanny failed to start.") from OSError("No space left on device")

    monkeypatch.setattr("distributed.LocalCluster", failing)
    with pytest.raises(DataError, match=r"Dask cannot start its workers \(No space left on device\)"), local(1):
        pass


def test_a_worker_with_another_version_or_without_the_package_is_named(two, monkeypatch):
    monkeypatch.setattr(clusters, "__version__", "9.9")
    with pytest.raises(DataError, match=f"it has rosenblatt {rosenblatt.__version__}, and this is 9.9") as said:
        clusters.check_workers(two.client)
    # A worker that was killed in another test is replaced by a new one, so which of them answer is known only here.
    assert any(str(said.value).startswith(f"worker {worker}: ") for worker in two.client.nthreads())

    class Without:
        scheduler = two.client.scheduler

        def wait_for_workers(self, *arguments, **more):
            pass

        def run(self, function, name, **more):
            return two.client.run(function, name.replace("rosenblatt", "no_such_package"), **more)

    with pytest.raises(DataError, match=r"worker tcp://.*: rosenblatt is not installed"):
        clusters.check_workers(Without())


def test_a_worker_that_cannot_read_a_shard_is_named(two, monkeypatch):
    from rosenblatt.distributed import shard

    written = shard.write_shard

    def lost(one, path):
        written(one, path)
        path.unlink()

    monkeypatch.setattr(clusters.tasks, "write_shard", lost)
    with pytest.raises(DataError, match=r"worker tcp://.*: cannot read the shard .*--shared"):
        learn(problem(2, "dense"), Settings(shards=2, max_iter=2), site=two)

    def cut(one, path):
        written(one, path)
        data = bytearray(path.read_bytes())
        data[-9] ^= 1
        path.write_bytes(data)

    monkeypatch.setattr(clusters.tasks, "write_shard", cut)
    with pytest.raises(DataError, match=r"worker tcp://.*: the shard .* is damaged"):
        learn(problem(2, "dense"), Settings(shards=2, max_iter=2), site=two)


def test_the_command_trains_with_workers_and_says_how_many_shards(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    settings = ["train", "digits", "--model", "perceptron", "--passes", "2", "--margin", "0", "--quiet"]
    with pytest.raises(SystemExit) as end:
        cli.main([*settings, "--workers", "2", "--out", "cluster.rosenblatt"])
    assert end.value.code == 0, capfd.readouterr().err
    with pytest.raises(SystemExit):
        cli.main([*settings, "--shards", "8", "--out", "threads.rosenblatt"])
    one, other = (rosenblatt.load(f"{name}.rosenblatt") for name in ("cluster", "threads"))
    assert content(one) == content(other)
    assert one.card["choice"]["shards"] == 8
    for wrong in (["--workers", "2", "--cluster", "tcp://a:1"], ["--shared", "."]):
        with pytest.raises(SystemExit) as end:
            cli.main([*settings, *wrong])
        assert end.value.code == 2
