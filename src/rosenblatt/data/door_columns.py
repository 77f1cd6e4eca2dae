"""One column of an X: numbers as NumPy has them, everything else as Arrow has it, and what a bad one is told.

None, NaN, NaT, pandas' NA and masked values are missing. A column that mixes text with numbers is refused: it is
neither a column of names nor one of numbers.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rosenblatt.errors import CellError, DataError

if TYPE_CHECKING:
    import pyarrow as pa

EXACT_UP_TO = 2**53  # every whole number to here is a float64
KEPT = (np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.uint8))  # types of numbers that loops read as they are
BLOCK = 1 << 20
COMPLEX = "Complex data not supported. Give the real and the imaginary part as two columns."


class Coded(NamedTuple):
    """A column as distinct values and, per row, the place of its value among them; -1 is missing."""

    codes: np.ndarray
    values: list[Any]


def read_column(given: Any, where: str, names: bool = False) -> np.ndarray | pa.Array | pa.ChunkedArray | Coded:
    """The column as an array of numbers, or as Arrow's array of anything else; `where` is how messages name it.

    names    whether every value may be a name; then values of any types stand beside each other, coded
    """
    if isinstance(given, np.ma.MaskedArray):
        given = unmasked(given)
    if hasattr(given, "sparse"):  # a pandas column that stores what is not zero
        given = np.asarray(given)
    kind = getattr(given, "dtype", None)
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        return np.asarray(given)
    if isinstance(kind, np.dtype) and kind.kind == "c":
        raise DataError(COMPLEX)
    import pyarrow as pa

    if isinstance(given, pa.Array | pa.ChunkedArray):
        return given
    try:
        found = given.to_arrow() if hasattr(given, "to_arrow") else pa.array(given, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return _code_one_by_one(list(given), where) if names else _of_objects(list(given), where)
    except UnicodeEncodeError as error:
        shown = ascii(error.object[max(0, error.start - 10) : error.start + 10])
        raise DataError(f"{where} holds half of a character, a lone surrogate: {shown}. Remove it.") from None
    return found


def unmasked(given: np.ma.MaskedArray) -> np.ndarray:
    """The array with its masked values missing."""
    if not np.ma.getmaskarray(given).any():
        return np.asarray(given.data)
    if given.dtype.kind in "biuf":
        wide = np.asarray(given.data).astype(np.promote_types(given.dtype, np.float32))
        return np.where(np.ma.getmaskarray(given), np.nan, wide)
    objects = np.asarray(given.data).astype(object)
    objects[np.ma.getmaskarray(given)] = None
    return objects


def _of_objects(values: list[Any], where: str) -> np.ndarray:
    """Numbers of kinds that Arrow does not put into one column, such as True beside 2, or 2**70."""
    text = first_of(values, lambda value: isinstance(value, str))
    number = first_of(values, is_number)
    odd = first_of(values, lambda value: not (isinstance(value, str) or is_number(value) or is_missing(value)))
    if odd is not None:
        raise _no_cell(where, values[odd], odd)
    if text is not None and number is not None:
        raise DataError(
            f"{where} mixes text ({_shown(values[text])}, row {text}) with numbers ({_shown(values[number])}, row "
            f"{number}). Make the column all text or all numbers."
        )
    return np.array([None if is_missing(value) else value for value in values], object)


def _code_one_by_one(values: list[Any], where: str) -> np.ndarray | Coded:
    """Values of kinds that Arrow does not mix, such as 1 beside "a"; as numbers, if all of them are."""
    if all(is_number(value) or is_missing(value) for value in values):
        return np.array([None if is_missing(value) else value for value in values], object)
    places: dict[Any, int] = {}
    codes = np.full(len(values), -1, np.int64)
    for row, value in enumerate(map(plain, values)):
        try:
            if isinstance(value, complex):
                raise TypeError
            codes[row] = -1 if value is None else places.setdefault(value, len(places))
        except TypeError:
            raise _no_cell(where, value, row) from None
    return Coded(codes, list(places))


def first_of(values: Sequence[Any], test: Any) -> int | None:
    """The place of the first value that passes the test."""
    return next((place for place, value in enumerate(values) if test(value)), None)


def is_missing(value: Any) -> bool:
    """True for None, NaN, NaT, a masked value and pandas' NA, which has no truth value when compared."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    return isinstance(value, float | np.floating | Decimal) and value != value


def is_number(value: Any) -> bool:
    """True for real numbers of any type that are not missing."""
    return isinstance(value, numbers.Real | Decimal | np.bool_) and not is_missing(value)


def numbers_of(column: Any, where: str, exact: bool) -> np.ndarray:
    """The column as uint8, float32 or float64, NaN where it is missing; DataError where it holds no numbers.

    exact    refuse what a float64 cannot hold, and give no float32: a proof speaks of the very numbers given
    """
    values = column if isinstance(column, np.ndarray) else _arrow_numbers(column, where)
    if values.dtype == object:
        return _object_numbers(values.tolist(), where, exact)
    if exact:
        check_exact(values, where)
    if (values.dtype == np.float32 and exact) or values.dtype not in KEPT:
        return values.astype(np.float64)
    return values


def check_exact(values: np.ndarray, where: str) -> None:
    """DataError where float64 would round a number: then a proof would be about other numbers."""
    if values.dtype.kind in "iu" and not fits(values):
        raise _inexact(where, int(values.min()) if -int(values.min()) > EXACT_UP_TO else int(values.max()))
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        lost = (values.astype(np.float64) != values) & (values == values)
        if lost.any():
            raise DataError(f"{where} holds {values.dtype} numbers that float64 cannot hold exactly. Round them first.")


