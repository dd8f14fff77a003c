"""What a file is, from its bytes alone. A name proves nothing, so none is asked for.

Only `onnx`, `zip` and `tar` go on to be opened; every other type ends here with its code.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass
from pathlib import Path

from optimizers.formats.pickles import looks_like_pickle, looks_like_zlib_pickle
from optimizers.formats.zip_kinds import zip_kind
from optimizers.spec.errors import WhetstoneFailure

HEAD = 1 << 16


@dataclass(frozen=True)
class FileKind:
    """`title` completes "This looks like ...". `code` is empty for what can be opened."""

    kind: str
    title: str
    code: str = ""


ONNX = FileKind("onnx", "an ONNX model")
ZIP = FileKind("zip", "a zip archive")
TAR = FileKind("tar", "a tar archive")

_MAGIC: tuple[tuple[int, bytes, FileKind], ...] = (
    (0, b"\x89HDF\r\n\x1a\n", FileKind("hdf5", "an HDF5 file (Keras .h5)", "UNSUPPORTED_FORMAT")),
    (4, b"TFL3", FileKind("tflite", "a TensorFlow Lite model", "UNSUPPORTED_FORMAT")),
    (4, b"ORTM", FileKind("ort", "an ONNX Runtime .ort model", "UNSUPPORTED_FORMAT")),
    (0, b"GGUF", FileKind("gguf", "a GGUF model", "UNSUPPORTED_FORMAT")),
    (0, b"7767517", FileKind("ncnn", "an ncnn model", "UNSUPPORTED_FORMAT")),
    (0, b"7z\xbc\xaf\x27\x1c", FileKind("7z", "a 7z archive", "ARCHIVE_UNSUPPORTED")),
    (0, b"Rar!\x1a\x07", FileKind("rar", "a RAR archive", "ARCHIVE_UNSUPPORTED")),
    (0, b"\x1f\x8b", FileKind("gzip", "a gzip file", "ARCHIVE_UNSUPPORTED")),
    (0, b"BZh", FileKind("bzip2", "a bzip2 file", "ARCHIVE_UNSUPPORTED")),
    (0, b"\xfd7zXZ\x00", FileKind("xz", "an xz file", "ARCHIVE_UNSUPPORTED")),
    (0, b"\x28\xb5\x2f\xfd", FileKind("zstd", "a zstd file", "ARCHIVE_UNSUPPORTED")),
    (0, b"\x7fELF", FileKind("elf", "a Linux program or library", "NOT_A_MODEL")),
    (0, b"MZ", FileKind("exe", "a Windows program or library", "NOT_A_MODEL")),
    (0, b"\x89PNG\r\n\x1a\n", FileKind("png", "a PNG image", "NOT_A_MODEL")),
    (0, b"\xff\xd8\xff", FileKind("jpeg", "a JPEG image", "NOT_A_MODEL")),
    (0, b"%PDF-", FileKind("pdf", "a PDF document", "NOT_A_MODEL")),
    (0, b"SQLite format 3\0", FileKind("sqlite", "an SQLite database", "NOT_A_MODEL")),
)
_TEXT: tuple[tuple[bytes, FileKind], ...] = (
    (rb"^\s*(<!doctype\s+html|<html|<head)", FileKind("html", "an HTML page", "NOT_A_MODEL")),
    (rb"<net\s[^>]*version=", FileKind("openvino-xml", "an OpenVINO model (.xml)", "UNSUPPORTED_FORMAT")),
    (rb"^\s*<(\?xml|\w)", FileKind("xml", "an XML document", "NOT_A_MODEL")),
    (rb"^tree\r?\nversion=", FileKind("lightgbm", "a LightGBM model", "UNSUPPORTED_FORMAT")),
    (rb"^\s*\{.{0,9}\"learner\"", FileKind("xgboost", "an XGBoost model", "UNSUPPORTED_FORMAT")),
    (rb"^\{L.{0,9}learner\{", FileKind("xgboost", "an XGBoost model", "UNSUPPORTED_FORMAT")),
    (rb"^\s*\{\s*\"nodes\"\s*:", FileKind("mxnet", "an MXNet symbol file", "UNSUPPORTED_FORMAT")),
)
_PICKLE = FileKind("pickle", "a Python pickle", "UNSAFE_FORMAT")


def detect(path: Path) -> FileKind:
    """The file's kind; raises EMPTY_FILE, LFS_POINTER or MALFORMED_SAFETENSORS where that is the answer."""
    size = path.stat().st_size
    if size == 0:
        raise WhetstoneFailure("EMPTY_FILE")
    with path.open("rb") as stream:
        head = stream.read(HEAD)
        stream.seek(max(0, size - HEAD))
        tail = stream.read(HEAD)
    if head.startswith(b"version https://git-lfs.github.com/spec/"):
        raise WhetstoneFailure("LFS_POINTER")
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06") or b"PK\x05\x06" in tail[-4096:]:
        return zip_kind(path) or ZIP
    if head[257:262] == b"ustar":
        return TAR
    return _by_magic(head) or _numpy(head) or _safetensors(head, size) or _by_structure(head, size)


