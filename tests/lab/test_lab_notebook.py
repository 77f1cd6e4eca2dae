"""The lab in a cell of a notebook: the points that were given, and one line for what cannot be shown."""

from __future__ import annotations

import numpy as np
import pytest

from rosenblatt import show_lab
from rosenblatt.errors import DataError
from rosenblatt.traces import trace

X, Y = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3.5]], ["no", "yes", "yes", "yes", "no"]


def test_a_cell_shows_the_points_and_their_run(browser):
    page, wrong = browser.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_content(f"<!doctype html><title>cell</title>{show_lab(X, Y, names=['a', 'b'])._repr_html_()}")
    frame = page.frames[1]
    for _ in range(400):
        if frame.evaluate("Boolean(window.lab?.state.course)"):
            break
        page.wait_for_timeout(25)
    found = frame.evaluate("window.lab.state.data")
    assert found == {"points": X, "labels": [0, 1, 1, 1, 0], "classes": ["no", "yes"], "features": ["a", "b"]}
    assert frame.evaluate("window.lab.state.course.updates") == trace(X, Y, passes=300).n_mistakes
    assert wrong == []
    page.close()


def test_names_cannot_end_the_page():
    assert "</script><b>" not in show_lab(X, ["</script><b>", "x", "x", "x", "x"]).html


@pytest.mark.parametrize(
    ("rows", "labels", "told"),
    [
        (np.ones((3, 3)), [0, 1, 0], "the plane has two columns; X has 3"),
        (np.ones((2001, 2)), [0, 1] * 1000 + [0], "at most 2000 points; got 2001"),
        (np.ones((7, 2)), list("abcdefg"), "shapes for 6 classes; y has 7"),
        ([[1, np.inf], [0, 1]], [0, 1], "infinit|finite"),
    ],
)
def test_what_cannot_be_shown_is_one_line(rows, labels, told):
    with pytest.raises(DataError, match=told):
        show_lab(rows, labels)
