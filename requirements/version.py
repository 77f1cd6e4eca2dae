"""The version that a build gets: `__version__` of the package, which the tag of a release must name.

The package needs its version without git (the folder of compiled loops, checkpoints and cards have it), so the number
stands in `src/rosenblatt/__init__.py`. A commit with a tag such as v0.2.0 is that release: there a build with another
number is refused. An archive without git, and a clone without tags, build as what the file says.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def version(root: Path = ROOT) -> str:
    """What the package calls itself; ValueError where a tag of this commit calls it otherwise."""
    written = re.search(r'^__version__ = "(.+)"$', (root / "src/rosenblatt/__init__.py").read_text("utf8"), re.M)
    assert written, "src/rosenblatt/__init__.py has no line __version__"
    tags = tags_of(root)
    if tags and f"v{written[1]}" not in tags:
        raise ValueError(
            f"this commit is tagged {', '.join(tags)}, and src/rosenblatt/__init__.py says {written[1]}. "
            "Change the number there, and tag the commit that does."
        )
    return written[1]


def tags_of(root: Path) -> list[str]:
    """The tags of a version that the commit at hand has; none where there is no repository, or no git to ask."""
    if not (root / ".git").exists():  # git would go on to look in the folders above
        return []
    asked = ["git", "tag", "--points-at", "HEAD", "--list", "v[0-9]*"]
    try:
        return subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []
