"""The same runs on a Dask cluster: shards are tasks, and the result is that of as many shards on threads.

cluster      a Site for `pipeline`: local processes or a scheduler at an address
shard        what runs on a worker
parquet      row groups of Parquet files
looking      what a plan and the classes are learned from
dealing      from fragments to shards
counting     naive Bayes
training     `train`, from fragments to a model
changes      weights as what changed in them
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.distributed.cluster import Cluster as Cluster
    from rosenblatt.distributed.cluster import connected as connected
    from rosenblatt.distributed.cluster import local as local
    from rosenblatt.distributed.parquet import Fragment as Fragment
    from rosenblatt.distributed.parquet import fragments as fragments
    from rosenblatt.distributed.training import train as train

_HOMES = {
    "Cluster": "cluster", "Fragment": "parquet", "connected": "cluster", "fragments": "parquet", "local": "cluster",
    "train": "training",
}  # fmt: skip
__all__ = ["Cluster", "Fragment", "connected", "fragments", "local", "train"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rosenblatt.distributed' has no attribute {name!r}.")
    return getattr(import_module(f"rosenblatt.distributed.{_HOMES[name]}"), name)
