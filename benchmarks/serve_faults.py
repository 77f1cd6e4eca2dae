"""`rosenblatt serve` among faults: python -m benchmarks.serve_faults [10000]

So many requests, of which three in four are cut, slow, huge or malformed. Each of the others must be answered, and
memory must not grow.
"""

from __future__ import annotations

import asyncio
import random
import re
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.peers.sets import data_folder
from benchmarks.serve import ARCHIVE, free_port, request, served, serving, start


def memory_of(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


async def faults(port: int, texts: list[str], count: int, pid: int) -> str:
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
    told = f"{count:,} requests, {good:,} without a fault, {answered:,} of these answered"
    return f"{told}; memory {early:.0f} MB in their second quarter, {late:.0f} MB in their last"


def main(count: int) -> None:
    data = data_folder()
    if data is None or not (data / ARCHIVE).exists():
        raise SystemExit(f"{ARCHIVE} is not in the folder of the data")
    with tempfile.TemporaryDirectory() as name:
        path, texts, _ = served(Path(name), data, quick=True)
        port = free_port()
        process = start(serving(path), port)
        try:
            print(asyncio.run(faults(port, texts, count, process.pid)))
        finally:
            process.terminate()
            process.wait(60)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
