"""Writes dev.txt, bench.txt and site.txt anew, with the hashes of all files of releases: `python requirements/lock.py`.

The versions are those of the files as they are; change one there on purpose, drop its hashes, and run this. Which
packages there are is known from `pip freeze` after an installation of ".[dev]", or of it and
the group `bench` or `site` of pyproject.toml, without these files.
"""

from __future__ import annotations

import re
from pathlib import Path

from pip._internal.commands.install import InstallCommand
from pip._internal.models.link import Link
from pip._vendor.packaging.utils import parse_sdist_filename, parse_wheel_filename

FILES = ("dev.txt", "bench.txt", "site.txt")
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.M)


def version_of(name: str) -> str:
    try:
        return str((parse_wheel_filename if name.endswith(".whl") else parse_sdist_filename)(name)[1])
    except ValueError:  # a form that is no longer made
        return ""


def hashes(command: InstallCommand, pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    """For each package the hashes of the files of this version, as whatever index pip is set up with tells them."""
    options, _ = command.parse_args([])
    finder = command._build_package_finder(options, command._build_session(options))
    seen: list[Link] = []
    finder.evaluate_links = lambda _, links: seen.extend(links) or []
    found = {}
    for name, version in pairs:
        seen.clear()
        finder.find_all_candidates(name)
        found[name] = sorted(
            {link.hash for link in seen if link.hash_name == "sha256" and version_of(link.filename) == version}
        )
    return found


def main() -> None:
    command = InstallCommand("install", "")
    with command.main_context():
        for path in (Path(__file__).with_name(name) for name in FILES):
            text = path.read_text()
            head = "".join(line + "\n" for line in text.splitlines() if line.startswith("#"))
            pairs = PINNED.findall(text)
            found = hashes(command, pairs)
            blocks = [" \\\n    --hash=sha256:".join([f"{name}=={version}", *found[name]]) for name, version in pairs]
            path.write_text(head + "\n".join(blocks) + "\n")


if __name__ == "__main__":
    main()
