"""What a served model is asked: right questions with Python's answers, and wrong ones with the status that they get."""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

import numpy as np

import rosenblatt
from faults.mutation import mutated_json
from rosenblatt.errors import RosenblattError
from rosenblatt.model import Model
from rosenblatt.model.answers import Asked, plain_answers
from rosenblatt.serve.app import ALLOWED
from rosenblatt.serve.bodies import read_json
from rosenblatt.serve.guard import Refused
from rosenblatt.serve.questions import EXPLAIN, PREDICT, explained, predicted, read_question

VOCABULARY = (
    "win", "prize", "money", "claim", "cash", "see", "you", "at", "lunch", "tomorrow", "then", "the", "of", "naïve",
    "漢字",
)  # fmt: skip
ODD_TEXTS = ("", " ", "\u2028", "a" * 5000, "win " * 3000, "😀 cash", "</script>", "\u202ewin", "\0", "ΣΑΣ")
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -0.0, 1e308, -1e308, 5e-324, 2**53 + 1, 2**63, 2**64, -(2**70), 10**300, 10**400, "", " ",
    "?",
    "NaN", "inf", "1e999", "0x10", "\ud800", "\0", "x" * 10_000, [], {}, [[]], [1], {"a": 1}, "2024-02-30", "1,5", "٣",
)  # fmt: skip
WORDS = (
    b'"', b"{", b"}", b"[", b"]", b":", b",", b"null", b"NaN", b"-Infinity", b"1e400", b"\\ud800", b"\\u0000", b"\xff",
    b'"rows"', b'"row"', b'"text"', b'"texts"', b'"scores":true', b'"probabilities":1', b'"sets":0.5', b'"flip":true',
    b"[" * 300, b'{"a":' * 300, b"9" * 5000, b"/*", b"\xef\xbb\xbf",
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW")
PATHS = (
    *ALLOWED, "/predict/", "//predict", "/predict?x=1", "/%70redict", "/../predict", "/web/../lab", "/PREDICT",
    "/etc/passwd", "/\xff", "/" + "a" * 5000, "*", "/predict%00", "/health#x",
)  # fmt: skip


class Subject(NamedTuple):
    """A model, and rows of the kind that it was trained on; of texts, under the name of their column."""

    name: str
    model: Model
    rows: list[dict[str, Any]]


def subjects() -> list[Subject]:
    """A model of texts, of a table with every kind of column, and of a kernel."""
    draw = np.random.default_rng(0)
    texts = [" ".join(draw.choice(VOCABULARY, 6)) for _ in range(150)]
    sorts = ["spam" if "win" in text or "cash" in text else "ham" for text in texts]
    table: dict[str, list[Any]] = {
        "town": draw.choice(["Ulm", "Köln", "Bonn"], 150).tolist(),
        "temp": [None if k % 11 == 0 else float(k % 37) for k in range(150)],
        "day": [f"2024-0{1 + k % 9}-1{k % 10}" for k in range(150)],
        "member": draw.choice([True, False], 150).tolist(),
    }
    label = [f"{town[:1]}{member}" for town, member in zip(table["town"], table["member"], strict=True)]
    circle = {"x": draw.normal(size=120).tolist(), "y": draw.normal(size=120).tolist()}
    inside = ["in" if x * x + y * y < 1.5 else "out" for x, y in zip(circle["x"], circle["y"], strict=True)]
    quick = {"margin": 1.0, "passes": 3}
    made: dict[str, tuple[dict[str, list[Any]], list[str], dict[str, Any]]] = {
        "texts": ({"text": texts}, sorts, {"model": "perceptron", **quick}),
        "table": (table, label, {"model": "perceptron", **quick}),
        "kernel": (circle, inside, {"model": "kernel", "margin": 0.3, "passes": 3}),
    }
    return [
        Subject(name, rosenblatt.train({**columns, "label": of}, label="label", **wishes), _rows(columns))
        for name, (columns, of, wishes) in made.items()
    ]


def _rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def good_body(subject: Subject, draw: random.Random) -> tuple[str, bytes, Any]:
    """The path, the body, and the answer that Python gives by a way of its own."""
    model, single = subject.model, draw.random() < 0.5
    rows = [dict(draw.choice(subject.rows)) for _ in range(1 if single else draw.choice((1, 3, 40)))]
    for row in rows:
        if "text" in row and draw.random() < 0.3:
            row["text"] = draw.choice(ODD_TEXTS)
        for name, odd in {"town": "Paris", "temp": draw.choice((-1e6, 0, 3)), "x": 1e3}.items():
            if name in row and draw.random() < 0.2:
                row[name] = odd
    can = model.decision.calibration is not None
    asked = Asked(draw.random() < 0.5, can and draw.random() < 0.3, 0.9 if can and draw.random() < 0.2 else None)
    if subject.name == "texts" and draw.random() < 0.8:
        given: dict[str, Any] = {"text": rows[0]["text"]} if single else {"texts": [row["text"] for row in rows]}
    else:
        given = {"row": rows[0]} if single else {"rows": rows}
    given |= {name: True for name in ("scores", "probabilities") if getattr(asked, name)}
    given |= {} if asked.coverage is None else {"sets": asked.coverage}
    found = plain_answers(model, model.scores(rows), asked)
    body = json.dumps(given, ensure_ascii=draw.random() < 0.5).encode()
    return "/predict", body, json.loads(json.dumps(found[0] if single else {"predictions": found}))


def bad_body(subject: Subject, draw: random.Random) -> tuple[str, bytes, int, Any]:
    """The path, a body with something wrong in it, and the status and the answer that the same code gives alone."""
    path = draw.choice(("/predict", "/predict", "/explain"))
    if draw.random() < 0.5:
        rows = [dict(draw.choice(subject.rows)) for _ in range(draw.choice((1, 1, 3)))]
        row = draw.choice(rows)
        row[draw.choice([*row, *row, "label", "", "\ud800", "no such", "__proto__"])] = draw.choice(ODD_VALUES)
        if draw.random() < 0.2:
            del row[draw.choice(list(row))]
        given: dict[str, Any] = draw.choice(
            [{"row": rows[0]}, {"rows": rows}, {"text": next(iter(rows[0].values()), 0)}]
        )
        body = json.dumps({**given, **draw.choice(({}, {"scores": True}, {"flip": True}, {"sets": 2}))}).encode()
    else:
        body = mutated_json([good_body(subject, draw)[1]], WORDS, draw)
    return path, body, *_alone(subject.model, path, body)


def _alone(model: Model, path: str, body: bytes) -> tuple[int, Any]:
    """The status of the answer, and the answer where it is one."""
    try:
        if path == "/predict":
            found = predicted(model, read_question(read_json(body), PREDICT))
        else:
            found = explained(model, read_question(read_json(body), EXPLAIN))
    except Refused as refused:
        return refused.status, None
    except RosenblattError:
        return 422, None
    return 200, json.loads(json.dumps(found).encode("utf8", "replace"))


def odd_head(port: int, subject: Subject, draw: random.Random) -> tuple[bytes, bytes, tuple[int, ...]]:
    """A request of another method, path or header, its body, and the statuses that it may get."""
    _, body, _ = good_body(subject, draw)
    head = {"Host": f"127.0.0.1:{port}", "Content-Length": str(len(body)), "Connection": "close"}
    way = draw.randrange(4)
    if way == 0:
        method, path = draw.choice(METHODS), draw.choice(PATHS)
        known = path.partition("?")[0].partition("#")[0].replace("%70", "p")
        body = body if method == "POST" else b""
        head["Content-Length"] = str(len(body))
        right = method == ALLOWED.get(known) or (method == "HEAD" and ALLOWED.get(known) == "GET")
        statuses: tuple[int, ...] = (200, 400, 404) if right else (405,) if known in ALLOWED else (404,)
        statuses = statuses if path[0] == "/" and path.isascii() and method != "BREW" else (400, 404, 405)
        return _written(method, path, head), body, statuses
    name, value, statuses = draw.choice(_headers(port))
    return _written("POST", "/predict", {**head, name: value}), body, statuses


def _headers(port: int) -> list[tuple[str, str, tuple[int, ...]]]:
    return [
        ("Host", "evil.example", (403,)), ("Host", f"127.0.0.1:{port + 1}", (403,)), ("Host", "", (400, 403)),
        ("Origin", "http://evil.example", (403,)), ("Origin", "null", (403,)),
        ("Origin", f"http://127.0.0.1:{port}", (200,)),
        ("Sec-Fetch-Site", "cross-site", (403,)), ("Sec-Fetch-Site", "same-origin", (200,)),
        ("Content-Length", "-1", (400,)), ("Content-Length", "x", (400,)), ("Content-Length", "1" * 400, (400, 413)),
        ("Transfer-Encoding", "gzip", (400, 501)), ("Content-Type", "text/plain\xff", (200, 400)),
        ("Content-Encoding", "gzip", (200,)), ("Expect", "100-continue", (100, 200)),
        ("Upgrade", "websocket", (200, 400)),
        ("X-Long", "a" * 200_000, (400, 431, 0)), ("X\0", "y", (400,)), ("Bad Name", "y", (400,)),
        ("Accept-Encoding", "*", (200,)), ("Cookie", "a" * 4000, (200,)),
    ]  # fmt: skip


def _written(method: str, path: str, head: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")
