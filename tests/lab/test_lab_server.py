"""The server of the lab: who may ask, what is refused, and with which status."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from lab_server import Client, running_lab
from rosenblatt.errors import SettingError
from rosenblatt.lab import sessions as bounds
from rosenblatt.lab.server import open_lab
from rosenblatt.lab.sessions import MOST_AGE, Session, Sessions
from rosenblatt.serve.bodies import MOST_BYTES, read_json
from rosenblatt.serve.guard import Guard, Refused

PORT, TOKEN = 8765, "the-token"
HERE = f"127.0.0.1:{PORT}"


@pytest.fixture(scope="module")
def lab():
    with running_lab() as running:
        yield running


@pytest.fixture
def client(lab):
    made = Client(lab)
    yield made
    made.close()


# Each line: the headers that differ from those of an honest request (None: left out), and whether it may pass.
CASES = {
    "honest page": ({}, True),
    "by name": ({"host": f"localhost:{PORT}", "origin": f"http://localhost:{PORT}"}, True),
    "host in capitals": ({"host": f"LOCALHOST:{PORT}", "origin": f"http://localhost:{PORT}"}, True),
    "no browser, no origin": ({"origin": None, "sec-fetch-site": None}, True),
    "no host": ({"host": None}, False),
    "two hosts": ({"host": [HERE, HERE]}, False),
    "another host": ({"host": f"evil.example:{PORT}"}, False),
    "host that begins with ours": ({"host": f"127.0.0.1.evil.example:{PORT}"}, False),
    "host that ends with ours": ({"host": f"evil-localhost:{PORT}"}, False),
    "host with another port": ({"host": "127.0.0.1:80"}, False),
    "host without port": ({"host": "127.0.0.1"}, False),
    "all addresses": ({"host": f"0.0.0.0:{PORT}"}, False),
    "another origin": ({"origin": "http://evil.example"}, False),
    "null origin": ({"origin": "null"}, False),
    "origin with another port": ({"origin": "http://127.0.0.1:1"}, False),
    "origin with another scheme": ({"origin": f"https://{HERE}"}, False),
    "origin of the other name": ({"origin": f"http://localhost:{PORT}"}, False),
    "origin that begins with ours": ({"origin": f"http://{HERE}.evil.example"}, False),
    "two origins": ({"origin": [f"http://{HERE}", "http://evil.example"]}, False),
    "cross-site fetch": ({"sec-fetch-site": "cross-site"}, False),
    "same-site fetch from another port": ({"sec-fetch-site": "same-site"}, False),
    "no token": ({"x-rosenblatt-token": None}, False),
    "empty token": ({"x-rosenblatt-token": ""}, False),
    "wrong token": ({"x-rosenblatt-token": "the-tokem"}, False),
    "two tokens": ({"x-rosenblatt-token": [TOKEN, TOKEN]}, False),
}


@pytest.mark.parametrize("case", CASES)
def test_who_may_ask(case):
    change, passes = CASES[case]
    honest = {"host": HERE, "origin": f"http://{HERE}", "sec-fetch-site": "same-origin", "x-rosenblatt-token": TOKEN}
    headers = []
    for name, value in {**honest, **change}.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        headers += [(name.encode(), each.encode()) for each in values]
    refusal = Guard(None, PORT, TOKEN).refusal("POST", headers)
    assert (refusal is None) is passes


def test_the_page_itself_needs_the_right_host_and_no_token():
    def of(host):
        headers = [(b"host", host.encode()), (b"sec-fetch-site", b"none")]
        return Guard(None, PORT, TOKEN).refusal("GET", headers)

    assert of(HERE) is None
    assert "wrong Host" in str(of("evil.example"))


def test_wrong_host_origin_and_token_are_refused_by_the_running_server(lab):
    address = f"http://127.0.0.1:{lab.port}"
    good = {"X-Rosenblatt-Token": lab.token}
    for headers, status in (
        ({}, 401),
        ({"X-Rosenblatt-Token": "x" * len(lab.token)}, 401),
        ({**good, "Host": f"evil.example:{lab.port}"}, 403),
        ({**good, "Origin": "http://evil.example"}, 403),
        ({**good, "Origin": "null"}, 403),
    ):
        answer = httpx.post(f"{address}/api/session", json={}, headers=headers)
        assert answer.status_code == status, headers
        assert list(answer.json()) == ["error"]
    assert httpx.get(address, headers={"Host": f"evil.example:{lab.port}"}).status_code == 403
    assert httpx.post(f"{address}/api/session", json={}, headers=good).status_code == 200


def test_every_answer_forbids_what_a_page_need_not_do(lab, client):
    answers = [
        httpx.get(f"http://127.0.0.1:{lab.port}/"),
        httpx.get(f"http://127.0.0.1:{lab.port}/lab.js"),
        httpx.get(f"http://127.0.0.1:{lab.port}/nothing"),
        httpx.post(f"http://127.0.0.1:{lab.port}/api/proof"),
        client.ask("proof", {}),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 401, 422]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert lab.token not in answer.text


def test_the_page_its_style_and_its_script_are_served_and_nothing_else(lab):
    def get(path):
        with socket.create_connection(("127.0.0.1", lab.port), 5) as plain:  # as it is: clients tidy paths up
            plain.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\nConnection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda: plain.recv(65536), b""))
        return int(answer.split(b" ", 2)[1]), answer

    assert b"text/html" in get("/")[1]
    assert b"text/css" in get("/lab.css")[1]
    assert b"text/javascript" in get("/lab.js")[1]
    for path in (
        "/lab.js/../app.py", "/..%2flab%2fapp.py", "/%2e%2e/lab/app.py", "//etc/passwd", "/web/__init__.py",
        "/web/lab/lab.js", "/lab.js%00.html", "/lab.js/", "/web", "/..\\__init__.py", "/LAB.JS", "/index.html",
    ):  # fmt: skip
        status, answer = get(path)
        assert status in (307, 404), path
        assert b"import" not in answer, path


def test_bodies_over_the_limit_get_413_whether_or_not_their_length_is_declared(client):
    ten = b"x" * (10 * 2**20)

    def pieces():
        for start in range(0, len(ten), 2**16):
            yield ten[start : start + 2**16]

    for content in (ten, pieces()):
        answer = client.http.post("/api/load", content=content)
        assert answer.status_code == 413
        assert "4 MB" in answer.json()["error"]
    assert client.call("open", {"name": "xor"})["rows"] == 4  # the same client goes on
    almost = b'{"a": "' + b"x" * (MOST_BYTES - 9) + b'"}'
    assert client.http.post("/api/proof", content=almost).status_code == 422  # read, and found wanting


def test_two_requests_sent_at_once_are_answered_in_turn(lab):
    ask = f"GET /lab.css HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\n"
    with socket.create_connection(("127.0.0.1", lab.port), 5) as plain:
        plain.sendall(f"{ask}\r\n{ask}Connection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: plain.recv(65536), b""))
    assert answer.count(b"HTTP/1.1 200 OK") == 2


BAD_JSON = {
    "nothing": b"",
    "cut": b'{"a": ',
    "a list": b"[1, 2]",
    "a number": b"3",
    "NaN": b'{"a": NaN}',
    "infinity": b'{"a": -Infinity}',
    "too large": b'{"a": 1e999}',
    "twice": b'{"a": 1, "a": 2}',
    "deep": b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "digits": b'{"a": ' + b"9" * 5000 + b"}",
    "latin-1": b'{"a": "\xe9"}',
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_what_is_no_plain_json_is_refused_in_one_line(case, client):
    with pytest.raises(Refused) as error:
        read_json(BAD_JSON[case])
    assert "\n" not in str(error.value)
    answer = client.http.post("/api/proof", content=BAD_JSON[case])
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]


def test_statuses(lab, client):
    assert client.ask("no_such_call").status_code == 404
    assert client.http.get("/api/proof").status_code == 405
    assert client.http.get("/nothing").status_code == 404
    assert client.ask("proof", {"points": []}).status_code == 422
    client.http.headers["X-Rosenblatt-Session"] = "unknown"
    assert client.ask("open").status_code == 410  # api.js opens another and asks again


def test_a_mistake_of_ours_is_one_line_and_no_traceback(client, monkeypatch):
    from rosenblatt.lab.calls import CALLS

    monkeypatch.setitem(CALLS, "open", lambda session, body: {"x": 1 / 0})
    answer = client.ask("open")
    assert answer.status_code == 500
    assert answer.json() == {
        "error": "a mistake in rosenblatt itself (ZeroDivisionError: division by zero). Please report it."
    }


def test_sessions_are_bounded_in_number_and_age():
    now = [0.0]
    kept = Sessions(lambda: now[0])
    first = kept.open()
    others = [kept.open() for _ in range(bounds.MOST_SESSIONS - 1)]
    assert kept.get(first.id) is first  # used: now the second is the one that was not used for the longest time
    kept.open()
    assert kept.get(others[0].id) is None
    assert kept.get(first.id) is first
    assert len(kept.all) == bounds.MOST_SESSIONS
    now[0] += MOST_AGE - 1
    assert kept.get(first.id) is first
    now[0] += 2
    assert kept.get(others[1].id) is None  # too old, and so are the rest
    kept.tidy()
    assert list(kept.all) == [first.id]
    assert len({session.id for session in others}) == len(others)
    assert all(len(session.id) >= 22 for session in others)  # 128 bits


def test_sessions_are_bounded_in_size(monkeypatch):
    session = Session("one")
    half = bounds.MOST_BYTES // 2
    for name in "abc":
        session.keep(name, name, half)
        session.get("a")
    assert [session.get(name) for name in "abc"] == ["a", None, "c"]  # b was not used for the longest time
    session.keep("c", "less", 1)
    assert session.size == half + 1
    session.keep("whale", "too much", bounds.MOST_BYTES + 1)
    assert session.get("whale") is None
    for number in range(100):
        session.keep(f"run {number}", number, 1)
    runs = [name for name in session.kept if name.startswith("run")]
    assert runs == [f"run {number}" for number in range(100 - bounds.MOST_ALIKE, 100)]
    assert session.get("c") == "less"  # a hundred runs did not drive out anything else
    assert session.size == half + 1 + bounds.MOST_ALIKE
    monkeypatch.setattr(bounds, "MOST_BYTES_TOGETHER", 100)
    kept = Sessions()
    for size in (60, 30, 50):
        kept.open().keep("x", "x", size)
    kept.tidy()
    assert [session.size for session in kept.all.values()] == [30, 50]


def test_a_port_that_is_taken_is_one_clear_line(lab):
    with pytest.raises(SettingError, match=f"port {lab.port} is taken. Name another with --port, or 0"):
        open_lab(lab.port)


def test_it_binds_to_this_computer_alone(lab):
    assert lab.socket.getsockname()[0] == "127.0.0.1"


def test_small_answers_are_sent_at_once(lab, client):
    # Without this option every second answer waits 40 ms for an acknowledgement that the other side holds back.
    sockets = [each.transport.get_extra_info("socket") for each in [*lab.server.server_state.connections]]
    assert sockets
    assert all(each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in sockets)


def test_the_command_prints_the_address_and_ends_cleanly_with_ctrl_c(tmp_path):
    command = [sys.executable, "-m", "rosenblatt", "lab", "--port", "0", "--no-browser"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment
    ) as lab:
        try:
            line = lab.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]+)", line)
            assert address, line
            assert httpx.get(address[0], timeout=30).status_code == 200
            taken = subprocess.run(
                [*command[:-2], address[1], "--no-browser"], capture_output=True, text=True, timeout=60, check=False
            )
            assert taken.returncode == 1
            assert taken.stderr == (
                f"rosenblatt: port {address[1]} is taken. Name another with --port, or 0 for any free one.\n"
            )
            lab.send_signal(signal.SIGINT)
            assert lab.wait(30) == 0
            assert lab.stderr.read() == ""
            assert lab.stdout.read().splitlines()[-1] == "stopped."
        finally:
            lab.kill()
    assert list(tmp_path.iterdir()) == []


def test_help_loads_no_server():
    code = (
        "import sys; from rosenblatt.cli import commands; commands(['lab', '--help'], standalone_mode=False);"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'starlette', 'uvicorn', 'numpy', 'numba'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Ctrl-C ends it" in done.stdout


def test_nothing_uploaded_touches_the_disk(client, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    opened = []
    sys.addaudithook(lambda event, given: opened.append(given) if event == "open" and recording else None)
    recording = True
    assert client.call("load", b"a,b,class\n1,2,x\n3,4,y\n", name="../../x.csv")["rows"] == 2
    recording = False
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    written = [str(path) for path, _, flags in opened if flags & writing]
    compiled = ("__pycache__", "/rosenblatt/loops-")  # by Python and numba
    assert [path for path in written if not any(place in path for place in compiled)] == []
    assert list(tmp_path.iterdir()) == []
    assert not Path("../../x.csv").exists()


def test_the_token_differs_each_time_and_is_long():
    labs = [open_lab(0) for _ in range(3)]
    for lab in labs:
        lab.socket.close()
    tokens = {lab.token for lab in labs}
    assert len(tokens) == 3
    assert all(len(token) >= 32 for token in tokens)


def test_answers_are_json_that_any_browser_reads(client):
    found = client.ask("open", {"name": "notes"})
    assert found.headers["content-type"] == "application/json"
    assert json.loads(found.text)["label"] == "label"
