"""Looking at fragments on a cluster: what a plan and the classes are learned from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias, TypeVar

import pyarrow as pa

from rosenblatt.data.table import Table
from rosenblatt.distributed.cluster import RETRIES, Cluster
from rosenblatt.distributed.parquet import Fragment, read_fragment
from rosenblatt.features.executor import Looking
from rosenblatt.features.labels import Classes, LabelFacts
from rosenblatt.features.lines import Learner
from rosenblatt.features.units import ColumnSums
from rosenblatt.loops.rows import Rows

L = TypeVar("L", bound=Looking)
Types: TypeAlias = Mapping[str, pa.DataType]
M = TypeVar("M", bound=Any)  # what is merged
T = TypeVar("T")


class Fragments:
    """The blocks of fragments, each looked at by a task; what they show is merged by tasks too, in their order."""

    def __init__(self, cluster: Cluster, pieces: Sequence[Fragment], label: str | None, types: Types) -> None:
        self.cluster, self.pieces, self.label, self.types = cluster, pieces, label, types
        self.classes: Classes | None = None  # once they are known

    def fold(self, looking: dict[str, L]) -> dict[str, L]:
        if not looking:
            return looking
        more = {"label": self.label, "looking": looking, "types": self.types, "classes": self.classes}
        return self.folded(_look, _merged, self.pieces, **more)

    def sums(self, columns: list[str], encode: Callable[[Table], Rows]) -> ColumnSums:
        more = {"label": self.label, "types": self.types, "encode": encode}
        return self.folded(_add_up, _merged, self.pieces, **more)["rows"]

    def labels(self) -> LabelFacts:
        """The labels of all fragments."""
        return self.folded(_look_at_labels, _merged, self.pieces, label=self.label)["label"]

    def folded(self, look: Callable[..., T], merge: Callable[[list[T]], T], items: Sequence[Any], **more: Any) -> T:
        """What is found of each item, merged two by two in their order."""
        client, always = self.cluster.client, {"pure": False, "retries": RETRIES}
        found = client.map(look, items, **more, **always)
        while len(found) > 1:
            found = [client.submit(merge, found[at : at + 2], **always) for at in range(0, len(found), 2)]
        whole: T = self.cluster.gather(found)[0]
        return whole


def _look(
    fragment: Fragment,
    label: str | None,
    looking: dict[str, L],
    types: Mapping[str, pa.DataType],
    classes: Classes | None,
) -> dict[str, L]:
    table, looking = read_fragment(fragment, label, types), deepcopy(looking)  # a task may be computed again
    codes = None if classes is None else classes.encode(table)
    for name, each in looking.items():
        if codes is not None and isinstance(each, Learner):
            each.tell(codes)
        each.look(table.columns[name], table.origin)
    return looking


def _merged(pair: list[dict[str, M]]) -> dict[str, M]:
    if len(pair) == 1:
        return pair[0]
    first, later = deepcopy(pair[0]), pair[1]
    for name, each in first.items():
        each.merge(later[name])
    return first


def _add_up(
    fragment: Fragment, label: str | None, types: Types, encode: Callable[[Table], Rows]
) -> dict[str, ColumnSums]:
    found = ColumnSums()
    found.add(encode(read_fragment(fragment, label, types)))
    return {"rows": found}


def _look_at_labels(fragment: Fragment, label: str | None) -> dict[str, LabelFacts]:
    facts = LabelFacts()
    facts.look(read_fragment(fragment, label))
    return {"label": facts}
