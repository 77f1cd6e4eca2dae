"""What a release is called: one number, which the tag of its commit must name."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

import rosenblatt

REPOSITORY = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("version", REPOSITORY / "requirements" / "version.py")
releases = importlib.util.module_from_spec(spec)
spec.loader.exec_module(releases)


@pytest.fixture
def project(tmp_path):
    """A small repository with one commit, at version 0.2.0."""
    package = tmp_path / "src" / "rosenblatt"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "0.2.0"\n')

    def git(*arguments):
        named = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *named, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "First")
    return tmp_path, git


def test_a_build_of_a_tagged_commit_has_the_version_of_the_tag_or_is_refused(project):
    folder, git = project
    assert releases.version(folder) == "0.2.0"  # a clone without tags
    git("tag", "v0.2.0")
    git("tag", "viewed")  # no version
    assert releases.version(folder) == "0.2.0"
    git("tag", "--delete", "v0.2.0")
    git("tag", "v0.3.0")
    with pytest.raises(ValueError, match=r"tagged v0\.3\.0, and src/rosenblatt/__init__\.py says 0\.2\.0"):
        releases.version(folder)


def test_an_archive_builds_without_git_and_asks_no_repository_above_it(project):
    folder, git = project
    git("tag", "v0.3.0")
    archive = folder / "unpacked"
    (archive / "src" / "rosenblatt").mkdir(parents=True)
    (archive / "src" / "rosenblatt" / "__init__.py").write_text('__version__ = "0.2.0.dev0"\n')
    assert releases.version(archive) == "0.2.0.dev0"


def test_who_cites_it_names_the_version_at_hand():
    assert releases.version() == rosenblatt.__version__
    cited = re.search(r"^version: (.+)$", (REPOSITORY / "CITATION.cff").read_text(encoding="utf8"), re.MULTILINE)
    assert cited[1] == rosenblatt.__version__
