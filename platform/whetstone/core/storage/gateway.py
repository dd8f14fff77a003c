"""What the platform asks of a file store."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

CHUNK_BYTES = 1024**2
_SEGMENT = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """A request that its bearer may send once or many times until it expires, without any other right."""

    url: str
    method: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartInfo:
    """A part that has arrived whole. `number` starts at 1."""

    number: int
    size: int
    etag: str


class Storage(Protocol):
    """Keys are made by `check_key`'s rule. Every method raises Unavailable("FILES_UNAVAILABLE") when the
    store does not answer. A key is written once: by completing a multipart upload or by one PUT."""

    def multipart_start(self, key: str, *, size: int, part_size: int) -> str:
        """Opens an upload of `size` bytes in parts of `part_size` (the last may be shorter); its id."""
        ...

    def part_url(
        self, key: str, multipart_id: str, number: int, *, size: int, expires: timedelta
    ) -> SignedRequest:
        """Where to send part `number`, which has exactly `size` bytes."""
        ...

    def parts_list(self, key: str, multipart_id: str) -> list[PartInfo]:
        """The parts that have arrived, by number; none for an upload that has ended."""
        ...

    def multipart_complete(self, key: str, multipart_id: str, parts: Sequence[PartInfo]) -> None:
        """Makes the object from its parts. Doing it twice is the same as once."""
        ...

    def multipart_abort(self, key: str, multipart_id: str) -> None:
        """Forgets an upload and its parts; nothing happens if it has ended."""
        ...

    def get_url(self, key: str, *, expires: timedelta, filename: str = "") -> str:
        """A link that downloads the object as an attachment called `filename`."""
        ...

    def put_url(self, key: str, *, size: int, sha256: str, expires: timedelta) -> SignedRequest:
        """Where to send an object of exactly these bytes. Anything else leaves nothing."""
        ...

    def open(self, key: str) -> Iterator[bytes]:
        """The object's bytes in chunks. FileNotFoundError if there is none."""
        ...

    def stat(self, key: str) -> int | None:
        """The object's size in bytes, or None if there is none."""
        ...

    def delete(self, key: str) -> None:
        """Removes the object; nothing happens if there is none."""
        ...


def check_key(key: str) -> str:
    """The key itself. ValueError unless it is `/`-separated names of letters, digits, dot, dash, underscore
    that do not begin with a dot, at most 400 characters."""
    if len(key) > 400 or not all(_SEGMENT.fullmatch(name) for name in key.split("/")):
        raise ValueError("not a storage key")
    return key
