"""Data larger than what it may take: the resident size of the process stays small. (benchmarks/scale.py does 4 GB.)"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SIZE = 100_000_000
MEMORY = "64MB"
# Python with numba and Arrow takes about 230 MB. Trained in memory, the peak is 1,020 MB (svmlight) and 740 (Parquet);
# from the disk 360 to 370 and 410 to 420.
LIMIT = 500e6
TRAIN = """
import json, re, sys
from rosenblatt.pipeline import train_with_evidence
model, evidence = train_with_evidence(sys.argv[1], memory=sys.argv[2], model="perceptron", margin=1.0, passes=2, seed=0)
# Not ru_maxrss: a process begins with that of the one that started it.
peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(json.dumps({"peak": peak, "disk": evidence.disk is not None, "accuracy": model.card["test"]["accuracy"]}))
"""


@pytest.fixture(scope="module")
def make():
    sys.path.insert(0, str(BENCHMARKS))  # numba's cache finds the module by its name
    yield importlib.import_module("scale_data")
    sys.path.remove(str(BENCHMARKS))


def trained(source, size, memory, make, cache):
    """What a process of its own says of training on a file of so many bytes."""
    (make.write_svmlight if source.suffix == ".svmlight" else make.write_parquet)(source, size)
    done = subprocess.run(
        [sys.executable, "-c", TRAIN, str(source), memory],
        env={**os.environ, "ROSENBLATT_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell resident sizes")
@pytest.mark.parametrize("form", ["svmlight", "parquet"])
def test_the_resident_size_stays_small(form, make, tmp_path):
    source = tmp_path / f"data.{form}"
    assert trained(source, SIZE // 20, "3MB", make, tmp_path / "small")["disk"]  # compiles, which takes memory too
    found = trained(source, SIZE, MEMORY, make, tmp_path / "cache")
    assert found["disk"]
    assert found["peak"] < LIMIT
    assert found["accuracy"] > 0.7
