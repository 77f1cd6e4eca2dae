"""A model behind an address: the answers of `predict`, one line of JSON for whatever is wrong, and an orderly end."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import httpx
import numpy as np
import pytest

import rosenblatt
from rosenblatt.cli import main
from rosenblatt.errors import DataError, SettingError
from rosenblatt.model.answers import Asked, plain_answers
from rosenblatt.serve import bodies, connections, questions, server, work
from rosenblatt.serve.connections import Connection, fastest_connection
from rosenblatt.serve.guard import Refused
from rosenblatt.serve.server import open_server
from rosenblatt.serve.work import Work
from rosenblatt.store.export_html import to_html

WORDS = {"spam": "win prize money claim now cash", "ham": "see you at lunch tomorrow then"}
TOKEN = "a-token-of-more-than-sixteen"


def messages(count: int) -> list[tuple[str, str]]:
    draw = np.random.default_rng(0)
    return [
        (" ".join(draw.choice((WORDS[label] + " the of and").split(), 6)), label)
        for label in draw.choice(["ham", "spam"], count)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("serve")


@pytest.fixture(scope="module")
def texts(folder):
    path = folder / "mail.rosenblatt"
    rows = messages(200)
    rosenblatt.save(rosenblatt.train({"text": [text for text, _ in rows], "label": [label for _, label in rows]}), path)
    return path


@pytest.fixture(scope="module")
def table(folder):
    draw, path = np.random.default_rng(1), folder / "play.rosenblatt"
    outlook, temp = draw.choice(["sunny", "rain"], 120).tolist(), draw.normal(20, 5, 120).round(1).tolist()
    label = ["out" if sky == "sunny" and warm > 18 else "in" for sky, warm in zip(outlook, temp, strict=True)]
    rosenblatt.save(rosenblatt.train({"outlook": outlook, "temp": temp, "label": label}, model="perceptron"), path)
    return path


@contextmanager
def serving(path, **more):
    running = open_server(path, **more)
    thread = threading.Thread(target=running.serve, daemon=True)
    thread.start()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{running.port}", timeout=60) as client:
            client.running = running
            yield client
    finally:
        running.stop()
        thread.join(30)
        assert not thread.is_alive(), "the server did not stop"


@pytest.fixture(scope="module")
def mail(texts):
    with serving(texts) as client:
        yield client


@pytest.fixture(scope="module")
def play(table):
    with serving(table) as client:
        yield client


def test_answers_are_those_of_predict_to_the_bit(mail, texts):
    model = rosenblatt.load(texts)
    asked = [text for text, _ in messages(40)] + ["", "ünïcode 漢字 win", "a" * 40_000]
    wanted = plain_answers(model, model.scores(asked), Asked(True, True, 0.95))
    more = {"scores": True, "probabilities": True, "sets": 0.95}
    assert mail.post("/predict", json={"texts": asked, **more}).json() == {"predictions": wanted}
    for text, answer in zip(asked, wanted, strict=True):
        assert mail.post("/predict", json={"text": text, **more}).json() == answer
        assert mail.post("/predict", json={"text": text}).json() == {"prediction": answer["prediction"]}


def test_texts_that_arrive_together_get_the_answers_that_they_get_alone(texts, mail):
    model = rosenblatt.load(texts)
    asked = [text for text, _ in messages(60)]
    wanted = model.predict(asked)
    found, errors = [""] * len(asked), []

    def ask(place):
        try:
            with httpx.Client(base_url=mail.base_url, timeout=60) as client:
                found[place] = client.post("/predict", json={"text": asked[place]}).json()["prediction"]
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=ask, args=[place]) for place in range(len(asked))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (errors, found) == ([], wanted)


def test_a_text_that_cannot_be_looked_at_spoils_no_other(mail):
    half = b'{"text": "half a \\ud800 character"}'
    results = []

    def ask(body):
        results.append(httpx.post(f"{mail.base_url}/predict", content=body, timeout=60).status_code)

    threads = [threading.Thread(target=ask, args=[body]) for body in (half, b'{"text": "win cash"}') * 10]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [200] * 10 + [422] * 10


def test_rows_are_answered_as_predict_does(play, table):
    model = rosenblatt.load(table)
    rows = [{"outlook": "sunny", "temp": 30}, {"outlook": "rain", "temp": 12.5}, {"outlook": "snow", "temp": -3}]
    wanted = plain_answers(model, model.scores(rows), Asked(True))
    assert play.post("/predict", json={"rows": rows, "scores": True}).json() == {"predictions": wanted}
    for row, answer in zip(rows, wanted, strict=True):
        assert play.post("/predict", json={"row": row, "scores": True}).json() == answer
        assert play.post("/predict", json={"row": {**row, "label": "in"}}).json() == {
            "prediction": answer["prediction"]
        }


def test_explain_adds_up_and_is_what_the_command_prints(play, table, capsys, tmp_path):
    row = {"outlook": "sunny", "temp": 25.5}
    found = play.post("/explain", json={"row": row, "flip": True}).json()
    ((name, score),) = found["scores"].items()
    assert score == pytest.approx(found["constant"][name] + sum(found["contributions"][name].values()))
    assert found["flip"]["changes"]
    (tmp_path / "row.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(SystemExit) as end:
        main(["explain", str(table), str(tmp_path / "row.jsonl"), "--flip", "--json"])
    assert end.value.code == 0
    assert json.loads(capsys.readouterr().out) == found


ROW = {"outlook": "rain", "temp": 1}
# Each line: the path, the body as JSON, the status, and what the one line says.
WRONG = {
    "unknown column": ("/predict", {"row": {"outlok": "rain", "temp": 1}}, 422, "Did you mean 'outlook'?"),
    "unknown column among rows": ("/predict", {"rows": [ROW, {**ROW, "x": 1}]}, 422, "row 2: no column named 'x'"),
    "wrong type": ("/predict", {"row": {"outlook": "rain", "temp": "warm"}}, 422, "'warm' is not a number"),
    "an object": ("/predict", {"row": {"outlook": {"a": 1}, "temp": 1}}, 422, "a list or an object"),
    "missing field": ("/predict", {"row": {"temp": 1}}, 422, "no column named 'outlook'"),
    "a text for a table": ("/predict", {"text": "hello"}, 422, "reads no text but the columns"),
    "nothing asked": ("/predict", {}, 400, "give one of the fields text, row, texts, rows; got none of them"),
    "two at once": ("/predict", {"row": ROW, "rows": [ROW]}, 400, "got row, rows"),
    "an unknown field": ("/predict", {"row": ROW, "score": True}, 400, "there is no field 'score'"),
    "no list": ("/predict", {"rows": ROW}, 400, "'rows' must be a list; got an object"),
    "no rows": ("/predict", {"rows": []}, 400, "must have 1 to 10,000 entries; got 0"),
    "too many rows": ("/predict", {"rows": [ROW] * 10_001}, 413, "got 10,001"),
    "no object": ("/predict", {"rows": [ROW, 3]}, 400, "entry 2 of 'rows' must be an object; got a number"),
    "no flag": ("/predict", {"row": ROW, "scores": 1}, 400, "'scores' must be true or false"),
    "no share": ("/predict", {"row": ROW, "sets": 95}, 400, "a share between 0 and 1"),
    "several to explain": ("/explain", {"rows": [ROW]}, 400, "there is no field 'rows'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_line_of_json_with_its_status(play, case):
    path, body, status, line = WRONG[case]
    answer = play.post(path, json=body)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert line in answer.json()["error"]
    assert "\n" not in answer.text


BODIES = {
    "empty": (b"", 400, "no body"),
    "no JSON": (b"{", 400, "no JSON that can be taken"),
    "a list": (b"[1]", 400, "a JSON object is needed"),
    "not UTF-8": (b'{"text": "\xff"}', 400, "not UTF-8"),
    "nested": (b"[" * 3_000_000, 400, "nested too deeply"),
    "10 MB of nested JSON": (b"[" * 10_000_000, 413, "larger than 4 MB"),
    "a text of 50 MB": (b'{"text": "' + b"a" * 50_000_000 + b'"}', 413, "larger than 4 MB"),
    "NaN": (b'{"row": {"temp": NaN}}', 400, "NaN"),
    "a name twice": (b'{"row": {}, "row": {}}', 400, "names a field twice"),
}


@pytest.mark.parametrize("case", BODIES)
def test_bodies_that_cannot_be_taken(play, case):
    body, status, line = BODIES[case]
    answer = play.post("/predict", content=body)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])
    assert line in answer.json()["error"]
    # A program that sends everything before it reads is told the same.
    plain = HTTPConnection("127.0.0.1", play.running.port, timeout=60)
    plain.request("POST", "/predict", body)
    told = plain.getresponse()
    assert (told.status, json.load(told)) == (status, answer.json())
    plain.close()


def test_other_paths_and_methods(play):
    assert [play.get(path).status_code for path in ("/health", "/predict", "/explain", "/nothing")] == [
        200,
        405,
        405,
        404,
    ]
    assert play.post("/health").status_code == 405
    assert play.get("/nothing").json() == {
        "error": "there is nothing at this path. Ask /, /predict, /explain, /health."
    }


def test_pages_of_other_sites_may_not_ask(play):
    body = {"row": ROW}
    port = play.running.port
    assert play.post("/predict", json=body, headers={"Origin": "http://evil.example"}).status_code == 403
    assert play.post("/predict", json=body, headers={"Host": f"evil.example:{port}"}).status_code == 403
    assert play.post("/predict", json=body, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert play.post("/predict", json=body, headers={"Origin": f"http://127.0.0.1:{port}"}).status_code == 200


def test_with_a_token_nobody_asks_without_it(table, tmp_path):
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    with serving(table, token_file=tmp_path / "token") as client:
        body = {"row": ROW}
        for headers, status in (
            ({}, 401),
            ({"Authorization": "Bearer wrong"}, 401),
            ({"Authorization": f"Bearer {TOKEN}"}, 200),
            ({"X-Rosenblatt-Token": TOKEN}, 200),
        ):
            answer = client.post("/predict", json=body, headers=headers)
            assert answer.status_code == status
            assert status == 200 or "token" in answer.json()["error"]
        assert client.get("/health").status_code == 200
        locked = client.get("/")
        assert (locked.status_code, list(locked.json())) == (401, ["error"])
        assert locked.headers["www-authenticate"].startswith("Basic ")
        for password, status in (("wrong", 401), (TOKEN, 200)):
            assert client.get("/", auth=("anybody", password)).status_code == status
        assert client.get("/", headers={"Authorization": "Basic %%%"}).status_code == 401
        assert client.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_the_page_is_the_exported_one_and_decides_under_its_policy(mail, texts, browser):
    model = rosenblatt.load(texts)
    answer = mail.get("/")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.content == to_html(model, "mail.rosenblatt")[0]
    (policy,) = answer.headers.get_list("content-security-policy")
    assert "default-src 'none'" in policy
    assert "'self'" not in policy
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(str(mail.base_url))
    page.fill("textarea", "win cash now")
    page.click("button[type=submit]")
    assert page.inner_text(".class") == model.predict(["win cash now"])[0]
    assert [url for url in asked if not url.startswith("data:")] == [f"{mail.base_url}/"]
    page.close()


def test_a_model_that_no_page_can_hold_has_none_and_answers_all_the_same(folder):
    counted = rosenblatt.train("iris", model="naive-bayes")
    rosenblatt.save(counted, folder / "counted.rosenblatt")
    with serving(folder / "counted.rosenblatt") as client:
        assert client.get("/").status_code == 404
        assert "this model has no page: a page adds up words" in client.get("/").json()["error"]
        row = rosenblatt.data.read("iris").columns.to_pylist()[0]
        assert client.post("/predict", json={"row": row}).json() == {"prediction": "setosa"}


def test_other_hosts_need_a_token_and_tokens_must_be_secrets(table, tmp_path):
    with pytest.raises(SettingError, match=r"--host 0\.0\.0\.0: others could ask this model"):
        open_server(table, host="0.0.0.0")
    for content, line in (
        ("short\n", "no token of at least 16"),
        ("", "no token"),
        ("two words and more of it", "no token"),
    ):
        (tmp_path / "token").write_text(content)
        with pytest.raises(DataError, match=line):
            open_server(table, token_file=tmp_path / "token")
    with pytest.raises(DataError, match="no such file"):
        open_server(table, token_file=tmp_path / "absent")
    (tmp_path / "token").write_text(TOKEN)
    with serving(table, host="0.0.0.0", token_file=tmp_path / "token") as client:  # under any name, with the token
        headers = {"Host": "models.example", "Authorization": f"Bearer {TOKEN}"}
        assert client.post("/predict", json={"row": ROW}, headers=headers).status_code == 200
        assert client.post("/predict", json={"row": ROW}, headers={"Host": "models.example"}).status_code == 401


def test_a_port_in_use_and_no_model(table, play, tmp_path):
    with pytest.raises(SettingError, match=f"port {play.running.port} is taken"):
        open_server(table, port=play.running.port)
    with pytest.raises(DataError, match="no such file"):
        open_server(tmp_path / "absent.rosenblatt")
    (tmp_path / "token").write_text(TOKEN)
    with pytest.raises(SettingError, match=r"host '192\.0\.2\.1' is no address of this machine"):
        open_server(table, host="192.0.2.1", token_file=tmp_path / "token")


def test_a_model_that_is_removed_or_replaced_is_still_served_and_health_says_so(table, tmp_path):
    path = tmp_path / "copy.rosenblatt"
    path.write_bytes(table.read_bytes())
    with serving(path) as client:
        before = client.post("/predict", json={"row": ROW, "scores": True}).json()
        assert client.get("/health").json() == {
            "status": "ok", "model": "copy.rosenblatt", "classes": ["in", "out"], "file": "as read"
        }  # fmt: skip
        path.write_bytes(b"another")
        assert client.get("/health").json()["file"] == "changed"
        path.unlink()
        assert client.get("/health").json()["file"] == "removed"
        assert client.post("/predict", json={"row": ROW, "scores": True}).json() == before


@pytest.mark.parametrize("http", [Connection, fastest_connection()])
def test_both_readers_of_requests_keep_the_limits(table, monkeypatch, http):
    monkeypatch.setattr("rosenblatt.serve.server.fastest_connection", lambda: http)
    monkeypatch.setattr(connections, "ARRIVAL", 0.5)
    with serving(table) as client:
        for sent in (b"NONSENSE\r\n\r\n", b"POST / HTTP/1.1\r\nX: " + b"a" * 200_000):
            with socket.create_connection(("127.0.0.1", client.running.port), 30) as plain:
                plain.sendall(sent)
                assert plain.recv(1000).startswith(b"HTTP/1.1 400")
        with socket.create_connection(("127.0.0.1", client.running.port), 30) as slow:
            slow.sendall(b"POST /predict HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le")
            assert slow.recv(100) == b""  # it did not arrive in time
        body = json.dumps({"row": ROW}).encode()
        head = f"POST /predict HTTP/1.1\r\nHost: 127.0.0.1:{client.running.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", client.running.port), 30) as kept:
            for _ in range(3):
                kept.sendall(head.encode() + body)
                assert b"200 OK" in kept.recv(4000)


def test_sigterm_finishes_what_has_begun(table):
    """A request whose body is not whole yet when the signal comes is answered, and then the command ends with 0."""
    command = [sys.executable, "-m", "rosenblatt", "serve", str(table), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as end:
        port = int(end.stdout.readline().rpartition(":")[2])
        body = json.dumps({"row": ROW}).encode()
        head = f"POST /predict HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), 30) as plain:
            plain.sendall(head.encode() + body[:5])
            while httpx.get(f"http://127.0.0.1:{port}/health").status_code != 200:
                time.sleep(0.05)
            end.send_signal(signal.SIGTERM)
            for _ in range(600):  # until nobody new is let in
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                except OSError:
                    break
                time.sleep(0.05)
            plain.sendall(body[5:])
            assert b"200 OK" in plain.recv(4000)
        assert end.wait(60) == 0
        assert end.stdout.read().endswith("stopped.\n")


def test_limits_are_what_the_documentation_says():
    guide = (Path(__file__).parents[2] / "docs/guides/behind_an_address.md").read_text(encoding="utf8")
    assert "at most 4 MB and 10,000 rows, 10 s to arrive and 20 s to be answered" in guide
    assert (bodies.MOST_BYTES, questions.MOST_ROWS) == (4 * 2**20, 10_000)
    assert (connections.ARRIVAL, work.SECONDS) == (10, 20)
    assert "at most 1,000 connections" in guide
    assert connections.MOST_CONNECTIONS == 1_000
    assert "at least 16 characters" in guide
    assert server.SHORTEST == 16


def test_what_was_refused_is_not_kept_in_memory():
    class Sent:
        """A body."""

    def refuse(_):
        raise Refused(400, "no")

    async def ask(work):
        sent = Sent()
        kept = weakref.ref(sent)
        with pytest.raises(Refused):
            await work.run("one", partial(refuse, sent))
        return kept

    work = Work()
    gc.disable()  # by counting references alone, since a collection may be long in coming
    try:
        found = []
        thread = threading.Thread(target=lambda: found.append(asyncio.run(ask(work))))  # this one may have a loop
        thread.start()
        thread.join()
        (kept,) = found
        for _ in range(100):
            if kept() is None:
                break
            time.sleep(0.01)
        assert kept() is None
    finally:
        gc.enable()
        work.stop()
