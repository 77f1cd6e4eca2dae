"""Labelled rows for `prove`, `check` and `trace`: raw numbers, 0/1 categories and 0/1 words, or the training plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from rosenblatt.data.table import Origin, Table
    from rosenblatt.features import Classes, Plan
    from rosenblatt.pipeline.config import Config


class LabelledRows(NamedTuple):
    """Rows as an array or a sparse matrix, the label of each, the names of the features, and where rows came from."""

    X: Any
    y: np.ndarray
    names: Sequence[str]
    origin: Origin
    classes: Sequence[str]
    codes: np.ndarray  # the place of each row's label among the classes
    table: Table  # what was read
    used: Sequence[str]  # the columns that features were made of
    left_out: Sequence[str]  # the others, each with a word on why: "day (a time)"
    plan: Plan  # by which other rows can be encoded
    known: Classes


def read_table(source: str, config: Config, by_plan: bool = False, also: Sequence[str] = ()) -> LabelledRows:
    """The labelled rows of a file, `-` or a built-in name, read and encoded as the config says; `also` names classes.

    Scaling would change what is asked, so nothing is scaled.
    """
    import numpy as np

    from rosenblatt.data import read
    from rosenblatt.data.matrices import csr_of
    from rosenblatt.features import Classes, learn_and_encode
    from rosenblatt.learn.problem import check_lengths
    from rosenblatt.loops.rows import Dense
    from rosenblatt.pipeline.wishes import as_given

    table = read(source, config.get("label"), **config.how)
    classes = Classes.learn(table, also=also)
    wishes = config.all_wishes if by_plan else as_given(table, config.all_wishes)
    codes = classes.encode(table)
    plan, matrix = learn_and_encode(table, wishes, codes)
    used, left_out = _columns_of(plan, {*wishes.drop} - {*config.all_wishes.drop})
    rows = matrix.rows
    check_lengths(rows, table.origin.of)
    if not by_plan:
        _refuse_rounded(table, used)
    X = rows.values if isinstance(rows, Dense) else csr_of(rows)
    labels = np.array(classes.names)[codes]
    return LabelledRows(
        X, labels, matrix.names, table.origin, classes.names, codes, table, used, left_out, plan, classes
    )


def read_more(source: str, config: Config, like: LabelledRows) -> tuple[Any, np.ndarray]:
    """Other rows with the features and the classes of those read before: the rows, and the place of each label."""
    from rosenblatt.data import read
    from rosenblatt.data.matrices import csr_of
    from rosenblatt.loops.rows import Dense

    table = read(source, config.get("label"), **config.how)
    rows = like.plan.encode(table).rows
    return rows.values if isinstance(rows, Dense) else csr_of(rows), like.known.encode(table)


def _columns_of(plan: Plan, times: set[str]) -> tuple[list[str], list[str]]:
    """The columns that the plan makes features of, and those that it leaves out, with the first words of the reason."""
    used = [line.column for line in plan.lines if line.width]
    rest = [line for line in plan.lines if not line.width]
    why = {"text": "no word"}
    told = {line.column: why.get(line.kind) or _first_words(line.reason) for line in rest} | dict.fromkeys(
        times, "a time"
    )
    return used, [f"{name} ({reason})" for name, reason in told.items()]


def _first_words(reason: str) -> str:
    return reason.partition(":")[0].partition(",")[0]


def _refuse_rounded(table: Table, names: Iterable[str]) -> None:
    """DataError where float64 may not hold a number as it was given: rows that differ would be called identical.

    Whole numbers are held up to 2^53. What a text or a decimal says from there on may have been rounded to that very
    number when it was read; a float64 in a Parquet file or an array is the number itself.
    """
    import numpy as np
    import pyarrow as pa

    from rosenblatt.data.values import EXACT_UP_TO
    from rosenblatt.errors import DataError

    for name in names:
        numbers, ends, entries = _numbers_of(table, name)
        if numbers is None or (pa.types.is_floating(numbers.type) and not table.as_text):
            continue
        values = numbers.cast(pa.float64(), safe=False).fill_null(0.0).to_numpy(zero_copy_only=False)
        far = np.flatnonzero(np.abs(values) >= EXACT_UP_TO).tolist()
        if pa.types.is_integer(numbers.type):  # 2^53 itself is as it was given
            far = [k for k in far if abs(numbers[k].as_py()) != EXACT_UP_TO][:1]
        if far:
            row = far[0] if ends is None else int(np.searchsorted(ends, far[0], "right"))
            column = f"column {name!r}" if entries is None else f"column {entries[far[0]]}"
            shown = numbers[far[0]].as_py()
            what = (
                f"numbers of 2^53 or more ({shown:.17g})"
                if isinstance(shown, float)
                else (f"whole numbers beyond 2^53 ({shown})")
            )
            raise DataError(
                f"{table.origin.of(row)}: {column} holds {what}, which float64 cannot hold exactly, and a proof speaks "
                "of exact numbers. Subtract a constant from the column."
            )


def _numbers_of(table: Table, name: str) -> tuple[Any, Any, Any]:
    """The numbers of a column as one Arrow array, or None where it holds others.

    For lists of numbers also where each row ends, and for sparse ones the column of each number.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from rosenblatt.data.table import SPARSE
    from rosenblatt.data.values import one_array
    from rosenblatt.features.facts import is_number

    array, ends, entries = one_array(table.columns[name]), None, None
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type) or pa.types.is_fixed_size_list(array.type):
        ends = np.cumsum(pc.fill_null(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False))
        sparse, array = array.type == SPARSE, array.flatten()
        if sparse:
            entries, array = array.field("column").to_numpy(zero_copy_only=False), array.field("value")
    return (array, ends, entries) if is_number(array.type) else (None, None, None)
