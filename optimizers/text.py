"""Strangers' names and libraries' messages, made fit to show: one line, no control characters, no paths."""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

NAME_LIMIT = 256
MESSAGE_LIMIT = 600
_HERE = str(Path(__file__).resolve().parent.parent)
_LIBRARY_SOURCE = re.compile(r"\S*/\S+\.(?:cc|cpp|cxx|c|hpp|h|inc|cu)\b(?::\d+|\(\d+\))?")
_CPP_SIGNATURE = re.compile(r"[\w:<>,*&]+::~?\w+\([^()]*\)(?: const)?")
_STATUS_PREFIX = re.compile(r"^\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ")
_OPENVINO_NOISE = re.compile(r"Exception from \S+|Check '[^']*' failed(?: at)?:?")
_SERVER_PATH = re.compile(r"/(?:tmp|var|home|root|usr|opt|srv|mnt|proc|dev/shm)/(?:[^\s'\":,;()\[\]/]+/)*")
_LONGEST = 4000


def safe_name(text: str, limit: int = NAME_LIMIT) -> str:
    """`text` in one visible line: control, format (right-to-left marks too) and lone surrogate characters
    become `\\u{..}`, and what is longer than `limit` characters is cut and ends in an ellipsis."""
    head = text[: limit + 1]
    shown = "".join(_visible(char) for char in head)
    return shown if len(text) <= limit and len(shown) <= limit else shown[: limit - 1] + "…"


def _visible(char: str) -> str:
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return f"\\u{{{ord(char):x}}}"
    return char


def safe_message(text: str, hide: tuple[Path, ...] = ()) -> str:
    """A library's message without its own source paths, C++ signatures and this machine's paths."""
    text = _LIBRARY_SOURCE.sub("", _STATUS_PREFIX.sub("", text[:_LONGEST].strip()))
    text = _OPENVINO_NOISE.sub(" ", _CPP_SIGNATURE.sub("", text))
    for root in (*(str(path) for path in hide), sys.prefix, _HERE):
        text = text.replace(root.rstrip("/") + "/", "").replace(root, "")
    text = _SERVER_PATH.sub("", text)
    text = re.sub(r"\s+", " ", text).strip(" :;,-")
    return safe_name(text, MESSAGE_LIMIT)
