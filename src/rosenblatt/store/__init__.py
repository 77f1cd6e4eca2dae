"""The .rosenblatt file: one model, written whole or not at all, checked when it is read, and no code in it.

It is a safetensors file. Arrays are its tensors; the rest is JSON in its metadata under "rosenblatt", after a line
with the SHA-256 of both. (One entry, because safetensors writes several in no fixed order.)

contents   a model as plain values and arrays, and back
records    the training rows of a recorded model and its list of updates
arrays     long lists as arrays
checks     what a plan from a file must fulfil
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.model import Model
from rosenblatt.store.contents import FORMAT, from_contents, to_contents
from rosenblatt.writing import write_whole

__all__ = ["FORMAT", "load", "save", "to_bytes"]

MOST_HEADER = 1 << 25  # bytes; a plan of 100,000 columns of numbers has about 15 MB
MOST_TENSORS = 50_000


def save(model: Model, path: str | Path) -> None:
    """Writes the model to a file; the file that was there stays as it was if anything fails."""
    write_whole(path, to_bytes(model))


def to_bytes(model: Model) -> bytes:
    """What a model file holds."""
    from safetensors.numpy import save as pack

    plain, tensors = to_contents(model)
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    packed: bytes = pack(tensors, {"rosenblatt": f"{checksum(text, tensors)}\n{text}"})
    return packed


def load(path: str | Path) -> Model:
    """The model in the file, exactly as it was saved. DataError says what is wrong with a file that holds none."""
    given, text, tensors = _unpacked(path)
    try:
        plain = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
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
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise _no_model(path, f"{type(error).__name__}: {error}") from None


def _unpacked(path: str | Path) -> tuple[str, str, dict[str, np.ndarray]]:
    from safetensors import SafetensorError, safe_open

    if Path(path).is_dir():
        raise DataError(f"{path}: this is a folder. Name the model file in it.")
    try:
        _refuse_large_header(path)
        with safe_open(str(path), framework="np") as opened:
            about = opened.metadata() or {}
            if "rosenblatt" not in about:
                raise _no_model(path, "it is a safetensors file of something else")
            names = list(opened.keys())
            if len(names) > MOST_TENSORS:
                raise _no_model(path, f"it holds {len(names)} arrays")
            given, _, text = about["rosenblatt"].partition("\n")
            return given, text, {name: opened.get_tensor(name) for name in names}
    except FileNotFoundError:
        raise DataError(f"{path}: no such file. Name a model that `rosenblatt train` wrote.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}). Check the file.") from None
    except (SafetensorError, TypeError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise _no_model(path, str(error)) from None


def _refuse_large_header(path: str | Path) -> None:
    """A header is read as a whole and unpacked into many times its size, so it is looked at first."""
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
    if size > MOST_HEADER:
        raise _no_model(path, f"its header would have {size} bytes")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name comes twice")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def checksum(text: str, tensors: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of the JSON and of the tensors with their names, types and shapes, in the order of the names."""
    found = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        array: Any = np.ascontiguousarray(tensors[name])
        found.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        found.update(array.data if array.size else b"")
    return found.hexdigest()


def _no_model(path: str | Path, why: str) -> DataError:
    return DataError(
        f"{path}: not a model file ({' '.join(why.split())[:120]}). Name a file that `rosenblatt train` wrote."
    )
