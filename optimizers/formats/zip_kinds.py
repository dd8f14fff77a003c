"""Zip files that are a model format of their own, told by their members' names alone."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from optimizers.formats.pickles import pickle_globals
from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_name

if TYPE_CHECKING:
    from optimizers.formats.detect import FileKind

_PICKLE_READ = 1 << 20
_STATE_DICT_MODULES = ("torch", "collections")


def zip_kind(path: Path) -> FileKind | None:
    """The format that the zip is, or None for an archive of plain files."""
    from optimizers.formats.detect import FileKind

    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()[:10_000]
            if any(name.endswith("/data.pkl") or name == "data.pkl" for name in names):
                return _torch(archive, names)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None  # the archive's own checks will say what is wrong
    plain = {name.rsplit("/", 1)[-1] for name in names}
    if any(name.endswith(".so") for name in names) and "archive_format" in plain:
        return FileKind("pt2", "a torch package with native code", "NATIVE_CODE_REFUSED")
    if "archive_format" in plain or "serialized_exported_program.json" in plain:
        return FileKind("pt2", "a torch.export package (.pt2)", "UNSUPPORTED_FORMAT")
    if {"config.json", "metadata.json"} <= plain and any(name.endswith(".weights.h5") for name in names):
        return FileKind("keras", "a Keras model (.keras)", "UNSUPPORTED_FORMAT")
    if "saved_model.pb" in plain:
        return FileKind("saved-model", "a TensorFlow SavedModel", "UNSUPPORTED_FORMAT")
    if names and all(name.endswith(".npy") for name in names):
        return FileKind("npz", "a NumPy archive (.npz)", "NOT_A_MODEL")
    return None


def _torch(archive: zipfile.ZipFile, names: list[str]) -> FileKind:
    from optimizers.formats.detect import FileKind

    if any("/code/" in name for name in names):
        return FileKind("torchscript", "a TorchScript archive", "UNSUPPORTED_FORMAT")
    member = next(name for name in names if name.endswith("data.pkl"))
    with archive.open(member) as stream:
        used = pickle_globals(stream.read(_PICKLE_READ))
    unsafe = [name for name in used if not name.startswith(tuple(f"{m}." for m in _STATE_DICT_MODULES))]
    if unsafe:
        shown = ", ".join(safe_name(name, 60) for name in unsafe[:5])
        raise WhetstoneFailure("UNSAFE_PICKLE", f"The file holds a pickle that would run code: {shown}.")
    return FileKind("torch-weights", "a PyTorch checkpoint", "WEIGHTS_ONLY_NO_GRAPH")
