"""The same runs on a Dask cluster: shards are tasks, and the result is that of as many shards on threads.

cluster      a Site for `pipeline`: local processes or a scheduler at an address
shard        what runs on a worker
changes      weights as what changed in them
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.distributed.cluster import Cluster as Cluster
    from rosenblatt.distributed.cluster import connected as connected
    from rosenblatt.distributed.cluster import local as local

_HOMES = {"Cluster": "cluster", "connected": "cluster", "local": "cluster"}
__all__ = ["Cluster", "connected", "local"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rosenblatt.distributed' has no attribute {name!r}.")
    return getattr(import_module(f"rosenblatt.distributed.{_HOMES[name]}"), name)