def refuse_unless_openable(kind: FileKind) -> None:
    """Raise the code of a kind that is not opened, saying what the file looks like."""
    if kind.code:
        raise WhetstoneFailure(
            kind.code, f"This looks like {kind.title}{_TAIL.get(kind.code, '.')}", kind=kind.kind
        )


_TAIL = {
    "NOT_A_MODEL": ", not a model in a known format.",
    "UNSUPPORTED_FORMAT": ", which cannot be read yet.",
    "UNSAFE_FORMAT": ", a format that runs code when it is opened.",
    "UNSAFE_PICKLE": ", which holds a pickle that would run code.",
    "WEIGHTS_ONLY_NO_GRAPH": ": weights without a graph.",
    "ARCHIVE_UNSUPPORTED": ", which is not unpacked here.",
}


def _by_magic(head: bytes) -> FileKind | None:
    for offset, magic, kind in _MAGIC:
        if head[offset : offset + len(magic)] == magic:
            return kind
    return None


def _by_structure(head: bytes, size: int) -> FileKind:
    for pattern, kind in _TEXT:
        if re.search(pattern, head[:2048], re.IGNORECASE | re.DOTALL):
            return kind
    if _is_saved_model(head):
        return FileKind("saved-model", "a TensorFlow SavedModel", "UNSUPPORTED_FORMAT")
    if looks_like_pickle(head, complete=size <= len(head)) or looks_like_zlib_pickle(head):
        return _PICKLE
    if _is_text(head):
        return FileKind("text", "a text file", "NOT_A_MODEL")
    return ONNX  # the protobuf walk says NOT_A_MODEL where the bytes are none


def _is_text(head: bytes) -> bool:
    sample = head[:512]
    printable = sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in sample)
    return printable == len(sample)


def _is_saved_model(head: bytes) -> bool:
    """saved_model_schema_version = 1, then a MetaGraphDef that begins with its meta_info_def."""
    if head[:3] != b"\x08\x01\x12":
        return False
    after = 3
    while after < len(head) and head[after] & 0x80:
        after += 1
    return head[after + 1 : after + 2] == b"\x0a"


def _numpy(head: bytes) -> FileKind | None:
    if not head.startswith(b"\x93NUMPY"):
        return None
    if re.search(rb"'descr':\s*'\|?O", head[:512]):
        return FileKind("npy-object", "a NumPy array of Python objects", "UNSAFE_PICKLE")
    return FileKind("npy", "a NumPy array", "NOT_A_MODEL")


def _safetensors(head: bytes, size: int) -> FileKind | None:
    """Eight bytes of header length, then JSON. Checks the header as far as it was read."""
    if len(head) < 9 or head[8:9] != b"{":
        return None
    (length,) = struct.unpack("<Q", head[:8])
    if length > 1 << 20 and not re.match(rb'\{\s*"', head[8:16]):
        return None
    if length + 8 > size or length > 100_000_000:
        raise WhetstoneFailure("MALFORMED_SAFETENSORS", f"The header claims {length:,} bytes of {size:,}.")
    if length + 8 <= len(head):
        _check_safetensors(head[8 : 8 + length], size - 8 - length)
    return FileKind("safetensors", "a safetensors file", "WEIGHTS_ONLY_NO_GRAPH")


def _check_safetensors(header: bytes, data: int) -> None:
    try:
        entries = json.loads(header)
        spans = sorted(
            (int(entry["data_offsets"][0]), int(entry["data_offsets"][1]))
            for name, entry in entries.items()
            if name != "__metadata__"
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise WhetstoneFailure("MALFORMED_SAFETENSORS") from None
    end = 0
    for begin, stop in spans:
        if begin < end or stop < begin or stop > data:
            raise WhetstoneFailure(
                "MALFORMED_SAFETENSORS", "Tensors overlap or reach past the end of the file."
            )
        end = stop
