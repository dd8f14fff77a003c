"""Plain tar files. Links and devices are refused outright, so nothing can be written through one."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from optimizers.formats.archive import MAX_MEMBERS, Member, archive_errors
from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_name


class TarArchive:
    """A checked tar, open for reading."""

    def __init__(self, archive: tarfile.TarFile, members: tuple[Member, ...]) -> None:
        self._archive = archive
        self.members = members

    def open(self, member: Member) -> IO[bytes]:
        assert isinstance(member.key, tarfile.TarInfo)
        stream = self._archive.extractfile(member.key)
        if stream is None:
            raise WhetstoneFailure("ARCHIVE_LINK")
        return stream


@contextmanager
def open_tar(path: Path) -> Iterator[TarArchive]:
    """Open and check; uncompressed tar only."""
    try:
        archive = tarfile.open(  # noqa: SIM115 - closed below
            path, mode="r:", encoding="utf-8", errors="surrogateescape"
        )
    except (tarfile.TarError, ValueError, OSError, EOFError) as error:
        raise WhetstoneFailure(
            "ARCHIVE_CORRUPT", f"The tar cannot be read: {safe_name(str(error), 120)}."
        ) from None
    with archive, archive_errors():
        members = []
        for info in archive:
            if info.isdir():
                continue
            if not info.isreg() or info.issparse():
                raise WhetstoneFailure("ARCHIVE_LINK", f"'{safe_name(info.name, 80)}' is no plain file.")
            members.append(Member(info.name, info.size, None, info))
            if len(members) > MAX_MEMBERS:
                raise WhetstoneFailure(
                    "ARCHIVE_TOO_LARGE", f"The archive has more than {MAX_MEMBERS:,} files."
                )
        yield TarArchive(archive, tuple(members))
