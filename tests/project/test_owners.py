"""One owner for each decision: a rule over the syntax tree for each, with no list of exceptions.

A rule names what only the owner may do. Each is tried on a line that breaks it, so that every rule can fail.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "rosenblatt"
CHECKS = {"check_array", "check_X_y", "column_or_1d", "check_classification_targets", "type_of_target"}


def decides(tree: ast.AST) -> Iterator[str]:
    """Scores that are put in order with a line, or of which the largest is taken."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(
            isinstance(sign, ast.Gt | ast.GtE | ast.Lt | ast.LtE) for sign in node.ops
        ):
            sides = {getattr(side, "attr", getattr(side, "id", "")) for side in (node.left, *node.comparators)}
            if sides & {"scores", "threshold"}:
                yield ast.unparse(node)
        largest = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("argmax")
        if isinstance(node, ast.Call) and largest and node.args and "scores" in ast.unparse(node.args[0]):
            yield ast.unparse(node)


def checks_input(tree: ast.AST) -> Iterator[str]:
    """scikit-learn's own doors for X and y."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and {alias.name for alias in node.names} & CHECKS:
            yield ast.unparse(node)


def parses_dates(tree: ast.AST) -> Iterator[str]:
    """Text that becomes a date or a time."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("fromisoformat", "strptime"):
            yield ast.unparse(node)


def parses_csv(tree: ast.AST) -> Iterator[str]:
    """Arrow's reader of CSV, which has types of its own mind."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and "pyarrow.csv" in ast.unparse(node):
            yield ast.unparse(node)


def says_what_data_is(tree: ast.AST) -> Iterator[str]:
    """Contents that are made from hashes, other than by their own constructors."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Contents", "join_groups")
        ):
            yield ast.unparse(node)


def probes_memory(tree: ast.AST) -> Iterator[str]:
    """Where the system tells how much memory there is."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.startswith(("/proc/meminfo", "/sys/fs", "SC_PHYS", "SC_AVPHYS"))
        ):
            yield node.value
        if isinstance(node, ast.Import | ast.ImportFrom) and "psutil" in ast.unparse(node):
            yield ast.unparse(node)


def takes_anything(tree: ast.AST) -> Iterator[str]:
    """Settings by name that no type tells: a wrong name would be found out late or never."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and ast.unparse(node) == "settings: Any":
            yield ast.unparse(node)


def asks_kinds(tree: ast.AST) -> Iterator[str]:
    """A kind of column that is asked whether a column suits it."""
    yield from (ast.unparse(node) for node in calls(tree) if ast.unparse(node.func).endswith(".suits"))


def chooses_storage(tree: ast.AST) -> Iterator[str]:
    """A comparison of the room that dense and sparse rows take."""
    yield from (
        ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and "worth_dense" in node.name
    )


def reorders_sums(tree: ast.AST) -> Iterator[str]:
    """What lets the compiler fuse products and sums, or put sums in another order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in ("contract", "reassoc"):
            yield node.value
        if isinstance(node, ast.keyword) and node.arg == "fastmath" and isinstance(node.value, ast.Constant):
            yield ast.unparse(node)


def puts_in_place(tree: ast.AST) -> Iterator[str]:
    """A file or folder that takes the place of another."""
    yield from (ast.unparse(node) for node in calls(tree) if ast.unparse(node.func) in ("os.replace", "os.rename"))


def makes_cards(tree: ast.AST) -> Iterator[str]:
    """A card that is made of what a job found."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.AnnAssign)
            and ast.unparse(node.annotation) == "Card"
            and isinstance(node.value, ast.Dict)
        ):
            yield ast.unparse(node)


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def names_formats(tree: ast.AST) -> Iterator[str]:
    """Names of formats that are compared: what a format is and does, its class says. Those of outputs are others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            found = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if found & {"tsv", "arrow", "svmlight", "idx", "mbox"}:
                yield ast.unparse(node)


def names_families(tree: ast.AST) -> Iterator[str]:
    """Families that are told apart by a name or by what they learn: what one does, its class says."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            found = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if found & {"perceptron", "naive-bayes"}:
                yield ast.unparse(node)
    for node in calls(tree):
        learned = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} & {
            "Linear",
            "Bayes",
            "Voted",
            "Curved",
        }
        if ast.unparse(node.func) == "isinstance" and learned:
            yield ast.unparse(node)


def names_variants(tree: ast.AST) -> Iterator[str]:
    """Weights that decide, told apart by their name: what a variant keeps and gives, its class says."""
    yield from names_compared(tree, {"averaged", "voted", "pocket"})


def names_rules(tree: ast.AST) -> Iterator[str]:
    """Rules that are told apart by their name: what a step does, the class of a rule says."""
    yield from names_compared(tree, {"pa1", "pa2", "arow"})


