"""Protobuf's wire format: fields of a message as positions in a buffer, nothing copied.

https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
Buffer = memoryview


class WireError(ValueError):
    """The bytes are no protobuf message. `needed`: the bytes they should have, where they end early."""

    def __init__(self, problem: str, needed: int | None = None) -> None:
        super().__init__(problem)
        self.needed = needed


def varint(buffer: Buffer, at: int, end: int) -> tuple[int, int]:
    """The unsigned value at `at` and the position after it."""
    value = shift = 0
    while at < end:
        byte = buffer[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
        shift += 7
        if shift > 63:
            raise WireError("a number is too long")
    raise WireError("the data ends inside a number", at + 1)


def signed(value: int) -> int:
    """A varint's value as int64."""
    return value - (1 << 64) if value >= 1 << 63 else value


def fields(buffer: Buffer, at: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """(number, wire type, value or start, end) of each field; for a varint the third is its value.

    Raises WireError at the first byte that fits no field. Groups (deprecated, never in ONNX) are refused.
    """
    while at < end:
        key = buffer[at]
        at += 1
        if key >= 0x80:
            key, at = varint(buffer, at - 1, end)
        number, wire = key >> 3, key & 7
        if number == 0:
            raise WireError("field number 0")
        if wire == VARINT:
            value, at = varint(buffer, at, end)
            yield number, wire, value, at
        elif wire == BYTES:
            length, at = varint(buffer, at, end)
            if length > end - at:
                raise WireError("a field is longer than what holds it", at + length)
            yield number, wire, at, at + length
            at += length
        elif wire in (FIXED64, FIXED32):
            width = 8 if wire == FIXED64 else 4
            if width > end - at:
                raise WireError("the data ends inside a fixed number", at + width)
            yield number, wire, at, at + width
            at += width
        else:
            raise WireError(f"wire type {wire}")


def packed_varints(buffer: Buffer, at: int, end: int) -> Iterator[int]:
    """The unsigned values of a packed repeated field."""
    while at < end:
        value, at = varint(buffer, at, end)
        yield value


def count_varints(buffer: Buffer, at: int, end: int) -> int:
    """How many varints lie in a packed field: the bytes that end one."""
    total = 0
    for start in range(at, end, 1 << 20):
        chunk = bytes(buffer[start : min(start + (1 << 20), end)])
        total += len(chunk.translate(None, _CONTINUED))
    return total


_CONTINUED = bytes(range(0x80, 0x100))


def text(buffer: Buffer, at: int, end: int) -> str:
    return bytes(buffer[at:end]).decode("utf-8", "replace")
