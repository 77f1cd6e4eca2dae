"""idx, the format of MNIST."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source


class Idx(Format):
    """Images, with their labels in a file beside them or in the one that is named as the label."""

    name, binary, memory = "idx", True, 12

    @classmethod
    def begins(cls, head: bytes) -> bool:
        return head.startswith(b"\0\0") and len(head) >= 4 and head[2] in (8, 9, 11, 12, 13, 14)

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.idx import read_idx

        yield read_idx(source, how.label, how.labelled)
