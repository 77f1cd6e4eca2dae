"""The labels part: doubtful labels of a person's CSV, and a copy of it with the labels that they decide.

Nothing is kept between the two calls and nothing touches a disk: the page sends the file again with the decisions.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, Literal

from rosenblatt.data.table import Table, some
from rosenblatt.errors import DataError, SettingError
from rosenblatt.lab.datasets import read_bytes
from rosenblatt.lab.mail_file import LONGEST_NAME, with_label
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import several, text, whole

MOST_ROWS, MOST_COLUMNS = 20_000, 200
SHOWN, LONGEST = 200, 300  # doubtful rows that the page shows, and letters of each
LARGEST = 4 * 2**20  # letters of a file


def review_file(_session: Session, body: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    """The doubtful labels of a CSV, the most doubtful first."""
    from rosenblatt.pipeline.review import review  # what it needs loads when it is asked for
    from rosenblatt.report.doubts import doubt_values, review_facts

    table = _table(body, _name(query.get("name", "your file")))
    found = review(table)
    rows = [{**doubt_values(each), "shown": each.shown[:LONGEST]} for each in found.queue[:SHOWN]]
    return {
        "name": table.origin.source,
        "label": table.label,
        "classes": list(found.classes.names),
        "facts": [{"label": fact.label, "text": " · ".join(fact.parts)} for fact in review_facts(found)],
        "doubtful": rows,
        "all": len(found.queue),
    }


def corrected_copy(_session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The CSV with other labels in some rows, every other character as it was given."""
    name = _name(body.get("name", "your file"))
    given = text("text", body.get("text"), LARGEST)
    table = _table(given.encode(), name)
    wanted = dict(_decided(each, table) for each in several("labels", body.get("labels"), MOST_ROWS))
    return {"name": f"corrected-{name}", "text": with_labels(given, table, wanted), "changed": len(wanted)}


def with_labels(given: str, table: Table, wanted: Mapping[int, str]) -> str:
    """The text of a CSV with these labels, by number of the row; every other value is as it was."""
    lines, delimiter = _lines(given, table)
    head = len(lines) - table.n_rows
    if head not in (0, 1):
        raise DataError(f"{table.origin.source}: its lines cannot be told from its rows. Mend it by hand.")
    names = [name.strip() for name in lines[0]] if head else [f"c{place}" for place in range(1, len(lines[0]) + 1)]
    if table.label not in names:
        raise DataError(f"{table.origin.source}: the label {table.label!r} is in no column of it. Mend it by hand.")
    place = names.index(str(table.label))
    for row, label in wanted.items():
        lines[head + row][place] = label
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=_quoting(delimiter)).writerows(lines)
    return out.getvalue()


def _lines(given: str, table: Table) -> tuple[list[list[str]], str]:
    """The values of each line, as text, and what stands between them: what gives as many as the table has columns."""
    wide = len(table.names) + 1
    for delimiter in (str(table.found.get("delimiter") or ","), "\t", ";"):
        found = csv.reader(io.StringIO(given, newline=""), delimiter=delimiter, quoting=_quoting(delimiter))
        lines = [line for line in found if line]
        if all(len(line) == wide for line in lines):
            return lines, delimiter
    raise DataError(f"{table.origin.source}: its lines have different numbers of values. Mend it by hand.")


def _quoting(delimiter: str) -> Literal[0, 3]:
    return csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL


def _table(body: bytes, name: str) -> Table:
    table = with_label(read_bytes(body, name))
    if table.n_rows > MOST_ROWS or len(table.names) > MOST_COLUMNS:
        raise DataError(
            f"{name}: {table.n_rows:,} rows of {len(table.names):,} columns; the lab reviews at most {MOST_ROWS:,} of "
            f"{MOST_COLUMNS}. Use rosenblatt review, which has no such limits."
        )
    return table


def _name(value: Any) -> str:
    return text("name", value, LONGEST_NAME).replace("/", "_") or "your file"


def _decided(value: Any, table: Table) -> tuple[int, str]:
    pair = several("a decision", value, 2, 2)
    label = text("label", pair[1], LONGEST_NAME)
    known = sorted({str(each) for each in table.labels.unique().to_pylist()} if table.labels is not None else set())
    if label not in known:
        raise SettingError(f"the label {label!r} is none of {some(known)}.")
    return whole("row", pair[0], 1, table.n_rows) - 1, label
