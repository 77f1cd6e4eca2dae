"""What the server learns for the page from a person's own messages."""

from __future__ import annotations

from base64 import b64decode
from contextlib import closing

import numpy as np

from lab_server import Client, running_lab
from rosenblatt.lab import mail_file
from rosenblatt.lab.datasets import read_bytes
from rosenblatt.lab.mail_file import with_label
from rosenblatt.lab.mail_model import learn_mail
from rosenblatt.lab.sessions import Session


def csv_of(*rows: str) -> bytes:
    return "\n".join(["text,label", *rows]).encode()


OWN = csv_of(
    *(f"the ball went over line {n} of the field,sport" for n in range(20)),
    *(f"the soup needs {n} grains of salt,food" for n in range(20)),
)


def test_own_messages_are_learned_and_bad_ones_refused_in_one_line():
    with running_lab() as lab, closing(Client(lab)) as mine:
        told = mine.call("mail_learn", OWN, name="mine.csv")
        learned = learn_mail(read_bytes(OWN, "mine.csv"), "mine.csv")
        assert (told["name"], told["classes"]) == ("mine.csv", ["food", "sport"])
        assert (told["train"], told["test"], told["right"]) == (learned.n_train, learned.test.n_rows, learned.right)
        assert told["words"].split(" ") == learned.model.plan.names
        assert np.array_equal(np.frombuffer(b64decode(told["weights"]), "<f8"), learned.model.learner.weights)
        texts = learned.test.columns["text"].to_pylist()
        assert [sample["text"] in texts for sample in told["samples"]] == [True] * 4
        for body, line in {
            b"": "mine.csv: the file is empty",
            csv_of('"broken,sport'): "mine.csv, line 2: a quote opens here and never closes",
            b"a,b\n1,2\n3,4\n": "the label could be any of a, b",
            csv_of("one message only here,ham"): "mine.csv",
            b"\x1f\x8b\x08packed": "this is compressed",
        }.items():
            answer = mine.ask("mail_learn", body, name="mine.csv")
            assert answer.status_code == 422
            assert line in answer.json()["error"]


def test_the_label_is_found_where_only_one_column_can_be_it():
    body = OWN.replace(b"text,label", b"message,kind")
    table = with_label(read_bytes(body, "mine.csv"))
    assert (table.label, table.names) == ("kind", ["message"])


def test_a_real_file_of_short_messages_is_learned_well(data):
    lines = (data / "sms-spam" / "SMSSpamCollection").read_bytes()
    told = mail_file.learn_file(Session("sms"), b"label\ttext\n" + lines, {"name": "sms.tsv"})
    assert told["train"] + told["test"] == 5574
    assert told["right"] / told["test"] > 0.97
