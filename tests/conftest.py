"""What all tests share: the folder of real data, and how long hypothesis may search."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("checks", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "checks"))

pytest.register_assert_rewrite("lab_browser")  # tests import from this plugin, in whatever order they are collected

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def data() -> Path:
    folder = Path(os.environ.get("ROSENBLATT_DATA", REPOSITORY / ".." / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data in {folder}; set ROSENBLATT_DATA to its folder")
    return folder


@pytest.fixture(scope="session")
def mnist(data: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Images as rows of 784 bytes and their digits, for training and for the test."""

    def values(name: str, header: int) -> np.ndarray:
        return np.frombuffer(gzip.decompress((data / "mnist" / name).read_bytes())[header:], np.uint8)

    return {
        part: (values(f"{name}-images-idx3-ubyte.gz", 16).reshape(-1, 784), values(f"{name}-labels-idx1-ubyte.gz", 8))
        for part, name in {"train": "train", "test": "t10k"}.items()
    }
