"""The .rosenblatt file: one model, written whole or not at all, checked when it is read, and no code in it.

contents     a model as plain values and arrays, and back
weights      those of a perceptron
counted      the counts of naive Bayes
records      the training rows of a recorded model and its list of updates
calibrations how scores become probabilities and sets
curved       the support rows of a kernel
votes        the rows and updates that voted weights are made of
arrays       long lists as arrays
packing      plain values and arrays as the bytes of one file, with a checksum
checkpoints  the state of the runs of a job, to go on from
"""

from __future__ import annotations

from pathlib import Path

from rosenblatt.claims import Misfit
from rosenblatt.errors import DataError, SettingError
from rosenblatt.model import Model
from rosenblatt.store.contents import FORMAT, from_contents, to_contents
from rosenblatt.store.packing import checksum, packed, plain_values, unpacked
from rosenblatt.writing import write_whole

__all__ = ["FORMAT", "load", "save", "to_bytes"]


def save(model: Model, path: str | Path) -> None:
    """Writes the model to a file; the file that was there stays as it was if anything fails."""
    if not isinstance(model, Model):
        hint = " Keep an estimator with joblib, as those of scikit-learn." if hasattr(model, "get_params") else ""
        raise SettingError(f"save takes a model that train returned; got a value of type {type(model).__name__}.{hint}")
    write_whole(path, to_bytes(model))


def to_bytes(model: Model) -> bytes:
    """What a model file holds."""
    return packed(*to_contents(model))


def load(path: str | Path) -> Model:
    """The model in the file, exactly as it was saved. DataError says what is wrong with a file that holds none."""
    if Path(path).is_dir():
        raise DataError(f"{path}: this is a folder. Name the model file in it.")
    try:
        given, text, tensors = unpacked(path, lambda why: _no_model(path, why))
    except FileNotFoundError:
        raise DataError(f"{path}: no such file. Name a model that `rosenblatt train` wrote.") from None
    try:
        plain = plain_values(text)
    except ValueError:
        raise _no_model(path, "its description is no plain JSON") from None
    version = plain.get("format") if isinstance(plain, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _no_model(path, "it names no format")
    if version > FORMAT:
        raise DataError(
            f"{path}: the model has format {version}, and this version of rosenblatt reads formats up to {FORMAT}. "
            "Install a newer rosenblatt."
        )
    if checksum(text, tensors) != given:
        raise DataError(f"{path}: the model file is damaged: its checksum does not fit. Copy it again, or train again.")
    try:
        return from_contents(plain, tensors)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    except Misfit as error:
        raise DataError(f"{path}: {error}. Train the model again.") from None
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise _no_model(path, f"{type(error).__name__}: {error}") from None


def _no_model(path: str | Path, why: str) -> DataError:
    return DataError(
        f"{path}: not a model file ({' '.join(why.split())[:120]}). Name a file that `rosenblatt train` wrote."
    )
