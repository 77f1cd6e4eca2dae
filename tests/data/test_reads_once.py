"""How often a job opens its file, looks what it is, decides what its columns are, and hashes its rows."""

from __future__ import annotations

import os
import sys
from collections import Counter

import numpy as np
import pytest

from rosenblatt.data import formats
from rosenblatt.features import contents, learning, plan
from rosenblatt.pipeline import train_with_evidence

COUNTED: Counter[str] = Counter()
HOOKED: list[str] = []  # the file whose opening is counted; a hook cannot be taken back


def hook(event, arguments):
    if event == "open" and HOOKED and isinstance(arguments[0], str | bytes | os.PathLike):
        COUNTED["opened"] += os.fsdecode(arguments[0]) == HOOKED[0]


sys.addaudithook(hook)


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Trains on a file of numbers, names and dates, and tells how often everything was done."""
    rng = np.random.default_rng(0)
    lines = [
        f"{number},{x:.3f},{rng.choice(['red', 'green', 'blue'])},{rng.choice(['round', 'square'])},"
        f"2024-0{rng.integers(1, 9)}-01,{'yes' if x > 0 else 'no'}\n"
        for number, x in enumerate(rng.standard_normal(600))
    ]
    source = tmp_path / "x.csv"
    source.write_text("number,size,colour,shape,day,label\n" + "".join(lines))
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys.modules[__name__], "HOOKED", [str(source)])

    def count(module, name, what):
        function = getattr(module, name)

        def counted(*arguments, **named):
            COUNTED[what] += 1
            return function(*arguments, **named)

        monkeypatch.setattr(module, name, counted)

    count(formats, "recognised", "sniffed")
    count(learning, "decided", "decided")
    count(plan, "learn_lines", "plans")
    count(contents.Contents, "under", "hashed")
    tables, kinds_of = [], learning.kinds_of  # kept, so that no two of them have one id

    def asked(executor, *arguments):
        tables.append(executor.table)
        COUNTED["tables"] = len({id(table) for table in tables})
        return kinds_of(executor, *arguments)

    for module in (learning, contents, plan):
        if hasattr(module, "kinds_of"):
            monkeypatch.setattr(module, "kinds_of", asked)

    def train(**settings):
        COUNTED.clear()
        tables.clear()
        _, evidence = train_with_evidence(str(source), **settings)
        return COUNTED, evidence

    return train


COLUMNS = 5


@pytest.mark.parametrize("memory", [None, "70kB"])
@pytest.mark.parametrize("settings", [{"model": "perceptron", "passes": 2}, {"model": "naive-bayes"}, {}])
def test_everything_about_a_file_is_done_once(job, memory, settings):
    counted, evidence = job(memory=memory, **settings)
    assert (evidence.disk is None) == (memory is None)
    assert counted["opened"] == 1
    assert counted["sniffed"] == 1
    assert counted["hashed"] == 1
    # Once for each table that plans are learned from, such as the training rows of a fold; and once for all rows.
    assert 1 < counted["tables"] <= counted["plans"] + 1
    assert counted["decided"] == COLUMNS * counted["tables"]


def test_a_second_job_on_the_disk_finds_the_columns_that_count_in_the_cache(job):
    tables = []
    for _ in range(2):
        counted, _ = job(memory="70kB", model="naive-bayes")
        assert counted["opened"] == counted["sniffed"] == 1
        assert counted["decided"] == COLUMNS * counted["tables"]
        tables.append(counted["tables"])
    assert tables[1] < tables[0]


def test_the_test_can_fail(job, monkeypatch):
    """A file that everybody opens for themselves is opened several times."""
    from rosenblatt.data import source

    monkeypatch.setattr(source, "replace", lambda given, file: given)
    assert job(model="naive-bayes")[0]["opened"] > 2
