"""What the page asks the server for, by name: plain values in, plain values out. The rest it does (engine/calls.js)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rosenblatt.lab import bayes, digits, likelihood, mail, mail_file, xor
from rosenblatt.lab.datasets import load, open_builtin, pick
from rosenblatt.lab.lessons import lesson
from rosenblatt.lab.proof import proof
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.takeaway import takeaway

Call = Callable[[Session, dict[str, Any]], dict[str, Any]]
RawCall = Callable[[Session, bytes, Mapping[str, str]], dict[str, Any]]

# POST /api/<name> with a JSON object
CALLS: dict[str, Call] = {
    "proof": proof,
    "open": open_builtin,
    "pick": pick,
    "takeaway": takeaway,
    "lesson": lesson,
    "xor": xor.tell_xor,
    "bayes": bayes.weigh_row,
    "bayes_examples": bayes.list_examples,
    "likelihood": likelihood.show_likelihood,
    "likelihood_examples": likelihood.list_likelihoods,
    "digits": digits.show_digits,
    "digit": digits.read_digit,
    "mail": mail.show_mail,
    "mail_read": mail.read_mail,
    "mail_forget": mail.forget_mail,
}

# POST /api/<name>?... with any bytes
RAW_CALLS: dict[str, RawCall] = {"load": load, "mail_learn": mail_file.learn_file}
