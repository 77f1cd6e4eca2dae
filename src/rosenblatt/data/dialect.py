"""What the first rows of a CSV file tell of its form: what stands between values, whether the first row names columns,
and which column is the label where nothing is named."""

from __future__ import annotations

import csv as plain_csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise, zip_longest
from typing import Any, NamedTuple

from rosenblatt.data.csvtext import CsvSettings
from rosenblatt.data.csvtypes import DAY
from rosenblatt.data.values import DATED, MISSING, MONEY, NUMBER, WRITTEN
from rosenblatt.harmless import is_number

LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
DECIMAL = re.compile(r"\s*+[+-]?[0-9.' ]*+(?:,[0-9]*+)?\s*+")  # a number, perhaps with a decimal comma
PLAIN = re.compile(r"(?:(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?)?(?:\0|\Z))*")  # numbers as programs write them, or nothing
LOOKED_AT = 200  # rows
SIGNS = {*MONEY, "%"}  # that may stand beside a number
MANY = 20  # distinct numbers of a column in which one may be mistyped
FEW, SHORT, REPEATED = 20, 20, 3  # values of a label that nobody names, their letters, and rows for each at least
Row = list[str]


def first_rows(text: str, settings: CsvSettings) -> tuple[list[Row], int]:
    """The first rows, and how many bytes in UTF-8 the first takes, with the blank lines before it."""
    taken = 0

    def lines() -> Iterator[str]:  # StringIO would take four bytes a character
        nonlocal taken
        for found in LINE.finditer(text):
            taken = found.end()
            if found[0]:
                yield found[0]

    rows: list[Row] = []
    start = 0
    for row in plain_reader(lines(), settings):
        if rows or not is_blank(row):
            start = start if rows else len(text[:taken].encode())
            rows += [row] if row else []
        if len(rows) == LOOKED_AT:
            break
    return rows, start


def plain_reader(lines: Any, settings: CsvSettings) -> Any:
    """The reader of the standard library, for looking at a few rows and for finding what is wrong."""
    plain_csv.field_size_limit(1 << 30)  # by default 128 kB, less than a long text; it is in memory already
    if settings.quotes:
        return plain_csv.reader(lines, delimiter=settings.delimiter)
    return plain_csv.reader(lines, delimiter=settings.delimiter, quoting=plain_csv.QUOTE_NONE)


def is_blank(row: Row) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


def find_delimiter(text: str, settings: CsvSettings) -> str:
    """What stands between the values: that of the settings, unless another cuts the first rows into equal numbers of
    them and this one does not, or cuts numbers at their decimal commas."""
    found = {}
    for sign in dict.fromkeys([settings.delimiter, *DELIMITERS]):
        rows = first_rows(text, replace(settings, delimiter=sign))[0]
        rows = rows[:-1] if len(rows) > 2 and len(rows) < LOOKED_AT else rows  # the last may be cut off
        if len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            found[sign] = rows
    if not found:
        return settings.delimiter
    if ";" in found and all(map(DECIMAL.fullmatch, _with_commas(found[";"]))):
        return ";"
    return settings.delimiter if settings.delimiter in found else max(found, key=lambda sign: len(found[sign][0]))


def _with_commas(rows: Sequence[Row]) -> list[str]:
    return [value for row in rows for value in row if "," in value]


def cut_numbers(row: Row) -> int:
    """How many numbers of the row may have been cut at their decimal commas: digits, and digits beside them."""
    return sum(left.strip().lstrip("+-").isdigit() and right.strip().isdigit() for left, right in pairwise(row))


def written_forms(
    rows: Sequence[Row], names: Sequence[str], delimiter: str, doubtful: Sequence[int]
) -> tuple[dict[str, str], dict[str, str]]:
    """How the numbers or dates of columns are written, where that is not as others write them; and the columns of dates
    that have no form of their own, with what is unclear.

    1,234 may have a decimal comma or thousands: where no other value of the column tells, it has thousands, but not
    between semicolons. 1.234 has thousands where another column has decimal commas. 4.5.2024 is the fourth of May;
    4/5/2024 may be any, where no other value tells.
    """
    found, unclear = {}, {}
    for j in doubtful:
        name = names[j]
        values = {row[j].strip() for row in rows if j < len(row)} - set(MISSING)
        fits = [reads for reads, form in WRITTEN.items() if _fit(values, form)]
        if fits:
            found[name] = fits[0] if delimiter == ";" else fits[-1]
        elif any(map(DATED.fullmatch, values)) and all(DATED.fullmatch(v) or DAY.match(v) for v in values):
            order, why = _order([row[j].strip() for row in rows if j < len(row) and row[j].strip() in values])
            if order:
                found[name] = order
            else:
                unclear[name] = why
    if "decimal comma" in found.values():
        form = WRITTEN["decimal comma"]
        for j, name in enumerate(names):
            values = {row[j].strip() for row in rows if j < len(row)} - set(MISSING)
            if name not in found and any("." in value for value in values) and all(map(form.fullmatch, values)):
                found[name] = "decimal comma"
    return found, unclear


