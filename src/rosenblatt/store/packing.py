"""Arrays and plain values as the bytes of one safetensors file, with a checksum over both.

Arrays are its tensors; the rest is JSON in its metadata under "rosenblatt", after a line with the SHA-256 of both. (One
entry, because safetensors writes several in no fixed order.)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.errors import DataError


def packed(plain: Any, tensors: Mapping[str, np.ndarray], allow_nan: bool = False) -> bytes:
    """The bytes of the file; they depend on what is given alone."""
    from safetensors.numpy import save

    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    text = json.dumps(plain, ensure_ascii=False, allow_nan=allow_nan, separators=(",", ":"))
    made: bytes = save(arrays, {"rosenblatt": f"{checksum(text, arrays)}\n{text}"})
    return made


def unpacked(path: str | Path, refusal: Callable[[str], DataError]) -> tuple[str, str, dict[str, np.ndarray]]:
    """The checksum that the file names, its JSON and its arrays; what is wrong with it goes to the refusal."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="np") as opened:
            about = opened.metadata() or {}
            if "rosenblatt" not in about:
                raise refusal("it is a safetensors file of something else")
            names = list(opened.keys())
            given, _, text = about["rosenblatt"].partition("\n")
            return given, text, {name: opened.get_tensor(name) for name in names}
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}). Check the file.") from None
    except (SafetensorError, TypeError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise refusal(str(error)) from None


def checksum(text: str, tensors: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of the JSON and of the tensors with their names, types and shapes, in the order of the names."""
    found = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        array: Any = np.ascontiguousarray(tensors[name])
        found.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        found.update(array.data if array.size else b"")
    return found.hexdigest()
