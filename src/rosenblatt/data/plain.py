"""Arrow's columns in the few types that everything below knows; what cannot become one of them is refused here."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import SPARSE, Origin, with_columns
from rosenblatt.data.values import one_array
from rosenblatt.errors import DataError

FIRST_DAY, LAST_DAY = -719162, 2932896  # of Python's calendar, 0001-01-01 and 9999-12-31, from 1970-01-01
MOST_DAYS = 999_999_999  # of a duration in Python
MOST_PLACES = 76  # of a decimal number of Arrow's widest type
BETWEEN = "\u241f"  # the names of a list, which become one text: the picture of a separator, which no name has
PER_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def plain_types(columns: pa.Table, origin: Origin, dictionaries: bool = False) -> pa.Table:
    """The columns without run-ends, views, extensions and half floats, lists of names as one text each.

    dictionaries    whether to keep these: those of a file differ from batch to batch, so there they are taken apart
    """
    changed = {}
    for number, field in enumerate(columns.schema):
        column = _plain(columns[number], dictionaries)
        if column.type != field.type:
            changed[number] = column
        _check(column, field.name, origin)
    return with_columns(columns, changed)


def _plain(column: pa.ChunkedArray, dictionaries: bool) -> pa.ChunkedArray:
    kind = column.type
    while True:
        if isinstance(kind, pa.BaseExtensionType):
            column = _without_extension(column, kind)
        elif pa.types.is_run_end_encoded(kind):
            column = pa.chunked_array([pc.run_end_decode(chunk) for chunk in column.chunks], kind.value_type)
        elif pa.types.is_dictionary(kind) and not dictionaries:
            column = column.cast(kind.value_type)
        elif pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
            column = pa.chunked_array([_without_views(chunk) for chunk in column.chunks], _held(kind))
        elif pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
            column = column.cast(pa.large_binary())
        elif pa.types.is_float16(kind):
            column = column.cast(pa.float32())
        elif _holds_names(kind):
            column = pa.chunked_array([_joined(chunk) for chunk in column.chunks], pa.large_string())
        if column.type == kind:
            return column
        kind = column.type


def _held(kind: pa.DataType) -> pa.DataType:
    """The type of strings or bytes that lie one after another, as their views do not."""
    return pa.large_string() if pa.types.is_string_view(kind) else pa.large_binary()


def _without_views(views: pa.Array) -> pa.Array:
    """The values one after another. Arrow follows the views of missing values too, wherever a damaged file lets them
    point, and it does not check them: here these are empty."""
    if views.null_count:
        valid, each, *data = views.buffers()
        n = views.offset + len(views)
        places = np.frombuffer(each, np.uint64, 2 * n).reshape(n, 2).copy()
        places[views.offset :][views.is_null().to_numpy(zero_copy_only=False)] = 0
        kept = [valid, pa.py_buffer(places), *data]
        views = pa.Array.from_buffers(views.type, len(views), kept, views.null_count, views.offset)
    return views.cast(_held(views.type))


def _holds_names(kind: pa.DataType) -> bool:
    """Whether values are lists of names; lists that are all empty have no other type than null."""
    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    names = (
        pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null, pa.types.is_temporal,
        pa.types.is_boolean,
    )  # fmt: skip
    return lists and any(is_one(kind.value_type) for is_one in names)


def _joined(lists: pa.Array) -> pa.Array:
    """A text for each list: the sign stands before each name, so that one name is a list too; a missing one is none."""
    names = lists.flatten()
    names = _without_views(names) if pa.types.is_string_view(names.type) else names.cast(pa.large_string())
    values = names.fill_null("")
    sizes = pc.list_value_length(lists).fill_null(0).to_numpy(zero_copy_only=False)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    sign, nothing = pa.scalar(BETWEEN, pa.large_string()), pa.scalar("", pa.large_string())
    texts = pc.binary_join(pa.LargeListArray.from_arrays(pa.array(starts, pa.int64()), values), sign)
    signed = pc.if_else(pa.array(sizes > 0), pc.binary_join_element_wise(sign, texts, nothing), nothing)
    return pc.if_else(lists.is_valid(), signed, None)


def _without_extension(column: pa.ChunkedArray, kind: Any) -> pa.ChunkedArray:
    """The values as they are stored; a UUID as people write it, and a boolean in a byte as a boolean."""
    stored = pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type)
    if kind.extension_name == "arrow.uuid":
        texts = [None if value is None else str(uuid.UUID(bytes=value)) for value in stored.to_pylist()]
        return pa.chunked_array([pa.array(texts, pa.large_string())])
    return stored.cast(pa.bool_()) if kind.extension_name == "arrow.bool8" else stored


def _check(column: pa.ChunkedArray, name: str, origin: Origin) -> None:
    """Refuses absurd decimals, dates beyond the calendar, and sparse rows in which a column or a value is missing."""
    kind = column.type
    if pa.types.is_decimal(kind) and abs(kind.scale) > MOST_PLACES:  # reading such a number can end the process
        raise DataError(
            f"{origin.source}, column {name!r}: decimal numbers with {kind.scale} places, and at most {MOST_PLACES} "
            "can be read. The file is damaged: write it again."
        )
    if _has_intervals(kind):
        raise DataError(
            f"{origin.source}, column {name!r}: values of type {kind} cannot be read. Write them as numbers, or leave "
            "the column out."
        )
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        whole = column.cast(pa.int32() if pa.types.is_date32(kind) else pa.int64())
        days = 1 if pa.types.is_date32(kind) else PER_DAY[getattr(kind, "unit", "ms")]
        away = 1 if getattr(kind, "tz", None) not in (None, "UTC") else 0  # elsewhere it may be the day before or after
        if away:
            _check_zone(kind, name, origin)
        what = "a date before the year 1 or after 9999"
        _check_days(whole, days, FIRST_DAY + away, LAST_DAY - away, what, name, origin)
    if pa.types.is_duration(kind):
        what = f"a duration of more than {MOST_DAYS:,} days"
        _check_days(column.cast(pa.int64()), PER_DAY[kind.unit], -MOST_DAYS, MOST_DAYS - 1, what, name, origin)
    if kind == SPARSE:
        array = one_array(column)
        entries = array.values
        if entries.null_count or any(entries.field(part).null_count for part in ("column", "value")):
            missing = pc.or_(entries.field("column").is_null(), entries.field("value").is_null())
            missing = pc.or_(missing, entries.is_null()).to_numpy(zero_copy_only=False)
            _refuse_missing(array, np.flatnonzero(missing), name, origin)


def _has_intervals(kind: pa.DataType) -> bool:
    """Whether values are intervals of which Arrow for Python knows the type alone, or hold some."""
    inner = (kind.field(number).type for number in range(kind.num_fields))
    return str(kind) in ("month_interval", "day_time_interval") or any(map(_has_intervals, inner))


def _check_zone(kind: pa.DataType, name: str, origin: Origin) -> None:
    try:
        pa.scalar(0, kind).as_py()
    except (pa.ArrowException, ValueError, LookupError, OSError):
        raise DataError(
            f"{origin.source}, column {name!r}: the time zone {kind.tz!r} is not known here. Write the times in UTC."
        ) from None


def _check_days(whole: pa.ChunkedArray, days: int, first: int, last: int, what: str, name: str, origin: Origin) -> None:
    """Refuses the first value outside of these days, of which each has so many units."""
    ends = pc.min_max(whole).as_py()
    if ends["min"] is None or (ends["min"] // days >= first and ends["max"] // days <= last):
        return
    place = next(k for k, v in enumerate(whole.to_pylist()) if v and not first <= v // days <= last)
    raise DataError(f"{origin.of(place)}, column {name!r}: {what}. Mend it, or leave it out.")


def _refuse_missing(array: pa.Array, places: np.ndarray, name: str, origin: Origin) -> None:
    """Refuses the first row that has one of these entries; Arrow may hold some that belong to no row."""
    starts = array.offsets.to_numpy()
    for place in places.tolist():
        row = int(np.searchsorted(starts, place, side="right")) - 1
        if 0 <= row < len(array) and array.is_valid()[row].as_py():
            raise DataError(
                f"{origin.of(row)}, column {name!r}: an entry without its column or its value. Fill it in, or leave "
                "the entry out."
            )
