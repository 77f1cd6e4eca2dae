"""Arrays and plain values as the bytes of one safetensors file, with a checksum over both.

Arrays are its tensors; the rest is JSON in its metadata under "rosenblatt", after a line with the SHA-256 of both. (One
entry, because safetensors writes several in no fixed order.)
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.strict_json import read_strictly

MOST_HEADER = 1 << 25  # bytes; a plan of 100,000 columns of numbers has about 15 MB
MOST_TENSORS = 50_000
HALF = re.compile(r"\\u[dD][89a-fA-F]")  # of a character, alone or with the other half beside it


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
        _refuse_large_header(path, refusal)
        with safe_open(str(path), framework="np") as opened:
            about = opened.metadata() or {}
            if "rosenblatt" not in about:
                raise refusal("it is a safetensors file of something else")
            names = list(opened.keys())
            if len(names) > MOST_TENSORS:
                raise refusal(f"it holds {len(names)} arrays")
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


def _refuse_large_header(path: str | Path, refusal: Callable[[str], DataError]) -> None:
    """A header is read as a whole and unpacked into many times its size, so it is looked at first."""
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > os.fstat(file.fileno()).st_size - 8:
            raise refusal("it begins in another way, or is cut short")
    if size > MOST_HEADER:
        raise refusal(f"its description takes {size >> 20} MB; {MOST_HEADER >> 20} are the most")


def plain_values(text: str) -> Any:
    """What the JSON says; ValueError where it is none that means one thing only, or holds half a character."""
    value = read_strictly(text)
    if HALF.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("it holds half a character") from None
    return value


def checksum(text: str, tensors: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of the JSON and of the tensors with their names, types and shapes, in the order of the names."""
    found = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        array: Any = np.ascontiguousarray(tensors[name])
        found.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        found.update(array.data if array.size else b"")
    return found.hexdigest()
