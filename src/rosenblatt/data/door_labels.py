"""What a y may be: one label for each row, all text or all whole numbers (True and False are numbers here)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.door_columns import first_of, is_missing, is_number, one_array, unmasked
from rosenblatt.errors import DataError

NO_NUMBER = ("nan", "NaN", "NAN")  # NumPy writes a missing label so when it makes text of the others
UNKNOWN = "Unknown label type: classes are text, whole numbers, or True and False, and"


class Labels(NamedTuple):
    """One label for each row, and whether they were given as a column: a table of one."""

    values: np.ndarray  # bool, whole numbers of any type, or text
    was_column: bool


def read_labels(y: Any, n_rows: int | None = None) -> Labels:
    """The labels y, of which there must be `n_rows`; DataError says what is wrong with any other y."""
    if y is None:
        raise DataError("fitting requires y to be passed, but the target y is None. Give one label for each row.")
    given = _as_array(y)
    was_column = given.ndim == 2 and given.shape[1] == 1
    if was_column:
        given = given[:, 0]
    if given.ndim != 1:
        what = f"an array of shape {given.shape}" if given.ndim else f"a {type(y).__name__}"
        raise DataError(f"y should be a 1d array, got {what} instead. Give one label for each row.")
    values = _checked(given)
    if n_rows is not None and len(values) != n_rows:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows and y {len(values)} "
            "labels. Give one label for each row."
        )
    return Labels(values, was_column)


def two_classes(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The classes in sorted order and the number of each row's class; DataError where there are fewer than two."""
    classes, truth = np.unique(values, return_inverse=True)
    check_two(classes, len(values))
    return classes, truth.astype(np.int32)


