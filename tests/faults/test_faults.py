"""The short version of every row of docs/faults.md, and that the page says what the last full run found."""

from __future__ import annotations

import pytest

from faults import page
from faults.rows import row_modules


# Dask's sockets and processes may end noisily.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("row", row_modules(), ids=lambda row: row.__name__.removeprefix("faults."))
def test_the_promise_holds(row):
    outcome = row.run(row.SHORT, seed=1)
    assert outcome.cases >= min(row.SHORT, 1)
    assert outcome.broken[:5] == []


def test_the_page_is_the_one_that_the_results_make():
    assert page.PAGE.read_text(encoding="utf8") == page.text()