def names_compared(tree: ast.AST, names: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            found = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if found & names:
                yield ast.unparse(node)


def makes_formulas(tree: ast.AST) -> Iterator[str]:
    """A formula that is made, or weights and counts of a model that are taken past it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Formula":
            yield ast.unparse(node)
        if isinstance(node, ast.Attribute) and ast.unparse(node).endswith((".learner.weights", ".learner.counts")):
            yield ast.unparse(node)


def lists_updates(tree: ast.AST) -> Iterator[str]:
    """A class that says of updates on which row and against which class they were."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            fields = {ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)}
            if {"rows", "rivals"} <= fields:
                yield node.name


def waits_for_threads(tree: ast.AST) -> Iterator[str]:
    """Pools of threads, of which Python's own may wait for ever."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == "Pool":
            yield node.name
        if isinstance(node, ast.ImportFrom) and "ThreadPoolExecutor" in ast.unparse(node):
            yield ast.unparse(node)


def asks_the_gpu(tree: ast.AST) -> Iterator[str]:
    """CuPy, which one module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and "cupy" in ast.unparse(node):
            yield ast.unparse(node)


RULES = {
    "what runs on a GPU": (asks_the_gpu, ("learn/kernel/device.py",), "import cupy"),
    "what a column is": (asks_kinds, ("features/kinds.py",), "kind.suits(facts)"),
    "dense or sparse": (chooses_storage, ("features/blocks.py",), "def worth_dense(rows): pass"),
    "in which arithmetic a score is added": (reorders_sums, ("loops/compile.py",), "njit(f, fastmath=True)"),
    "how a file is replaced": (puts_in_place, ("writing.py", "data/cache.py"), "os.replace(made, target)"),
    "what a card says": (makes_cards, ("pipeline/card.py",), "card: Card = {}"),
    "how a score becomes a class": (decides, ("learn/decide.py",), "found = scores > 0"),
    "what an X and a y may be": (checks_input, (), "from sklearn.utils import check_array"),
    "what text is a date": (parses_dates, ("data/values.py", "data/dates.py"), "datetime.strptime(text, form)"),
    "what a CSV file holds": (parses_csv, ("data/csv.py",), "import pyarrow.csv as csv"),
    "what the data is": (says_what_data_is, ("features/contents.py",), "Contents((), hashes)"),
    "what a format is": (names_formats, (), "form in ('csv', 'tsv')"),
    "which settings there are": (takes_anything, (), "def train(**settings: Any): pass"),
    "what a family of models is": (
        names_families,
        (
            *(f"pipeline/families/{name}.py" for name in ("perceptron", "naive_bayes", "kernel")),
            *("pipeline/forget.py", "model/separated.py"),
        ),
        "model == 'naive-bayes'",
    ),
    "what a step does": (names_rules, ("reference/rules.py",), "rule == 'arow'"),
    "which weights decide": (names_variants, (), "weights == 'voted'"),
    "what is known of each update": (
        lists_updates,
        ("learn/recording.py",),
        "class Notes:\n    rows: Any\n    rivals: Any",
    ),
    "how a score is made": (
        makes_formulas,
        tuple(f"model/{name}.py" for name in ("linear", "bayes", "kernel")),
        "model.learner.weights",
    ),
    "how work of threads is waited for": (
        waits_for_threads,
        ("loops/threads.py", "serve/work.py"),
        "from concurrent.futures import ThreadPoolExecutor",
    ),
    "how much memory there is": (probes_memory, ("data/memory.py",), "open('/proc/meminfo')"),
}


@cache
def trees() -> dict[str, ast.Module]:
    """Every file of the package, parsed once for all rules."""
    paths = {str(path.relative_to(SOURCE)): path for path in SOURCE.rglob("*.py")}
    return {name: ast.parse(path.read_text(encoding="utf8")) for name, path in paths.items()}


@pytest.mark.parametrize("decision", RULES)
def test_a_decision_has_one_owner(decision):
    rule, owners, breach = RULES[decision]
    assert list(rule(ast.parse(breach))), "a rule that cannot fail"
    assert all((SOURCE / owner).exists() for owner in owners)
    found = {name: list(rule(tree)) for name, tree in trees().items() if name not in owners}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("decision", [name for name, (_, owners, _) in RULES.items() if owners])
def test_the_owner_takes_the_decision(decision):
    rule, owners, _ = RULES[decision]
    assert any(list(rule(trees()[owner])) for owner in owners)


def test_the_tour_of_the_code_is_ten_files_that_can_be_read_in_an_hour():
    page = (SOURCE.parent.parent / "ARCHITECTURE.md").read_text(encoding="utf8")
    tour = page.split("## A tour in ten files")[1].split("\n## ")[0]
    files = re.findall(r"^\d+\. `([\w/]+\.py)`: ", tour, re.M)
    assert len(files) == 10
    assert sum(len((SOURCE / name).read_text(encoding="utf8").splitlines()) for name in files) < 1_200


def test_the_table_of_owners_names_files_that_exist_and_every_rule():
    page = (SOURCE.parent.parent / "ARCHITECTURE.md").read_text(encoding="utf8")
    table = page.split("## Who decides what")[1].split("\n## ")[0]
    lines = re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.M)[1:]
    for _, owners in lines:
        first, *rest = re.findall(r"`([\w/]+\.py)`", owners)
        assert all((SOURCE / name).exists() or (SOURCE / first).with_name(name).exists() for name in (first, *rest))
    marked = [decision for decision, _ in lines if "•" in decision]
    owned = {owner for _, owners, _ in RULES.values() for owner in owners}
    assert len(marked) == len(RULES)
    assert all(owner.split("/")[-1] in table for owner in owned)