def fits(values: np.ndarray) -> bool:
    """Whether a float64 holds each of these whole numbers."""
    if values.dtype.itemsize < 8 or not values.size:
        return True
    return int(values.max()) <= EXACT_UP_TO and -int(values.min()) <= EXACT_UP_TO


def _inexact(where: str, value: Any) -> DataError:
    return DataError(
        f"{where} holds whole numbers beyond 2^53 ({value}), which float64 cannot hold exactly, and a proof speaks of "
        "exact numbers. Subtract a constant from the column, or scale it."
    )


def _object_numbers(values: list[Any], where: str, exact: bool) -> np.ndarray:
    found = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        if is_missing(value):
            continue
        if not is_number(value):
            raise _no_number(where, value, row)
        if exact and isinstance(value, numbers.Integral) and abs(int(value)) > EXACT_UP_TO:
            raise _inexact(where, value)
        try:
            found[row] = float(value)
        except OverflowError:
            raise DataError(f"{where} holds a number beyond 1.8e308 in row {row}. Scale the column.") from None
        if exact and found[row] != value:
            raise DataError(f"{where} holds {value!r} in row {row}, which is not exactly a float64. Round it first.")
    return found


def _arrow_numbers(column: Any, where: str) -> np.ndarray:
    """Arrow's array as NumPy's: numbers, or objects that are numbers."""
    import pyarrow as pa

    array = one_array(column)
    kind = array.type
    if pa.types.is_dictionary(kind):
        array = array.dictionary_decode()
        kind = array.type
    if pa.types.is_boolean(kind):
        array, kind = array.cast(pa.uint8()), pa.uint8()
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return np.asarray(array.to_numpy(zero_copy_only=False))
    values = array.to_pylist()
    if pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return np.array([*values, None], object)[:-1]
    row = first_of(values, lambda value: not is_missing(value))
    if row is None:
        return np.full(len(values), np.nan)
    raise _no_number(where, values[row], row)


def _no_number(where: str, value: Any, row: int) -> DataError:
    if isinstance(value, dict | list | tuple | set):
        return _no_cell(where, value, row)
    return DataError(
        f"{where} holds {_shown(value)} in row {row}, which is no number. Convert it to a number, or names to 0/1 "
        "columns, first."
    )


def _no_cell(where: str, value: Any, row: int) -> DataError:
    if isinstance(value, complex | np.complexfloating):
        return DataError(COMPLEX)
    return CellError(
        f"{where} holds a {type(value).__name__} in row {row}, {_shown(value)}; an argument must be a string or a "
        "number there. Spread it over columns."
    )


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def one_array(column: Any) -> Any:
    """An Arrow array in one piece, without a copy if it is that already, and without a type of pandas around it."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        column = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
    return column.storage if isinstance(column, pa.ExtensionArray) else column


def coded(column: Any, where: str) -> np.ndarray | Coded:
    """The column as numbers in which NaN is missing, or as coded values where it holds anything else."""
    import pyarrow as pa

    if isinstance(column, Coded):
        return column
    if isinstance(column, np.ndarray):
        return _object_numbers(column.tolist(), where, False) if column.dtype == object else column
    array = one_array(column)
    kind = array.type
    if pa.types.is_nested(kind):
        row = next(iter(np.flatnonzero(array.is_valid().to_numpy(zero_copy_only=False))), 0)
        raise _no_number(where, array[int(row)].as_py(), int(row))
    if not pa.types.is_dictionary(kind):
        if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
            return _arrow_numbers(array, where)
        if pa.types.is_null(kind) or pa.types.is_decimal(kind):
            return _object_numbers(array.to_pylist(), where, False)
        array = array.dictionary_encode()
    indices = array.indices
    codes = (indices.fill_null(-1) if indices.null_count else indices).to_numpy(zero_copy_only=False)
    places: dict[Any, int] = {}
    new = [
        -1 if (value := plain(raw)) is None else places.setdefault(value, len(places))
        for raw in array.dictionary.to_pylist()
    ]
    return Coded(np.array([*new, -1], np.int32)[codes], list(places))  # code -1 reads the last, which is -1


def plain(value: Any) -> Any:
    """The value as Python's own: 1.0 and True become 1, missing ones become None."""
    if type(value) is str:
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if is_missing(value):
        return None
    if isinstance(value, bool | float) and math.isfinite(value) and value == int(value):
        return int(value)
    return value


def check_finite_values(values: np.ndarray, column: int | None, missing: bool) -> None:
    """DataError at the first value of an array, or of one column, that is infinite, or NaN unless it may be missing."""
    if values.dtype.kind != "f":
        return
    step = max(1, BLOCK // max(1, values.shape[-1])) if values.ndim == 2 else BLOCK
    for start in range(0, len(values), step):
        place = first_wrong(values[start : start + step], missing)
        if place is not None:
            row = start + place[0]
            raise not_finite(values[row, *place[1:]], row, place[1] if column is None else column)


def first_wrong(values: np.ndarray, missing: bool) -> tuple[int, ...] | None:
    """The place of the first value that cannot be used; NaN can, where values may be missing."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):  # then all are, and nothing as large as the values had to be made to see it
            return None
    wrong = np.isinf(values) if missing else ~np.isfinite(values)
    return tuple(map(int, np.argwhere(wrong)[0])) if wrong.any() else None


def not_finite(value: float, row: int, column: int) -> DataError:
    """What everybody says of a value that cannot be used."""
    what = "NaN" if np.isnan(value) else "infinity"
    return DataError(
        f"Input X contains {what} in row {row}, column {column}. Fill in or drop missing values first; "
        f"infinite ones cannot be scored."
    )
