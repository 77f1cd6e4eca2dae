"""Every real data set reads with the counts that its description gives."""

from __future__ import annotations

import tarfile
from collections import Counter

import pytest

from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Classes


@pytest.mark.parametrize(
    ("path", "label", "counts"),
    [
        ("adult/adult.data", "c15", {"<=50K": 24720, ">50K": 7841}),
        ("adult/adult.test", "c15", {"<=50K.": 12435, ">50K.": 3846}),
        ("mushroom/mushroom_with_header.csv", "edible", {"e": 4208, "p": 3916}),
        ("mushroom/agaricus-lepiota.data", "c1", {"e": 4208, "p": 3916}),
        ("sms-spam/SMSSpamCollection", "c1", {"ham": 4827, "spam": 747}),
        ("libsvm/a9a", None, {-1: 24720, 1: 7841}),
        ("reuters-acq/train.dat", None, {-1: 1000, 1: 1000}),
        ("reuters-acq/test.dat", None, {-1: 300, 1: 300}),
    ],
)
def test_rows_and_classes(data, path, label, counts):
    table = read(data / path, label)
    assert Counter(table.labels.to_pylist()) == counts
    rows = sum(part.n_rows for part in read(data / path, label, batches=1000))
    assert rows == table.n_rows


def test_adult_has_its_missing_values_and_numbers(data):
    table = read(data / "adult" / "adult.data", "c15")
    missing = {name: table.columns[name].null_count for name in table.names if table.columns[name].null_count}
    assert missing == {"c2": 1836, "c7": 1843, "c14": 583}
    assert table.columns["c1"][0].as_py() == 39


def test_the_dotted_labels_of_adult_are_refused_with_the_nearest(data):
    classes = Classes.learn(read(data / "adult" / "adult.data", "c15"))
    with pytest.raises(DataError, match=r"adult.test, row 1: the label '<=50K.' .* Did you mean '<=50K'"):
        classes.encode(read(data / "adult" / "adult.test", "c15"))


def test_20_newsgroups_are_texts_in_latin1(data, tmp_path):
    with tarfile.open(data / "20news-bydate.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    train, test = read(tmp_path / "20news-bydate-train"), read(tmp_path / "20news-bydate-test")
    assert (train.n_rows, test.n_rows) == (11314, 7532)
    assert len(set(train.labels.to_pylist())) == 20
    assert train.names == ["text"]
    assert "read as latin-1" in train.notes[0]


def test_spamassassin_is_mail_in_five_folders(data, tmp_path):
    with tarfile.open(data / "spamassassin.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    merge = {"easy_ham": "ham", "easy_ham_2": "ham", "hard_ham": "ham", "spam_2": "spam"}
    table = read(tmp_path / "spamassassin", relabel=merge)
    assert Counter(table.labels.to_pylist()) == {"ham": 2500 + 1400 + 250, "spam": 500 + 1396}
    texts = table.columns["text"].to_pylist()
    assert sum(not text.strip() for text in texts) < 30
    assert sum("<html" in text.lower() for text in texts) < 30
    assert sum(bool(subject) for subject in table.columns["subject"].to_pylist()) > 6000
