"""The calls of the page by name: plain values in, plain values out. A part of the page adds its line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rosenblatt.lab import bayes, digits, likelihood, mail, mail_file, xor
from rosenblatt.lab.courses import course_table
from rosenblatt.lab.datasets import load, open_builtin, pick
from rosenblatt.lab.lessons import lesson
from rosenblatt.lab.losses import loss_curve, losses, orders
from rosenblatt.lab.presets import presets
from rosenblatt.lab.proof import proof
from rosenblatt.lab.regions import regions, surface
from rosenblatt.lab.run import run, words
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.takeaway import takeaway

Call = Callable[[Session, dict[str, Any]], dict[str, Any]]
RawCall = Callable[[Session, bytes, Mapping[str, str]], dict[str, Any]]

# POST /api/<name> with a JSON object
CALLS: dict[str, Call] = {
    "run": run,
    "words": words,
    "presets": presets,
    "proof": proof,
    "losses": losses,
    "loss_curve": loss_curve,
    "orders": orders,
    "course_table": course_table,
    "regions": regions,
    "surface": surface,
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
