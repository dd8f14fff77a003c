"""External data: where a tensor's bytes may lie, and that they are there. Nothing is opened here.

Refused: a path that leaves the model's folder in any spelling, a link of either kind on the way, anything
but a plain file, keys that ONNX does not define, and ranges that the file or the shape does not have.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from optimizers.formats.onnx.facts import TensorFacts
from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_name

KEYS = {"location", "offset", "length", "checksum"}
MAX_LISTED = 10
_DRIVE = re.compile(r"^[A-Za-z]:")


def check_external(tensors: Iterable[TensorFacts], folder: Path) -> set[str]:
    """The data files' names, relative to `folder`, after every check; raises the first fault.

    Missing files are collected, so that one message names all that must be uploaded.
    """
    used: set[str] = set()
    missing: dict[str, None] = {}
    for tensor in tensors:
        if not tensor.is_external:
            if tensor.external:
                raise _fault("EXTERNAL_DATA_KEY", tensor, "has external data keys but keeps its data inside")
            continue
        location, offset, length = _entry(tensor)
        size = _plain_file_size(folder, location, tensor)
        if size is None:
            missing[location] = None
            continue
        _range(tensor, size, offset, length)
        used.add(location)
    if missing:
        names = ", ".join(safe_name(name, 80) for name in list(missing)[:MAX_LISTED])
        message = f"The model's external data was not uploaded: {names}."
        raise WhetstoneFailure("EXTERNAL_DATA_MISSING", message, names=names, count=len(missing))
    return used


def _fault(code: str, tensor: TensorFacts, problem: str) -> WhetstoneFailure:
    return WhetstoneFailure(code, f"Tensor '{safe_name(tensor.name, 80)}' {problem}.")


def _entry(tensor: TensorFacts) -> tuple[str, int, int | None]:
    keys = [key for key, _ in tensor.external]
    for key in keys:
        if key not in KEYS:
            raise _fault(
                "EXTERNAL_DATA_KEY", tensor, f"has the unknown external data key '{safe_name(key, 60)}'"
            )
    if len(set(keys)) != len(keys):
        raise _fault("EXTERNAL_DATA_KEY", tensor, "gives an external data key twice")
    values = dict(tensor.external)
    location = values.get("location", "")
    _check_location(location, tensor)
    offset = _number(values.get("offset", "0"), tensor)
    length = _number(values["length"], tensor) if "length" in values else None
    return location, offset, length


def _number(value: str, tensor: TensorFacts) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", value):
        raise _fault("DATA_RANGE", tensor, "has an offset or length that is no number")
    return int(value)


def _check_location(location: str, tensor: TensorFacts) -> None:
    parts = location.split("/")
    bad = (
        not location
        or "\0" in location
        or "\\" in location
        or "_ORT_MEM_ADDR_" in location
        or _DRIVE.match(location)
        or any(part in ("", ".", "..") for part in parts)
        or len(location) > 1000
    )
    if bad:
        raise _fault("EXTERNAL_DATA_PATH", tensor, f"points to '{safe_name(location, 80)}'")


def _plain_file_size(folder: Path, location: str, tensor: TensorFacts) -> int | None:
    """Bytes in the file, None where it is missing. Looks at each step of the path without following links."""
    at = folder
    parts = location.split("/")
    for index, part in enumerate(parts):
        at = at / part
        try:
            found = os.lstat(at)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError):
            raise _fault("EXTERNAL_DATA_PATH", tensor, "has a path that cannot be used") from None
        if stat.S_ISLNK(found.st_mode):
            raise _fault("EXTERNAL_DATA_PATH", tensor, "reaches its data through a symbolic link")
        if index < len(parts) - 1:
            continue
        if not stat.S_ISREG(found.st_mode):
            raise _fault("EXTERNAL_DATA_NOT_FILE", tensor, "has data that is no plain file")
        if found.st_nlink > 1:
            raise _fault("ARCHIVE_LINK", tensor, "has a data file with more than one name (a hard link)")
        return found.st_size
    return None


def _range(tensor: TensorFacts, size: int, offset: int, length: int | None) -> None:
    wants = tensor.size_bytes
    if length is not None and length != wants:
        raise _fault(
            "DATA_SIZE_MISMATCH", tensor, f"has {length:,} bytes of external data; its shape needs {wants:,}"
        )
    if offset + wants > size:
        raise _fault(
            "DATA_RANGE", tensor, f"needs bytes up to {offset + wants:,} of a data file with {size:,}"
        )
