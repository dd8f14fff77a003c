"""Telling pickles by their opcodes, protocols 0 to 5, without ever running one."""

from __future__ import annotations

import io
import pickletools
import zlib

_TEXT_STARTS = b"(]}cl0IFSVLN)"
_MIN_OPCODES = 3


def looks_like_pickle(head: bytes, *, complete: bool) -> bool:
    """True where the bytes are a pickle's opcodes; `complete` says that `head` is the whole file.

    A binary pickle (protocol 2 and later) names its protocol first. Protocols 0 and 1 do not, so all
    opcodes up to STOP, or to the end of what was read, must make sense.
    """
    if head[:1] == b"\x80" and len(head) > 2 and head[1] <= 5:
        return _opcodes(head) >= (1 if complete else _MIN_OPCODES)
    return head[:1] in {bytes([byte]) for byte in _TEXT_STARTS} and _opcodes(head) >= _MIN_OPCODES


def looks_like_zlib_pickle(head: bytes) -> bool:
    """joblib compresses pickles with zlib."""
    if head[:1] != b"\x78":
        return False
    try:
        inner = zlib.decompressobj().decompress(head, 1 << 16)
    except zlib.error:
        return False
    return looks_like_pickle(inner, complete=False)


def pickle_globals(data: bytes, limit: int = 20) -> list[str]:
    """The importable names that a pickle refers to, `module.name`, in order; read, never resolved."""
    found: list[str] = []
    strings: list[str] = []
    try:
        for opcode, argument, _ in pickletools.genops(io.BytesIO(data)):
            if opcode.name == "GLOBAL":
                found.append(str(argument).replace(" ", "."))
            elif opcode.name == "STACK_GLOBAL" and len(strings) >= 2:
                found.append(f"{strings[-2]}.{strings[-1]}")
            elif isinstance(argument, str):
                strings.append(argument)
            if len(found) >= limit:
                break
    except Exception:  # noqa: S110 - a damaged pickle: what was read before the damage is enough
        pass
    return list(dict.fromkeys(found))


def _opcodes(data: bytes) -> int:
    """How many opcodes parse from the start; 0 where one makes no sense before the data ends."""
    count, at_end = 0, len(data)
    stream = io.BytesIO(data)
    try:
        for _ in pickletools.genops(stream):
            count += 1
    except Exception:
        # Cut off in the middle of an argument is fine; an unknown opcode before the end is not.
        return count if at_end - stream.tell() <= 0 else 0
    return count
