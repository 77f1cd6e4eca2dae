"""What plain `train` reaches on real data, no option but the label: the table of docs/train.md."""

from __future__ import annotations

import statistics
import tarfile

import pytest

from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.store import to_bytes

GIVEN = {
    "reuters-acq": ("reuters-acq/train.dat", "reuters-acq/test.dat", 0.978),
    "a9a": ("libsvm/a9a", "libsvm/a9a.t", 0.849),
    "news20": ("libsvm/news20", "libsvm/news20.t", 0.875),
    "MNIST": ("mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz", 0.964),
}
SPLIT = {
    "sms-spam": ("sms-spam/SMSSpamCollection", "c1", 0.986),
    "adult": ("adult/adult.data", "c15", 0.86),
    "mushroom": ("mushroom/mushroom_with_header.csv", "edible", 1.0),
}


@pytest.mark.parametrize("name", GIVEN)
def test_accuracy_on_given_test_rows(name, data):
    source, test, goal = GIVEN[name]
    assert train(data / source, test=data / test).card["test"]["accuracy"] >= goal


@pytest.mark.parametrize("name", SPLIT)
def test_median_accuracy_over_three_splits(name, data):
    source, label, goal = SPLIT[name]
    table = read(data / source, label)
    assert statistics.median(train(table, seed=seed).card["test"]["accuracy"] for seed in range(3)) >= goal


def test_copies_are_as_many_as_the_docs_say(data):
    about = train(data / "libsvm" / "a9a", test=data / "libsvm" / "a9a.t", model="naive-bayes").card["test"]
    assert about["rows"] - about["without_copies"]["rows"] == 5_528
    messages = read(data / "sms-spam" / "SMSSpamCollection", "c1")
    assert (messages.n_rows, train(messages, model="naive-bayes").card["split"]["duplicates"]) == (5_574, 414)


def test_20_newsgroups_are_told_apart_by_a_model_under_15_mb(data, tmp_path):
    with tarfile.open(data / "20news-bydate.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    model = train(tmp_path / "20news-bydate-train", test=tmp_path / "20news-bydate-test")
    assert model.card["test"]["accuracy"] >= 0.865
    assert len(to_bytes(model)) < 15_000_000


def test_spamassassin(data, tmp_path):
    with tarfile.open(data / "spamassassin.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    ham = dict.fromkeys(("easy_ham", "easy_ham_2", "hard_ham"), "ham")
    table = read(tmp_path / "spamassassin", relabel={**ham, "spam_2": "spam"})
    assert train(table).card["test"]["accuracy"] >= 0.985
