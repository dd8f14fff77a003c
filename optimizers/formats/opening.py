"""From an uploaded file to a checked ONNX model: detect, unpack where needed, check."""

from __future__ import annotations

from pathlib import Path

from optimizers.formats.archive import unpack_model
from optimizers.formats.detect import detect, refuse_unless_openable
from optimizers.formats.onnx.model import CheckedModel, check_statically
from optimizers.spec.errors import WhetstoneFailure

UNPACKED = "unpacked"


def open_model(path: Path, scratch: Path, limit_bytes: int) -> CheckedModel:
    """Check the file on its bytes alone; an archive is unpacked into `scratch/unpacked`.

    `limit_bytes` bounds what an archive may expand to. Raises WhetstoneFailure with a file's code.
    """
    if not path.is_file():
        raise WhetstoneFailure(
            "EXTERNAL_DATA_NOT_FILE" if path.exists() else "NOT_A_MODEL", "There is no such file."
        )
    kind = detect(path)
    refuse_unless_openable(kind)
    if kind.kind in ("zip", "tar"):
        path = unpack_model(path, kind, scratch / UNPACKED, limit_bytes)
        inner = detect(path)
        refuse_unless_openable(inner)
        if inner.kind != "onnx":
            raise WhetstoneFailure("ARCHIVE_UNSUPPORTED", "The archive has another archive inside.")
    return check_statically(path)


def unpacked_model(path: Path, scratch: Path) -> Path:
    """The model file again in a later process, after `open_model` left it there."""
    folder = scratch / UNPACKED
    if not folder.is_dir():
        return path
    return next(found for found in sorted(folder.rglob("*")) if found.suffix.lower() == ".onnx")