def all_classes(values: np.ndarray, named: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """As `two_classes`, for labels that need not show every class: `named` holds all of them.

    Where none are named, the other class of a single number is the number with the opposite sign.
    """
    found = np.unique(values)
    if named is not None:
        classes = np.unique(read_labels(named).values)
        check_two(classes, len(classes))
    elif len(found) == 1 and found.dtype.kind in "iuf" and found[0] != 0:
        label = int(found[0])
        classes = np.array(sorted((-label, label)))
    else:
        classes = found
        check_two(classes, len(values), ", or name all classes with classes=[...]")
    return classes, numbers_in(classes, values, "named")


def numbers_in(classes: np.ndarray, values: np.ndarray, known_as: str = "learned") -> np.ndarray:
    """The number of each label's class in the sorted classes; DataError where one of them is not there."""
    known = (classes.dtype.kind in "biuf") == (values.dtype.kind in "biuf")  # text and numbers have no order
    truth = np.minimum(np.searchsorted(classes, values), len(classes) - 1) if known else np.zeros(len(values), int)
    if not known or not np.array_equal(classes[truth], values):
        new = np.setdiff1d(values, classes) if known else np.unique(values)
        raise DataError(
            f"y holds labels that were not {known_as}: {new[:5].tolist()}. Known are {classes[:20].tolist()}."
        )
    return truth.astype(np.int32)


def check_two(classes: np.ndarray, n_rows: int, hint: str = "") -> None:
    """DataError unless there are two classes or more to tell apart."""
    if len(classes) < 2:
        name = repr(classes.tolist()[0]) if len(classes) else "none"
        raise DataError(
            f"y holds one class only: all {n_rows} rows have the label {name}. Give rows of two classes{hint}."
        )


def _as_array(y: Any) -> np.ndarray:
    """The labels as an array that holds them as they are: NumPy would turn 1 beside "a" into text."""
    if isinstance(y, np.matrix):
        raise DataError("y is an np.matrix, which NumPy advises against. Use np.asarray(y).")
    if isinstance(y, np.ma.MaskedArray):
        return unmasked(y)
    if isinstance(y, list | tuple):
        return _from_list(list(y))
    root = type(y).__module__.partition(".")[0]
    if root == "polars" and hasattr(y, "to_arrow"):
        y, root = y.to_arrow(), "pyarrow"
    if root == "pyarrow":
        if hasattr(y, "column_names"):
            return np.column_stack([_from_arrow(column) for column in y.columns]) if y.columns else np.empty((0, 0))
        return _from_arrow(y)
    if root == "pandas" and hasattr(y, "to_numpy"):
        return np.asarray(y.to_numpy())
    if isinstance(y, str | bytes | dict | set | frozenset) or not (hasattr(y, "__array__") or hasattr(y, "__len__")):
        return np.asarray(None)  # of no dimension
    return np.asarray(y)


def _from_arrow(column: Any) -> np.ndarray:
    import pyarrow as pa

    array = one_array(column)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if array.null_count or pa.types.is_nested(array.type):
        return _objects(array.to_pylist())
    return np.asarray(array.to_numpy(zero_copy_only=False))


def _from_list(values: list[Any]) -> np.ndarray:
    kinds = set(map(type, values))
    if kinds <= {int, bool}:
        whole = np.asarray(values)
        return whole if whole.dtype.kind in "biu" else _objects(values)  # NumPy rounds 2**63 beside -1
    if len(kinds) == 1 and kinds <= {str, float}:
        return np.asarray(values)
    if kinds & {list, tuple, np.ndarray}:
        if all(isinstance(value, list | tuple | np.ndarray) and np.shape(value) == (1,) for value in values):
            return _from_list([value[0] for value in values])[:, None]
        return np.empty((len(values), max(len(np.atleast_1d(np.asarray(v, object))) for v in values)))
    return _objects(values)


def _objects(values: list[Any]) -> np.ndarray:
    found = np.empty(len(values), object)
    found[:] = values
    return found


def _checked(values: np.ndarray) -> np.ndarray:
    """The labels, if all are there and of one kind."""
    kind = values.dtype.kind
    if kind in "biu":  # looking at them takes as long as a pass, and there is nothing to see
        return values
    if kind == "f":
        return _whole(values)
    if kind in "UT":
        for spelt in NO_NUMBER:
            _refuse_missing(values, values == spelt)
        return values if kind == "U" else values.astype(object)
    if kind == "O":
        return _of_objects(values)
    raise DataError(f"{UNKNOWN} y holds values of type {values.dtype}. Convert them.")


def _whole(values: np.ndarray) -> np.ndarray:
    _refuse_missing(values, np.isnan(values))
    wrong = ~np.isfinite(values) | (values != np.floor(values))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise _fraction(values[row], row)
    return values


def _fraction(value: Any, row: int) -> DataError:
    return DataError(
        f"{UNKNOWN} y holds {value} in row {row}, which is no whole number. Give classes, or cut the numbers into "
        "ranges."
    )


def _of_objects(values: np.ndarray) -> np.ndarray:
    given = values.tolist()
    _refuse_missing(values, np.array([is_missing(value) or value in NO_NUMBER for value in map(_or_none, given)], bool))
    text = first_of(given, lambda value: isinstance(value, str))
    number = first_of(given, is_number)
    odd = first_of(given, lambda value: not (isinstance(value, str) or is_number(value)))
    if odd is not None:
        raise DataError(f"{UNKNOWN} y holds a {type(given[odd]).__name__} in row {odd}. Convert it.")
    if text is not None and number is not None:
        raise DataError(
            f"y mixes text ({given[text]!r}, row {text}) with numbers ({given[number]!r}, row {number}), and these "
            "have no order. Make them all text or all numbers."
        )
    return values if number is None else _whole_objects(given)


def _or_none(value: Any) -> Any:
    """What can be compared with the spellings of no number; a label of another kind is looked at later."""
    return value if isinstance(value, str) or is_missing(value) else 0


def _whole_objects(given: list[Any]) -> np.ndarray:
    """Numbers that came as objects, in a type of numbers; as whole numbers of Python where none is large enough."""
    for row, value in enumerate(given):
        if value != value // 1:
            raise _fraction(value, row)
    kinds = {type(value) for value in given}
    if kinds <= {bool, np.bool_}:
        return np.array(given, bool)
    whole = [int(value) for value in given]
    found = np.asarray(whole)
    return found if found.dtype.kind in "iu" else _objects(whole)


def _refuse_missing(values: np.ndarray, gone: np.ndarray) -> None:
    if gone.any():
        row = int(np.flatnonzero(gone)[0])
        raise DataError(f"y has no label in row {row}: it contains {values[row]}. Fill it in, or leave the row out.")
