"""The lab as one file: the same page, which computes everything by itself and needs neither Python nor a network."""

from __future__ import annotations

import os

from rosenblatt.lab.builtin import builtin
from rosenblatt.web import embed, one_file
from rosenblatt.writing import check_folder, write_whole


def export_lab(path: str | os.PathLike[str]) -> int:
    """Writes the whole lab to one HTML file and returns its size in bytes.

    The file opens from a disk, from a course page or in a frame, and asks nobody for anything. For what needs Python
    (files, proofs of large sets, learning from your own mail) it says how to start the server.
    """
    check_folder(path)
    page = one_file("lab/index.html", embed(builtin())).encode()
    write_whole(path, page)
    return len(page)
