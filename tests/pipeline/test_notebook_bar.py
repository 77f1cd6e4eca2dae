"""A bar in a notebook while `train` works: only there, only where nobody else watches, and gone at the end."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import SimpleNamespace

import pytest

from rosenblatt import train
from rosenblatt.errors import DataError
from rosenblatt.pipeline import progress
from rosenblatt.pipeline.progress import Progress, watched

BAR = 'role="progressbar"'


@pytest.fixture
def kernel(monkeypatch):
    """What a notebook's IPython is asked for here; `pictures` is what it was given to show."""
    pictures = []

    def display(picture, display_id):
        assert display_id
        pictures.append(picture)
        return SimpleNamespace(update=pictures.append)

    shell = SimpleNamespace(kernel=object())
    module = SimpleNamespace(get_ipython=lambda: shell, display=SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setattr(progress, "SHORT", -1.0)
    monkeypatch.setattr(progress, "REDRAW", 0.0)
    return SimpleNamespace(pictures=pictures, shell=shell)


def test_a_notebook_shows_passes_and_then_how_long_it_took(kernel):
    train("iris", model="perceptron", passes=7, weights="averaged", margin=0.0)
    bars = [picture for picture in kernel.pictures if BAR in picture._repr_html_()]
    assert any(
        'aria-valuenow="7" aria-valuemax="7"><i class="for" style="width:100%">' in bar._repr_html_() for bar in bars
    )
    assert any("pass 7" in repr(bar) for bar in bars)
    last = kernel.pictures[-1]
    assert BAR not in last._repr_html_()
    assert repr(last).endswith(" tried")


def test_nobody_is_told_in_a_terminal_or_where_somebody_else_watches(kernel):
    told = []
    train("iris", model="perceptron", passes=2, watch=told.append)
    assert told
    kernel.shell.kernel = None  # IPython in a terminal
    train("iris", model="perceptron", passes=2)
    assert kernel.pictures == []


def test_the_bar_goes_where_the_work_ends_in_an_error(kernel):
    with suppress(DataError), watched(None) as watch:
        watch(Progress("<b>reading</b>"))
        raise DataError("nothing there.")
    first, last = kernel.pictures
    assert "&lt;b&gt;reading" in first._repr_html_()
    assert BAR not in last._repr_html_()


def test_short_work_shows_no_bar(kernel, monkeypatch):
    monkeypatch.setattr(progress, "SHORT", 60.0)
    train("iris", model="perceptron", passes=2)
    assert kernel.pictures == []
