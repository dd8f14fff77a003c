"""Zip files: the central directory and the local headers must tell the same, harmless story."""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import IO

from optimizers.formats.archive import MAX_MEMBERS, Member, archive_errors
from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_name

_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
_ENCRYPTED, _PATCHED, _STRONG = 0x1, 0x20, 0x40
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_UNIX = 3


class ZipArchive:
    """A checked zip, open for reading."""

    def __init__(self, archive: zipfile.ZipFile, members: tuple[Member, ...]) -> None:
        self._archive = archive
        self.members = members

    def open(self, member: Member) -> IO[bytes]:
        assert isinstance(member.key, zipfile.ZipInfo)
        try:
            return self._archive.open(member.key)
        except RuntimeError as error:
            raise WhetstoneFailure("ARCHIVE_UNSUPPORTED", safe_name(str(error), 120)) from None


@contextmanager
def open_zip(path: Path) -> Iterator[ZipArchive]:
    """Open and check; raises ARCHIVE_CORRUPT, _UNSUPPORTED, _LINK, _TOO_LARGE or _PATH."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, struct.error) as error:
        raise WhetstoneFailure(
            "ARCHIVE_CORRUPT", f"The zip cannot be read: {safe_name(str(error), 120)}."
        ) from None
    with archive, archive_errors():
        infos = archive.infolist()
        if len(infos) > 2 * MAX_MEMBERS:
            raise WhetstoneFailure("ARCHIVE_TOO_LARGE", f"The archive has {len(infos):,} members.")
        for info in infos:
            _check(info)
        with path.open("rb") as stream:
            _check_local_headers(stream, infos, path.stat().st_size)
        plain = [info for info in infos if not info.is_dir()]
        members = tuple(
            Member(info.orig_filename, info.file_size, info.compress_size, info) for info in plain
        )
        yield ZipArchive(archive, members)


def _check(info: zipfile.ZipInfo) -> None:
    shown = safe_name(info.orig_filename, 80)
    if info.flag_bits & (_ENCRYPTED | _STRONG | _PATCHED):
        raise WhetstoneFailure("ARCHIVE_UNSUPPORTED", f"'{shown}' is encrypted.")
    if info.compress_type not in _METHODS:
        raise WhetstoneFailure("ARCHIVE_UNSUPPORTED", f"'{shown}' uses a compression that is not read here.")
    mode = info.external_attr >> 16
    if info.create_system == _UNIX and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise WhetstoneFailure("ARCHIVE_LINK", f"'{shown}' is a link or a device.")


def _check_local_headers(stream: IO[bytes], infos: list[zipfile.ZipInfo], size: int) -> None:
    """No two members may share bytes, and each local header must name the same file as the directory."""
    spans = []
    for info in infos:
        stream.seek(info.header_offset)
        head = stream.read(_LOCAL_HEADER.size)
        if len(head) < _LOCAL_HEADER.size or head[:4] != b"PK\x03\x04":
            raise WhetstoneFailure(
                "ARCHIVE_CORRUPT", f"'{safe_name(info.orig_filename, 80)}' has no local header."
            )
        fields = _LOCAL_HEADER.unpack(head)
        name_length, extra_length = fields[9], fields[10]
        raw_name = stream.read(name_length)
        encoding = "utf-8" if fields[2] & 0x800 else "cp437"
        if raw_name.decode(encoding, "replace") != info.orig_filename:
            raise WhetstoneFailure(
                "ARCHIVE_AMBIGUOUS", "A local header names another file than the directory."
            )
        end = info.header_offset + _LOCAL_HEADER.size + name_length + extra_length + info.compress_size
        spans.append((info.header_offset, end))
    spans.sort()
    for (_, end), (begin, _) in pairwise(spans):
        if begin < end:
            raise WhetstoneFailure("ARCHIVE_RATIO", "Members of the archive overlap.")
    if spans and spans[-1][1] > size:
        raise WhetstoneFailure("ARCHIVE_CORRUPT", "A member reaches past the end of the archive.")
