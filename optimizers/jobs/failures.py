"""From an exception to the catalog's Failure: the code a person can act on, never a trace or a path."""

from __future__ import annotations

import errno
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from optimizers.spec.errors import Failure, WhetstoneFailure, failure
from optimizers.spec.names import Stage
from optimizers.text import safe_message, safe_name

_NODE = re.compile(r"running (\w+) node\. Name:'(.*?)' Status Message: ?(.*)", re.S)
_NOT_IMPLEMENTED = re.compile(r"implementation for (\w+)\(\d+\) node with name '(.*?)'", re.S)
_OPENVINO_UNKNOWN = re.compile(
    r"(?:No conversion rule found for operations?|OpenVINO does not support the following "
    r"ONNX operations?|unsupported operations?)[:\s]+([\w.,:\- ]+)",
    re.I,
)
_MEMORY = re.compile(
    r"bad_alloc|allocate memory|out of memory|failed to allocate|can't allocate|could not allocate"
    r"|cannot allocate|vector::_M_default_append|exceeds? maximum object size|MemoryError"
    r"|buffer overflow on size"
    r"|Integer overflow",
    re.I,
)
_REQUESTED = re.compile(r"(?:requested buffer of size|size:?|allocate) (\d+)")
_SHAPE = re.compile(
    r"invalid dimensions for input|invalid rank for input|Incompatible dimensions|shape mismatch"
    r"|Attempting to broadcast|could not be broadcast|dimension mismatch|cannot be reshaped"
    r"|are not compatible",
    re.I,
)


@contextmanager
def library_errors(library: str, *, compiling: bool) -> Iterator[None]:
    """Inside, whatever an inference library raises becomes a WhetstoneFailure with a fitting code."""
    try:
        yield
    except (WhetstoneFailure, MemoryError, OSError):
        raise
    except Exception as error:
        raise WhetstoneLibraryFailure(from_library(str(error), library, compiling=compiling)) from error


class WhetstoneLibraryFailure(WhetstoneFailure):
    """A library's own exception, already translated."""

    def __init__(self, translated: Failure) -> None:
        self.failure = translated
        Exception.__init__(self, f"{translated.code}: {translated.message}")


def from_library(text: str, library: str, *, compiling: bool) -> Failure:
    """The failure behind an inference library's message."""
    node = _NODE.search(text)
    where = f" at {node[1]} node '{safe_name(node[2], 80)}'" if node else ""
    detail = {"operator": node[1], "node": safe_name(node[2])} if node else {}
    shown = safe_message(node[3] if node else text)
    if _MEMORY.search(text):
        return _memory_limit(text, library, where, detail)
    if missing := _NOT_IMPLEMENTED.search(text):
        message = f"{library} has no implementation of {missing[1]} (node '{safe_name(missing[2], 80)}')."
        return failure("UNSUPPORTED_OPERATOR", message, operator=missing[1], node=safe_name(missing[2]))
    if unknown := _OPENVINO_UNKNOWN.search(text):
        named = safe_name(unknown[1].strip(" .,-"), 120)
        return failure("UNSUPPORTED_OPERATOR", f"{library} does not implement {named}.", operator=named)
    if _SHAPE.search(text):
        return failure("INPUT_SHAPE_INVALID", f"{library}{where}: {shown}", **detail)
    code, verb = (
        ("COMPILE_ERROR", "could not compile the model") if compiling else ("RUNTIME_ERROR", "failed")
    )
    return failure(code, f"{library} {verb}{where}: {shown}", **detail)


def _memory_limit(text: str, library: str, where: str, detail: dict[str, str]) -> Failure:
    asked = _REQUESTED.search(text)
    size = f"; it asked for {int(asked[1]):,} bytes" if asked else ""
    facts: dict[str, Any] = {**detail, **({"bytes": int(asked[1])} if asked else {})}
    return failure("MEMORY_LIMIT", f"{library} could not get the memory it needs{where}{size}.", **facts)


def from_exception(error: BaseException, stage: str, hide: tuple[Path, ...]) -> Failure:
    """Any exception that reached the engine's edge, as the report's failure."""
    if isinstance(error, WhetstoneFailure):
        return error.failure
    if isinstance(error, MemoryError):
        return failure("MEMORY_LIMIT", f"The job needed more memory than its limit while in stage {stage}.")
    if isinstance(error, RecursionError):
        return failure("NESTING_TOO_DEEP")
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
        return failure("DISK_LIMIT")
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return failure("MEMORY_LIMIT")
    if isinstance(error, ModuleNotFoundError):
        return failure("BACKEND_MISSING", f"The engine's library '{error.name}' is not installed here.")
    if _MEMORY.search(str(error)) and stage != Stage.FETCH:
        return failure("MEMORY_LIMIT")
    shown = safe_message(str(error), hide)
    return failure("ENGINE_FAULT", f"The engine has a fault of its own ({type(error).__name__}): {shown}")


def trace_lines(error: BaseException) -> list[str]:
    """The trace for the job's log: function names and lines of code, file names without their folders."""
    return [
        f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)[-8:]
    ]
