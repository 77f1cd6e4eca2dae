"""A GPU that fails while a kernel is learned: one line, by a stand-in for CuPy."""

from __future__ import annotations

import numpy as np
import pytest

from faults.lost_gpu import FAILURES, Gpu, having
from rosenblatt import KernelPerceptron
from rosenblatt.errors import DataError

X = np.array([[a, b] for a in range(6) for b in range(6)], float)
Y = (X[:, 0] * X[:, 1] > 8).astype(int)


def model(device: str) -> KernelPerceptron:
    return KernelPerceptron(kernel="poly", degree=2, gamma=1.0, max_iter=5, random_state=0, device=device)


def test_the_stand_in_makes_the_list_of_the_cpu():
    gpu = Gpu()
    with having(gpu):
        found = model("gpu").fit(X, Y)
    assert gpu.calls > 0
    assert found.device_ == "gpu"
    assert np.array_equal(found.decision_function(X), model("cpu").fit(X, Y).decision_function(X))


@pytest.mark.parametrize("how", FAILURES)
def test_a_gpu_that_fails_at_any_call_is_told_in_one_line(how):
    whole = Gpu()
    with having(whole):
        model("gpu").fit(X, Y)
    for at in range(whole.calls):
        with having(Gpu(at, how)), pytest.raises(DataError) as told:
            model("gpu").fit(X, Y)
        assert "\n" not in str(told.value)
        assert str(told.value).startswith("the rows and their scores" if how == "memory" else "the GPU failed (")
        assert str(told.value).endswith("or use device='cpu'.")
