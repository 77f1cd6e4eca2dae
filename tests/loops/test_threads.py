"""Work in threads: results in order, errors told, and no wait for a thread that is gone."""

from __future__ import annotations

import os
import time
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from threading import get_ident
from typing import Any

import pytest

from faults.child import ended, started
from rosenblatt.loops.threads import Pool, in_threads

HOOKS: Any = import_module("_testcapi") if find_spec("_testcapi") else None
RIGHT, SHORT_OF_MEMORY, WRONG = 10, 11, 12


def test_results_come_in_the_order_of_the_parts_and_the_first_error_is_raised():
    assert in_threads(lambda part: part * part, range(100), 3) == [part * part for part in range(100)]
    with pytest.raises(ZeroDivisionError):
        in_threads(lambda part: 1 // part, [1, 0, 2], 2)


def test_without_threads_a_task_is_done_by_whoever_asks_and_no_sooner():
    done: list[int] = []
    with Pool(0) as pool:
        tasks = [pool.submit(lambda each=each: done.append(each) or get_ident()) for each in range(3)]
        assert not done
        assert [tasks[each].result() for each in (2, 0)] == [get_ident()] * 2
    assert done == [2, 0]
    with pytest.raises(ZeroDivisionError):
        Pool(0).submit(lambda: 1 // 0).result()


def test_what_was_not_begun_when_a_block_ends_is_left_undone():
    done: list[int] = []

    def until_nobody_waits() -> None:
        while pool.todo.qsize() > 1:  # one tells the thread to end
            time.sleep(0.001)

    with Pool(1) as pool:
        for work in (until_nobody_waits, *[partial(done.append, number) for number in range(10)]):
            pool.submit(work)
    assert len(done) <= 1


@pytest.mark.skipif(HOOKS is None, reason="this interpreter has no test modules")
def test_nobody_waits_for_a_thread_that_ended_for_want_of_memory():
    """Five allocations in a row fail at each of the places by which a thread hands over what it found."""
    codes = {ended(started(lambda first=first: _starve(first)), 20.0) for first in range(30)}
    assert codes <= {RIGHT, SHORT_OF_MEMORY}


def _starve(first: int) -> None:
    def work(part: int) -> int:
        if part == 0:
            HOOKS.set_nomemory(first, first + 5)
        return part

    try:
        code = RIGHT if in_threads(work, range(4), 2) == [0, 1, 2, 3] else WRONG
    except MemoryError:
        code = SHORT_OF_MEMORY
    os._exit(code)