def nearly_numbers(
    rows: Sequence[Row], names: Sequence[str], known: Collection[str], doubtful: Sequence[int]
) -> list[str]:
    """A sentence for each column of numbers with some words among them, since it is read as names."""
    told = []
    for j in doubtful:
        name = names[j]
        values = [value for row in rows if j < len(row) and (value := row[j].strip()) not in MISSING]
        words = [value for value in values if not is_number(value)]
        numbers = set(values).difference(words)
        if name not in known and len(numbers) > MANY and 1 < len(words) <= len(values) / 5:
            told.append(
                f"{name}: {len(words)} of the first {len(values)} values are no numbers, such as {words[0][:20]!r}, so "
                "all are read as names; leave those cells empty"
            )
    return told


def doubtful_columns(rows: Sequence[Row], count: int) -> list[int]:
    """The columns with a value that is no plain number: of the others there is nothing to find out."""
    columns = islice(zip_longest(*rows, fillvalue="0"), count)
    return [j for j, values in enumerate(columns) if not PLAIN.fullmatch("\0".join(values))]


def _order(values: Sequence[str]) -> tuple[str, str]:
    """Whether dates have the day or the month first; nothing where they have both or none can be told, and why."""
    dates = [found for value in values if (found := DATED.fullmatch(value))]
    others = [value for value in values if not DATED.fullmatch(value)]
    first, second = ([found[0] for found in dates if int(found[place]) > 12] for place in (1, 2))
    if others:
        few, many = sorted(([found[0] for found in dates], others), key=len)
        told = f"{len(few)} of the first {len(values)} values {'has' if len(few) == 1 else 'have'} another form"
        return "", f"{told}, {few[0]!r} beside {many[0]!r}"
    if first and second:
        return "", f"some have the day first, {first[0]!r}, and some the month, {second[0]!r}"
    if not first and not second and not all("." in value for value in values):
        return "", f'{dates[0][0]!r} may have the day or the month first (a config says it, reads = "day first")'
    return "month first" if second else "day first", ""


def _fit(values: set[str], form: re.Pattern[str]) -> bool:
    """Whether all values have this form, and some no other; of many, one may be mistyped and is named when read.

    Beside the numbers of a column stands one sign: pounds and euros are no numbers of one kind.
    """
    if len({sign for value in values for sign in value if sign in SIGNS}) > 1:
        return False
    others = [value for value in values if not form.fullmatch(value)]
    marked = any(not NUMBER.fullmatch(value) for value in values.difference(others))
    return marked and len(others) <= (len(values) > MANY)


def is_header(rows: Sequence[Row], label: str | None) -> bool:
    """Whether the first row names the columns: its values are distinct words, and none comes again below in its column.

    Some may be numbers, such as years, where a word stands over numbers. The label asked for tells it too.
    The first may be empty, since that is how data frames write the column of their row numbers, and so may the last be
    where nothing stands below, after a delimiter that ends each line.
    """
    names = [name.strip() for name in rows[0]]

    def below(j: int) -> set[str]:
        return {row[j].strip() for row in rows[1:] if j < len(row)}

    while len(names) > 1 and not names[-1] and below(len(names) - 1) <= {""}:
        names = names[:-1]
    if label in names:
        return True
    words = [j for j, name in enumerate(names) if not is_number(name)]
    over_numbers = any(names[j] and names[j] not in MISSING and _are_numbers(below(j)) for j in words)
    if len(set(names)) < len(names):  # words that occur twice in a plausible header are a mistake in the file
        return over_numbers and len(words) == len(names)
    again = {j for row in rows[1:] for j, value in enumerate(map(str.strip, row[: len(names)])) if value == names[j]}
    named = all(names[1:]) and not again.intersection(words)
    return named and (len(words) == len(names) or over_numbers)


def _are_numbers(values: set[str]) -> bool:
    return bool(values) and all(is_number(value) or not value for value in values)


class Heading(NamedTuple):
    """What the first rows of a table tell of its columns."""

    names: list[str]
    header: bool  # whether the first row has the names
    label: str | None
    notes: tuple[str, ...]


def heading(rows: Sequence[Row], header: bool | None, label: str | None, labelled: bool) -> Heading:
    """The names of the columns, and the label: as asked for, or as the first rows show where nobody asks."""
    header = is_header(rows, label) if header is None else header
    names = [name.strip() if header and name.strip() else f"c{number}" for number, name in enumerate(rows[0], 1)]
    if header:
        return Heading(names, header, label, ())
    notes: tuple[str, ...] = (f"no header line found: the columns are named {names[0]} to {names[-1]}",)
    place = find_label(rows) if label is None and labelled else None
    if place is not None:
        label = names[place]
        notes += (f"{label} is taken for the label: no other column has few short values",)
    return Heading(names, header, label, notes)


def find_label(rows: Sequence[Row]) -> int | None:
    """The place of the only column with few short values that repeat, of a file that names none."""
    if len(rows) <= FEW:
        return None
    columns = [[row[j].strip() for row in rows if j < len(row)] for j in range(len(rows[0]))]
    few = [j for j, values in enumerate(columns) if 1 < len(set(values)) <= min(FEW, len(values) // REPEATED)]
    short = [j for j in few if max(map(len, columns[j])) <= SHORT and not set(columns[j]) & set(MISSING)]
    return short[0] if len(few) == len(short) == 1 else None
