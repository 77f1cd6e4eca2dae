"""A Dask cluster as the place where shards are visited: local processes, or whoever listens at an address.

Shards are tasks, and so are the weights that a pass begins with: what a lost worker held is computed again elsewhere,
which scattered data is not. The driver mixes in the order of the shards, so the result is that of threads.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_all_start_methods
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt import __version__
from rosenblatt.distributed import shard as tasks
from rosenblatt.distributed.shard import Order, Shard, Start
from rosenblatt.errors import DataError, RosenblattError, SettingError
from rosenblatt.learn.course import Course
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.rule import Rule
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.shards import Crew, Found, Turn, Vectors
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.threads import Pool

RETRIES = 3  # of a task that fails; one whose worker is lost is always computed again
CONNECT = 5  # seconds until there is no scheduler at an address
ARRIVE = 20  # seconds until the first worker must be there
PATIENCE = 120  # seconds without any worker until a job is given up
CONFIG = {
    "distributed.scheduler.allowed-failures": 10,  # workers that may be lost under a task
    "distributed.deploy.lost-worker-timeout": "1 day",  # a worker that restarts slowly is not given up
    "distributed.admin.large-graph-warning-threshold": "1TB",  # the weights are in the graph on purpose
}


class Cluster:
    """A Site: gives every run a crew of tasks. Shard files are in `folder`, which all workers must see."""

    def __init__(self, client: Any, folder: str | Path):
        self.client, self.folder = client, Path(folder)
        self.address = str(client.scheduler.address)  # a client that gave its scheduler up has none any more
        self._loaded: dict[tuple[Any, ...], tuple[weakref.ref[Problem], Loaded]] = {}
        self._lock = threading.Lock()
        self._seen: set[str] = set()
        self._files = 0
        check_workers(client)
        self.state()

    def crew(self, problem: Problem, visited: np.ndarray, settings: Settings, rule: Rule, rate: float) -> Crew:
        """A crew over the shards of the problem, whose files are written once for all runs in the same order."""
        with self._lock:
            key = (id(problem), len(visited), settings.seed, settings.shards, settings.shuffle)
            for other, (alive, _) in list(self._loaded.items()):
                if alive() is None:
                    self._loaded.pop(other)[1].remove()
            if key not in self._loaded:
                self._loaded[key] = weakref.ref(problem), self._load(problem, visited, settings)
            loaded = self._loaded[key][1]
        listed = settings.record or VARIANTS[settings.weights].single  # a pocket replays the updates of each pass
        return Tasks(self, loaded.futures, loaded.sizes, Order(rule, rate, settings.seed, settings.shuffle, listed))

    def state(self) -> str:
        """How many workers there are, and how many were lost."""
        try:
            alive = set(self.client.nthreads())
        except Exception:  # the next task tells what is wrong, and better
            return "scheduler silent"
        self._seen |= alive
        lost = len(self._seen) - len(alive)
        return f"{len(alive)} worker{'' if len(alive) == 1 else 's'}" + (f" ({lost} lost)" if lost else "")

    def gather(self, futures: Sequence[Any]) -> list[Any]:
        """The results; whatever goes wrong on the way is one line."""
        from distributed import KilledWorker

        try:
            self._wait(futures)
            return list(self.client.gather(list(futures)))
        except RosenblattError:
            raise
        except KilledWorker as error:
            raise DataError(
                f"{self.address}: a task was lost with {error.allowed_failures + 1} workers, one after the other "
                "(out of memory?). Use more shards, or workers with more memory."
            ) from None
        except ImportError as error:
            raise DataError(
                f"{self.address}: a worker lacks {error.name or error}. Install rosenblatt there."
            ) from None
        except Exception as error:
            if self.client.status == "running" and not _is_lost(error):
                raise
            raise self.lost(error) from None

    def lost(self, error: Exception) -> DataError:
        return DataError(
            f"{self.address}: the scheduler was lost ({type(error).__name__}). Start it again; with --checkpoint, "
            "--resume goes on from the last pass."
        )

    def _wait(self, futures: Sequence[Any]) -> None:
        """Waits for the results, but not for ever where no worker is left."""
        from distributed import wait

        empty_since = None
        while True:
            try:
                wait(list(futures), timeout=PATIENCE / 8)
                return
            except TimeoutError:
                if self.client.nthreads():
                    empty_since = None
                elif empty_since is None:
                    empty_since = time.monotonic()
                elif time.monotonic() - empty_since > PATIENCE:
                    raise DataError(
                        f"{self.address}: no worker has been there for {PATIENCE} seconds. Start some; with "
                        "--checkpoint, --resume goes on from the last pass."
                    ) from None

    def close(self) -> None:
        for _, loaded in self._loaded.values():
            loaded.remove()
        self._loaded.clear()

    def _load(self, problem: Problem, visited: np.ndarray, settings: Settings) -> Loaded:
        course = Course(problem, visited, settings)
        paths = []
        for number, places in enumerate(course.shards):
            self._files += 1
            paths.append(self.folder / f"shard-{self._files}.safetensors")
            shard = Shard(number, course.problem.reordered(places), course.row_numbers(places))
            tasks.write_shard(shard, paths[-1])
        named = [str(path.resolve()) for path in paths]
        futures = self.client.map(tasks.load_shard, named, pure=False, retries=RETRIES)
        return Loaded(futures, [len(places) for places in course.shards], paths)


class Loaded:
    """The shards of one problem as tasks, and the files that they load."""

    def __init__(self, futures: list[Any], sizes: list[int], paths: Sequence[Path] = ()):
        self.futures, self.sizes, self.paths = futures, sizes, paths

    def remove(self) -> None:
        self.futures = []
        for path in self.paths:
            path.unlink(missing_ok=True)


class Tasks:
    """A crew of tasks."""

    sizes: Sequence[int]

    def __init__(self, cluster: Cluster, shards: list[Any], sizes: Sequence[int], order: Order):
        self.cluster, self.shards, self.sizes, self.order = cluster, shards, sizes, order

    def visit(self, number: int, before: int, vectors: Vectors) -> list[Found]:
        alone = len(self.sizes) == 1
        turn = Turn(number, before, sum(self.sizes), len(self.sizes))
        weights, lag, kept = vectors
        start = Start(weights, lag if alone else None, lag is not None, kept)
        brought = self._all(tasks.visit, start, turn=turn, order=self.order)
        return [each.found(start, alone) for each in brought]

    def lowest_lead(self, weights: np.ndarray) -> float:
        return float(min(self._all(tasks.lowest_lead, Start(weights, None, False))))

    def _all(self, work: Any, start: Start, **more: Any) -> list[Any]:
        client = self.cluster.client
        try:
            given = client.submit(tasks.hand_over, start, pure=False, retries=RETRIES)
            futures = client.map(work, self.shards, start=given, pure=False, retries=RETRIES, **more)
        except Exception as error:
            raise self.cluster.lost(error) from None
        return self.cluster.gather(futures)


@contextmanager
def local(workers: int) -> Iterator[Cluster]:
    """A cluster of so many processes on this machine, for as long as the block lasts. It listens on loopback alone."""
    _require()
    import dask
    from distributed import Client

    if workers < 1:
        raise SettingError(f"workers must be a whole number of at least 1; got {workers!r}.")
    # Copies of a process that has loaded Dask start faster, above all when one that was lost is replaced.
    method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
    config = {**CONFIG, "distributed.worker.multiprocessing-method": method}
    with dask.config.set(config), _folder(None) as folder, _started(workers) as made, Client(made) as client:
        site = Cluster(client, folder)
        try:
            yield site
        finally:
            site.close()


@contextmanager
def connected(address: str, shared: str | Path | None = None) -> Iterator[Cluster]:
    """The cluster at this address. Shards are written to a temporary folder in `shared`, which all workers must see."""
    _require()
    import dask

    if shared is not None and not Path(shared).is_dir():
        raise DataError(f"{shared}: there is no such folder. Name one that all workers see.")
    with dask.config.set(CONFIG):
        client = _client(address)
        with client, _folder(shared) as folder:
            site = Cluster(client, folder)
            try:
                yield site
            finally:
                site.close()


def _folder(shared: str | Path | None) -> tempfile.TemporaryDirectory[str]:
    """A new folder for the shards."""
    try:
        return tempfile.TemporaryDirectory(prefix="rosenblatt-", dir=shared)
    except OSError as error:
        raise DataError(
            f"{shared or tempfile.gettempdir()}: no folder for the shards can be made there "
            f"({error.strerror or error}). Name another with {'--shared' if shared else 'TMPDIR'}."
        ) from None


def _started(workers: int) -> Any:
    from distributed import LocalCluster

    # Without a dashboard the scheduler serves its state over HTTP all the same, on a fixed port unless told otherwise,
    # and a second cluster on the machine complains.
    quiet = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    try:
        return LocalCluster(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1", silence_logs=logging.CRITICAL,
            scheduler_kwargs=quiet,
        )  # fmt: skip
    except (OSError, RuntimeError) as error:
        raise DataError(
            f"Dask cannot start its workers ({error.__cause__ or error}). Check the room and the rights in "
            f"{tempfile.gettempdir()}, and that a program calls this below if __name__ == '__main__'."
        ) from None


def check_workers(client: Any) -> None:
    """DataError where there is no worker, or one that lacks the package or has another version of it."""
    from pkgutil import resolve_name

    address = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=ARRIVE)
    except TimeoutError:
        raise DataError(f"{address}: the scheduler has no workers. Start some with `dask worker {address}`.") from None
    found = client.run(resolve_name, "rosenblatt:__version__", on_error="return")
    for worker, version in sorted(found.items()):
        if isinstance(version, ImportError):
            raise DataError(f"worker {worker}: rosenblatt is not installed. Install version {__version__} there.")
        if version != __version__:
            raise DataError(
                f"worker {worker}: it has rosenblatt {version}, and this is {__version__}. Install the same version."
            )


def _client(address: str) -> Any:
    from distributed import Client

    for name in ("distributed", "distributed.client"):  # what they would say is said in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with Pool(1) as apart:  # a notebook has a loop of its own in this thread
            apart.submit(asyncio.run, _greet(address)).result()
        return Client(address, timeout=CONNECT)
    except (OSError, TimeoutError, ValueError) as error:
        what = " ".join(str(error).split())[:120] or f"silent for {CONNECT} seconds"
    # A client that was left half-made closes when it is collected. That could be while another cluster starts, and then
    # Dask would wait for itself for ever; so now, when no error holds on to it.
    gc.collect()
    raise DataError(f"{address}: no Dask scheduler answers there ({what}). Check the address.")


async def _greet(address: str) -> None:
    """TimeoutError unless a scheduler says who it is. A client's own limit ends with the connection: where somebody
    takes it and says nothing, it would wait for ever."""
    from distributed import Security
    from distributed.core import rpc

    async with (
        asyncio.timeout(CONNECT),
        rpc(address, connection_args=Security().get_connection_args("client")) as other,
    ):
        await other.identity()


def _is_lost(error: Exception) -> bool:
    from concurrent.futures import CancelledError

    from distributed.comm.core import CommClosedError

    return isinstance(error, CancelledError | CommClosedError | TimeoutError | OSError)


def _require() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise SettingError("a cluster needs Dask. Install it with: pip install 'rosenblatt[dask]'.") from None
