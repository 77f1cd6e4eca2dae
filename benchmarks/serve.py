"""`rosenblatt serve` of a 20 newsgroups model: single texts a second, beside scikit-learn behind FastAPI.

    python -m benchmarks.serve [--quick]

The server has one core, the client another; 32 connections that are kept alive, each of which asks for one text after
the other. Everybody is asked in one run. FastAPI is left out, and said to be, where it is not installed.

Goals: more texts a second than scikit-learn behind FastAPI, and a shorter wait at the 99th percentile.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.peers.figures import ratio, seconds
from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import LeftOut, alone

UNITS = {"texts a second": "rate", "p99": "seconds", "a second of processor": "rate", "times ours": "times"}
LONG, BRIEF = 6.0, 1.5  # seconds of asking
QUICK_ROWS = 1_000
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
CONNECTIONS = 32
ARCHIVE = "20news-bydate.tar.gz"
MINIMAL = """
import sys, uvicorn
async def app(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"{}"})
uvicorn.run(app, port=int(sys.argv[1]), log_level="critical", lifespan="off")
"""
PEER = """
import sys, joblib, uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
model = joblib.load(sys.argv[1])
app = FastAPI()
class Question(BaseModel):
    text: str
@app.post("/predict")
def predict(question: Question):
    return {"prediction": str(model.predict([question.text])[0])}
uvicorn.run(app, port=int(sys.argv[2]), log_level="critical")
"""


def on_core(core: int) -> list[str]:
    return ["taskset", "-c", str(core % (os.cpu_count() or 1))]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def start(command: list[str], port: int) -> subprocess.Popen[bytes]:
    """The server that the command starts, its port the last word, once it listens."""
    process = subprocess.Popen([*on_core(0), *command, str(port)], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process
        except OSError:
            if process.poll() is not None:
                raise RuntimeError(f"{command} ended with {process.returncode}") from None
            time.sleep(0.1)
    process.terminate()
    raise RuntimeError(f"{command} does not listen")


def request(text: str, port: int) -> bytes:
    body = json.dumps({"text": text}).encode()
    head = f"POST /predict HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def ask(port: int, requests: list[bytes], seconds: float) -> list[float]:
    """How long each answer took, over all connections, for so many seconds."""
    times: list[float] = []
    end = time.perf_counter() + seconds

    async def one(start: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        place = start
        while time.perf_counter() < end:
            begun = time.perf_counter()
            writer.write(requests[place % len(requests)])
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            await reader.readexactly(int(re.search(rb"content-length: (\d+)", head, re.I)[1]))  # type: ignore[index]
            times.append(time.perf_counter() - begun)
            place += CONNECTIONS
        writer.close()

    await asyncio.gather(*(one(start) for start in range(CONNECTIONS)))
    return times


class Speed(NamedTuple):
    """Answers a second, how late the last of a hundred was, and answers in a second of the server's processor."""

    rate: float
    late: float
    worth: float


def asked(command: list[str], texts: list[str], duration: float) -> Speed:
    port = free_port()
    process = start(command, port)
    try:
        requests = [request(text, port) for text in texts]
        asyncio.run(ask(port, requests, min(2.0, duration)))  # what is compiled on first use is
        before = cpu_of(process.pid)
        times = asyncio.run(ask(port, requests, duration))
        cost = (cpu_of(process.pid) - before) / len(times)
        return Speed(len(times) / duration, sorted(times)[int(0.99 * len(times))], 1 / cost)
    finally:
        process.terminate()
        process.wait(60)


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def single(path: Path, texts: list[str]) -> float:
    """Seconds of `Model.predict` of a list of one text, in processor time; the median."""
    import rosenblatt

    model = rosenblatt.load(path)
    for text in texts[:200]:
        model.predict([text])
    times = []
    for text in texts:
        begun = time.process_time_ns()
        model.predict([text])
        times.append((time.process_time_ns() - begun) / 1e9)
    return statistics.median(times)


def peer_model(folder: Path, train: list[str], labels: list[str]) -> Path:
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LinearSVC()).fit(train, labels)
    joblib.dump(model, folder / "peer.joblib")
    return folder / "peer.joblib"


def served(folder: Path, data: Path, quick: bool) -> tuple[Path, list[str], tuple[list[str], list[str]]]:
    """A model of 20 newsgroups, texts to ask it for, and the rows it learned from, for the peer."""
    from rosenblatt import train
    from rosenblatt.data import read
    from rosenblatt.store import save

    with tarfile.open(data / ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    table = read(folder / "20news-bydate-train")
    if quick:
        table = table.take(np.arange(0, table.n_rows, table.n_rows // QUICK_ROWS))
    texts = random.Random(0).sample(read(folder / "20news-bydate-test").columns["text"].to_pylist(), 1000)
    path = folder / "news.rosenblatt"
    save(train(table, model="perceptron", margin=0.0, passes=3) if quick else train(table), path)
    assert table.labels is not None
    return path, texts, (table.columns["text"].to_pylist(), table.labels.to_pylist())


def serving(path: Path) -> list[str]:
    """The command, but for its last word, the port."""
    return [sys.executable, "-m", "rosenblatt", "serve", str(path), "--port"]


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """Answers of `serve`, of the peer and of a server that does nothing."""
    if folder is None or not (folder / ARCHIVE).exists():
        raise LeftOut(f"{ARCHIVE} is not in the folder of the data")
    about = f"single texts of 20 newsgroups over {CONNECTIONS} connections; a core for the server, another for who asks"
    sheet, duration = Sheet("serve", about, UNITS), BRIEF if quick else LONG
    tied = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        path, texts, rows = served(place, folder, quick)
        sheet.notes.append(f"`Model.predict([text])`: {seconds(single(path, texts))} of the processor, median")
        commands = {"rosenblatt serve": serving(path)}
        try:
            import fastapi  # noqa: F401
        except ImportError:
            sheet.notes.append("FastAPI is not installed, so there is no peer (make peers)")
        else:
            (place / "peer.py").write_text(PEER)
            commands["sklearn behind FastAPI"] = [
                sys.executable, str(place / "peer.py"), str(peer_model(place, *rows))
            ]  # fmt: skip
        (place / "minimal.py").write_text(MINIMAL)
        commands["uvicorn that reads nothing"] = [sys.executable, str(place / "minimal.py")]
        try:
            os.sched_setaffinity(0, {1 % (os.cpu_count() or 1)})
            found = {who: asked(command, texts, duration) for who, command in commands.items()}
        finally:
            os.sched_setaffinity(0, tied)
    return sheet, told(sheet, found)


def told(sheet: Sheet, found: dict[str, Speed]) -> list[Goal]:
    """The lines, and the verdicts beside the peer."""
    own = found["rosenblatt serve"]
    for who, each in found.items():
        figures = {"texts a second": each.rate, "p99": each.late, "a second of processor": each.worth}
        sheet.add("one text", who, **figures, times_ours=None if each is own else own.worth / each.worth)
    if "sklearn behind FastAPI" not in found:
        return []
    peer = found["sklearn behind FastAPI"]
    return [
        Goal("serve: texts a second", f"more than sklearn behind FastAPI, {peer.rate:,.0f}",
             f"{own.rate:,.0f}, {ratio(own.rate, peer.rate)}", own.rate > peer.rate),
        Goal("serve: p99", f"below sklearn behind FastAPI, {seconds(peer.late)}", seconds(own.late),
             own.late < peer.late),
    ]  # fmt: skip


if __name__ == "__main__":
    alone(measure)
