"""The pages of the package: plain ES modules and style sheets, without a build step and without anything fetched.

The modules in this folder are for every page; `player` holds what only the player of a trace needs, `lab` what only the
lab does.
"""

from __future__ import annotations

import re
from importlib import resources

NAME = re.compile(r"(?:[a-z0-9_-]+/)*[a-z0-9_-]+\.(html|css|js)")


def read(path: str) -> bytes | None:
    """A file of a page, such as `lab/lab.js`; None where there is none. The form of its name leaves no way out."""
    file = resources.files("rosenblatt.web").joinpath(*path.split("/")) if NAME.fullmatch(path) else None
    return file.read_bytes() if file is not None and file.is_file() else None
