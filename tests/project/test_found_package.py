"""The first minute: the wheel and the source archive, and every command from the wheel alone, in an empty folder.

The environment has the wheel, and of what is installed here only the packages that the wheel says it needs. So a file
that was left out of the wheel, or a package that only developers have, shows here and not on somebody's machine.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

REPOSITORY = Path(__file__).parents[2]
STRAY = ("certificate.json", "points.csv", "report.html", "trained/digits.csv")  # what a first hour leaves behind
MADE = re.compile(r"\.nb[ic]$|(^|/)__pycache__/")


def call(*command, cwd, code=0, **environment):
    """What the command prints; it must end with this code, and never with a traceback."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ROSENBLATT", "NUMBA"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=kept | environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == code, f"{command}: {done.stdout[-1000:]}{done.stderr[-2000:]}"
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of what git knows of this folder, with a few files of a user beside it."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("not a git checkout, so nobody says which files belong to it")
    listed = call("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=REPOSITORY).split("\0")
    copy = tmp_path_factory.mktemp("tree") / "rosenblatt"
    for name in filter(None, listed):
        if (REPOSITORY / name).is_file() and not (REPOSITORY / name).is_symlink():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(REPOSITORY / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def archives(tree, tmp_path_factory):
    """The source archive and the wheel made from it, as `python -m build` makes them; a wheel made from the tree."""
    out, direct = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("direct")
    held = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    for name in STRAY:
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text("stray", encoding="utf8")
    build = (sys.executable, "-m", "build", "--no-isolation")
    call(*build, "--outdir", out, tree, cwd=tree)
    call(*build, "--wheel", "--outdir", direct, tree, cwd=tree)
    (sdist,), (wheel,), (other,) = out.glob("*.tar.gz"), out.glob("*.whl"), direct.glob("*.whl")
    return held, sdist, wheel, other


@pytest.fixture(scope="module")
def installed(archives, tmp_path_factory):
    """The folder of programs of an environment with the wheel, what it needs, and what its extra `onnx` needs."""
    _, _, wheel, _ = archives
    home = tmp_path_factory.mktemp("clean")
    call(sys.executable, "-m", "venv", "--without-pip", home, cwd=home)
    python = home / "bin" / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", wheel)
    call(sys.executable, "-m", "pip", "--python", python, *install, cwd=home)
    site = next((home / "lib").glob("python*/site-packages"))
    link_needed(site, next(site.glob("rosenblatt-*.dist-info")))
    return home / "bin"


def link_needed(site, about):
    """Links the packages that the wheel asks for, and those that they ask for, from this environment."""
    wanted = [Requirement(line) for line in metadata.PathDistribution(about).requires or ()]
    todo = [one for one in wanted if not one.marker or one.marker.evaluate({"extra": "onnx"})]
    seen: set[str] = set()
    while todo:
        one = todo.pop()
        if one.name.lower() in seen or (one.marker and not one.marker.evaluate({"extra": "onnx"})):
            continue
        seen.add(one.name.lower())
        found = metadata.distribution(one.name)
        assert one.specifier.contains(found.version, prereleases=True), f"{one} is wanted; {found.version} is here"
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(found.locate_file(top))
        todo += [Requirement(line) for line in found.requires or () if "extra ==" not in line]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home that is empty at first; what the first command compiles is there for the others."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def rosenblatt(installed, home, tmp_path):
    """Runs a command of the wheel in an empty folder."""

    def run(*arguments, code=0):
        places = {"HOME": str(home), "ROSENBLATT_CACHE": str(tmp_path / "cache")}
        return call(installed / "rosenblatt", *arguments, cwd=tmp_path, code=code, **places)

    return run


def test_found_first_minute_the_source_archive_holds_what_belongs_to_the_project_and_nothing_else(archives):
    held, sdist, _, _ = archives
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert inside == held | {"PKG-INFO"}


def test_the_wheel_holds_every_file_of_the_package_whichever_way_it_was_built(archives):
    held, _, wheel, other = archives
    of_package = {name.removeprefix("src/") for name in held if name.startswith("src/") and not MADE.search(name)}
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(other) as two:
        assert {name for name in one.namelist() if ".dist-info/" not in name} == of_package
        assert {(file.filename, file.CRC) for file in one.infolist()} == {(f.filename, f.CRC) for f in two.infolist()}


def test_found_first_minute_the_readme_begins_with_lines_that_work_from_the_wheel(archives, rosenblatt, tmp_path):
    lines = (REPOSITORY / "README.md").read_text(encoding="utf8").partition("```")[2].partition("```")[0].splitlines()
    typed = [line.partition("#")[0].split() for line in lines if line]
    assert typed[0][:2] == ["pip", "install"]
    assert fnmatch.fnmatch(archives[2].name, typed[0][2])
    assert typed[1:] == [["rosenblatt", "train"], ["rosenblatt", "lab"]]
    assert "wrote    digits.rosenblatt" in rosenblatt(*typed[1][1:])
    assert (tmp_path / "digits.rosenblatt").exists()


def test_found_first_minute_the_second_version_begins(archives):
    assert re.fullmatch(r"rosenblatt-0\.2\.\S+\.tar\.gz", archives[1].name)
    changes = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf8")
    newest = changes.partition("\n## ")[2].partition("\n## ")[0]
    assert newest.startswith("0.2.0")
    assert "### Changed results" in newest


POINTS = [(x, y) for x in range(8) for y in range(8)]
# What is typed, in this order, and a few words that show that it was done.
TYPED = {
    "train points.csv --model perceptron --record --report report.html --out points.rosenblatt": "wrote    points.",
    "predict points.rosenblatt points.csv --out predicted.csv": "",
    "evaluate points.rosenblatt points.csv": "100.0%",
    "explain points.rosenblatt points.csv --row 1": "towards",
    "inspect points.rosenblatt": "perceptron",
    "check points.rosenblatt points.csv": "holds",
    "update points.rosenblatt points.csv --out updated.rosenblatt": "updated.rosenblatt",
    "export points.rosenblatt --to sql": "SELECT",
    "export points.rosenblatt --to json": '"weights"',
    "export points.rosenblatt --to onnx --out points.onnx": "points.onnx",
    "export points.rosenblatt --to html --out points.html": "points.html",
    "trace notes": "[-1, 0, 0]",
    "trace notes --to html --out run.html": "run.html",
    "estimate heads=7 tails=3": "7/10 = 0.7",
    "prove xor": "Not separable",
    "check certificate.json xor": "The certificate holds",
    "review points.csv --out doubtful.csv": "doubtful.csv",
    "cache": "",
    "lab --help": "Usage",  # tests below do more
    "serve --help": "Usage",
}  # fmt: skip


def test_every_command_works_from_the_wheel_alone(rosenblatt, tmp_path):
    rows = [f"{x},{y},{'far' if x + y > 7 else 'near'}" for x, y in POINTS]
    (tmp_path / "points.csv").write_text("\n".join(["x,y,label", *rows]), encoding="utf8")
    for line, words in TYPED.items():
        assert words in rosenblatt(*line.split()), line
    assert (tmp_path / "predicted.csv").read_text(encoding="utf8").count("\n") == len(POINTS) + 1
    assert "<script" in (tmp_path / "run.html").read_text(encoding="utf8")
    listed = re.findall(r"^  (\w+)  ", rosenblatt("--help").partition("Use:")[2], flags=re.MULTILINE)
    assert {*listed, "cache"} == {line.split()[0] for line in TYPED}


def answer_of(installed, home, folder, command, form, path="", sent=None):
    """What a server of the wheel answers at the address that it prints first."""
    places = {"HOME": str(home), "PYTHONUNBUFFERED": "1", "PATH": os.environ["PATH"]}
    typed = [str(installed / "rosenblatt"), *command]
    with subprocess.Popen(typed, cwd=folder, env=places, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(form, server.stdout.readline())
            assert address
            # straight, whatever the environment says
            ask = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with ask.open(address[0] + path, sent, timeout=120) as answer:
                assert answer.status == 200
                return answer.read()
        finally:
            server.kill()


def test_the_lab_of_the_wheel_answers(installed, home, tmp_path):
    address = r"http://127\.0\.0\.1:\d+/\?token=[\w-]+"
    assert b"lab.js" in answer_of(installed, home, tmp_path, ["lab", "--no-browser"], address)


def test_a_model_is_served_by_the_wheel(installed, home, rosenblatt, tmp_path):
    lines = "".join(f"{x},{y},{x > 3}\n" for x, y in POINTS)
    (tmp_path / "points.csv").write_text("x,y,label\n" + lines, encoding="utf8")
    rosenblatt("train", "points.csv", "--model", "perceptron", "--out", "points.rosenblatt")
    command = ["serve", "points.rosenblatt", "--port", "0"]
    sent = b'{"row": {"x": 9, "y": 1}}'
    said = answer_of(installed, home, tmp_path, command, r"http://127\.0\.0\.1:\d+", "/predict", sent)
    assert json.loads(said) == {"prediction": "true"}


def test_without_its_extra_a_command_says_what_to_install(installed, rosenblatt, tmp_path):
    """The line that `export --to onnx` ends with where onnx is not there."""
    (tmp_path / "points.csv").write_text(
        "x,y,label\n" + "".join(f"{x},{y},{x > 3}\n" for x, y in POINTS), encoding="utf8"
    )
    rosenblatt("train", "points.csv", "--model", "perceptron", "--out", "points.rosenblatt")
    site = next((installed.parent / "lib").glob("python*/site-packages"))
    (site / "onnx").rename(site / "onnx.away")
    try:
        said = rosenblatt("export", "points.rosenblatt", "--to", "onnx", "--out", "points.onnx", code=1)
    finally:
        (site / "onnx.away").rename(site / "onnx")
    assert "rosenblatt[onnx]" in said


TAKEN_APART = """
import os, sys
from rosenblatt.cli import main
class Kept:
    def __del__(self, write=os.write): write(1, b"taken apart")
kept = Kept()
sys.argv = ["rosenblatt", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(("typed", "code"), [(["train", "nowhere.csv"], 1), (["--version"], 0), (["trian"], 2)])
def test_found_first_minute_a_command_ends_before_the_interpreter_takes_itself_apart(tmp_path, typed, code):
    """Arrow's threads may still hold a Python file then, and abort the process: 134 instead of 1, now and then."""
    said = call(sys.executable, "-c", TAKEN_APART, *typed, cwd=tmp_path, code=code, PYTHONPATH=str(REPOSITORY / "src"))
    assert "taken apart" not in said
    assert said
