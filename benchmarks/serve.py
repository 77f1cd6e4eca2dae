"""`rosenblatt serve` of a 20 newsgroups model: single texts a second, beside scikit-learn behind FastAPI; and faults.

    python benchmarks/serve.py [--seconds 10] [--faults 10000]

The server has one core, the client another; 32 connections that are kept alive, each of which asks for one text after
the other. Everybody is asked in turns, in one run. FastAPI is left out, and said to be, where it is not installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

DATA = Path(os.environ.get("ROSENBLATT_DATA", Path(__file__).parents[1] / ".." / "shared" / "data"))
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
CONNECTIONS = 32
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
model = joblib.load(sys.argv[2])
app = FastAPI()
class Question(BaseModel):
    text: str
@app.post("/predict")
def predict(question: Question):
    return {"prediction": str(model.predict([question.text])[0])}
uvicorn.run(app, port=int(sys.argv[1]), log_level="critical")
"""


def on_core(core: int) -> list[str]:
    return ["taskset", "-c", str(core % (os.cpu_count() or 1))]


def start(command: list[str], port: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([*on_core(0), *command], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    import socket

    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process
        except OSError:
            if process.poll() is not None:
                raise SystemExit(f"{command} ended with {process.returncode}") from None
            time.sleep(0.1)
    raise SystemExit(f"{command} does not listen")


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


def measured(name: str, command: list[str], port: int, texts: list[str], seconds: float) -> float:
    process = start(command, port)
    try:
        requests = [request(text, port) for text in texts]
        asyncio.run(ask(port, requests, 2.0))  # what is compiled on first use is
        before = cpu_of(process.pid)
        times = asyncio.run(ask(port, requests, seconds))
        cost = (cpu_of(process.pid) - before) / len(times)
        rate, late = len(times) / seconds, sorted(times)[int(0.99 * len(times))]
        print(f"  {name:<42} {rate:8,.0f} a second   p99 {late * 1e3:6.1f} ms   {1 / cost:8,.0f} a second of processor")
        return 1 / cost
    finally:
        process.terminate()
        process.wait(60)


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


async def faults(port: int, texts: list[str], count: int, pid: int) -> None:
    """So many requests of which three in four have a fault; each good one must be answered as without them."""
    draw, good, answered, sizes = random.Random(0), 0, 0, []

    async def one(number: int) -> None:
        nonlocal good, answered
        kind = number % 8
        whole = request(texts[number % len(texts)], port)
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            if kind < 2:
                good += 1
                writer.write(whole)
                line = await reader.readline()
                answered += line.startswith(b"HTTP/1.1 200")
            elif kind == 2:  # cut
                writer.write(whole[: draw.randrange(len(whole))])
            elif kind == 3:  # slow
                for part in (whole[:40], whole[40:90]):
                    writer.write(part)
                    await asyncio.sleep(0.01)
            elif kind == 4:  # huge, by what it declares
                writer.write(b"POST /predict HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 52428800\r\n\r\n" % port)
                assert b" 413 " in await reader.readline()
            elif kind == 5:  # no JSON
                body = draw.randbytes(draw.randrange(1, 2000))
                head = f"POST /predict HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                assert b" 400 " in await reader.readline()
            elif kind == 6:  # no HTTP
                writer.write(draw.randbytes(200) + b"\r\n\r\n")
                await reader.read(100)
            else:  # nested
                body = b"[" * 100_000
                head = f"POST /predict HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                assert b" 400 " in await reader.readline()
            writer.close()
        except ConnectionError:
            assert kind >= 2, "a good request was lost"

    for first in range(0, count, 200):
        await asyncio.gather(*(one(number) for number in range(first, min(first + 200, count))))
        sizes.append(memory_of(pid))
    quarter = max(1, len(sizes) // 4)
    early, late = statistics.median(sizes[quarter : 2 * quarter]), statistics.median(sizes[-quarter:])
    print(f"  {count:,} requests, {good:,} without a fault, {answered:,} of these answered")
    print(f"  memory {early:.0f} MB in their second quarter, {late:.0f} MB in their last")


def single(path: Path, texts: list[str]) -> None:
    """`Model.predict` of a list of one text, in processor time."""
    import rosenblatt

    model = rosenblatt.load(path)
    for text in texts[:200]:
        model.predict([text])
    times = []
    for text in texts:
        begun = time.process_time_ns()
        model.predict([text])
        times.append((time.process_time_ns() - begun) / 1e6)
    print(f"  Model.predict([text])  median {statistics.median(times):.3f} ms, mean {statistics.mean(times):.3f} ms")


def peer_model(folder: Path, train: list[str], labels: list[str]) -> Path:
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LinearSVC()).fit(train, labels)
    joblib.dump(model, folder / "peer.joblib")
    return folder / "peer.joblib"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--faults", type=int, default=10_000)
    given = parser.parse_args()
    from rosenblatt import train
    from rosenblatt.data import read
    from rosenblatt.store import save

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(DATA / "20news-bydate.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        table = read(folder / "20news-bydate-train")
        texts = random.Random(0).sample(read(folder / "20news-bydate-test").columns["text"].to_pylist(), 1000)
        path = folder / "news.rosenblatt"
        save(train(table, test=folder / "20news-bydate-test"), path)
        print(f"texts of {statistics.median(map(len, texts)):,.0f} characters (median), {CONNECTIONS} connections")
        single(path, texts)
        os.sched_setaffinity(0, {1 % (os.cpu_count() or 1)})
        script = folder / "minimal.py"
        script.write_text(MINIMAL)
        measured("a minimal app of uvicorn", [sys.executable, str(script), "8101"], 8101, texts, given.seconds)
        serving = [sys.executable, "-m", "rosenblatt", "serve", str(path), "--port", "8102"]
        own = measured("rosenblatt serve", serving, 8102, texts, given.seconds)
        try:
            import fastapi  # noqa: F401
        except ImportError:
            print("  FastAPI is not installed, so there is no peer")
        else:
            peer = peer_model(folder, table.columns["text"].to_pylist(), table.labels.to_pylist())
            script = folder / "peer.py"
            script.write_text(PEER)
            other = measured(
                "scikit-learn behind FastAPI",
                [sys.executable, str(script), "8103", str(peer)],
                8103,
                texts,
                given.seconds,
            )
            print(f"  {own / other:.1f} times as many of the same second of processor")
        process = start(serving, 8102)
        try:
            asyncio.run(faults(8102, texts, given.faults, process.pid))
        finally:
            process.terminate()
            process.wait(60)


if __name__ == "__main__":
    main()
