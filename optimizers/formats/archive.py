"""Archives with one model inside: checked member by member, then unpacked while counting, to plain files.

Nothing in the archive is believed: sizes are counted as bytes arrive, names must be plain, relative and
distinct on every file system, and only regular files are written.
"""

from __future__ import annotations

import os
import re
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from optimizers.formats.detect import FileKind, detect
from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_name

MAX_MEMBERS = 1000
MAX_RATIO = 100
RATIO_FREE_BYTES = 64 << 20
MAX_NAME = 255
_BLOCK = 1 << 20
_NESTED = re.compile(r"\.(zip|tar|tgz|gz|bz2|xz|7z|rar|zst)$", re.I)
_RESERVED = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.I)
_DRIVE = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True)
class Member:
    """A regular file of the archive. `packed` is its size in the archive, None where that is no figure."""

    name: str
    size: int
    packed: int | None
    key: object


class Archive(Protocol):
    """What both kinds of archive offer once their own tables have been checked."""

    members: tuple[Member, ...]

    def open(self, member: Member) -> IO[bytes]: ...


@contextmanager
def archive_errors() -> Iterator[None]:
    """Whatever the standard library finds wrong with an archive is ARCHIVE_CORRUPT."""
    try:
        yield
    except (
        EOFError,
        ValueError,
        zlib.error,
        NotImplementedError,
        zipfile.BadZipFile,
        tarfile.TarError,
    ) as error:
        raise WhetstoneFailure(
            "ARCHIVE_CORRUPT", f"The archive is damaged: {safe_name(str(error), 120)}."
        ) from None


def unpack_model(path: Path, kind: FileKind, folder: Path, limit_bytes: int) -> Path:
    """Unpack into the new `folder`; the path of the one ONNX file. Raises the ARCHIVE_ codes."""
    from optimizers.formats.tars import open_tar
    from optimizers.formats.zips import open_zip

    opener = open_zip if kind.kind == "zip" else open_tar
    with opener(path) as archive:
        check_names([member.name for member in archive.members])
        _check_totals(archive.members, path.stat().st_size, limit_bytes)
        folder.mkdir(parents=True)
        left = limit_bytes
        for member in archive.members:
            with archive_errors(), archive.open(member) as stream:
                left -= _write(stream, member, folder, left)
    return _the_model([folder / member.name for member in archive.members])


def check_names(names: Iterable[str]) -> None:
    """ARCHIVE_PATH for a name that could leave the folder, ARCHIVE_AMBIGUOUS for two that could collide."""
    seen: dict[str, str] = {}
    for name in names:
        _check_name(name)
        folded = unicodedata.normalize("NFKC", name).casefold()
        if folded in seen:
            raise WhetstoneFailure("ARCHIVE_AMBIGUOUS", f"Two members are called '{safe_name(name, 80)}'.")
        seen[folded] = name
    for folded, name in seen.items():
        parents = PurePosixPath(folded).parents
        if any(str(parent) in seen for parent in parents):
            raise WhetstoneFailure("ARCHIVE_AMBIGUOUS", f"'{safe_name(name, 80)}' lies below another file.")


def _check_name(name: str) -> None:
    parts = name.split("/")
    bad = (
        not name
        or len(name.encode("utf-8", "surrogateescape")) > 4 * MAX_NAME
        or "\\" in name
        or _DRIVE.match(name)
        or any(part in ("", ".", "..") or len(part.encode("utf-8", "replace")) > MAX_NAME for part in parts)
        or any(_RESERVED.match(part) for part in parts)
        or any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in name)
    )
    if bad:
        raise WhetstoneFailure(
            "ARCHIVE_PATH", f"The archive has a member with the unsafe path '{safe_name(name, 80)}'."
        )


def _check_totals(members: tuple[Member, ...], archive_size: int, limit_bytes: int) -> None:
    if len(members) > MAX_MEMBERS:
        raise WhetstoneFailure("ARCHIVE_TOO_LARGE", f"The archive has more than {MAX_MEMBERS:,} files.")
    total = sum(member.size for member in members)
    if total > RATIO_FREE_BYTES and total > MAX_RATIO * archive_size:
        raise _ratio()
    if total > limit_bytes:
        raise WhetstoneFailure(
            "ARCHIVE_TOO_LARGE", f"The archive expands to {total:,} bytes; {limit_bytes:,} are allowed."
        )


def _ratio() -> WhetstoneFailure:
    return WhetstoneFailure("ARCHIVE_RATIO", f"The archive expands to more than {MAX_RATIO} times its size.")


def _write(stream: IO[bytes], member: Member, folder: Path, left: int) -> int:
    """Copy one member, counting; what is written is a new plain file that only we may read."""
    target = folder / member.name
    target.parent.mkdir(parents=True, exist_ok=True)
    allowed = RATIO_FREE_BYTES if member.packed is None else max(RATIO_FREE_BYTES, MAX_RATIO * member.packed)
    written = 0
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(target, flags, 0o600), "wb") as out:
        while block := stream.read(_BLOCK):
            written += len(block)
            if written > left:
                raise WhetstoneFailure("ARCHIVE_TOO_LARGE")
            if member.packed is not None and written > allowed:
                raise _ratio()
            out.write(block)
    if written != member.size:
        raise WhetstoneFailure(
            "ARCHIVE_CORRUPT", f"'{safe_name(member.name, 80)}' has not the size that is stated."
        )
    return written


def _the_model(paths: list[Path]) -> Path:
    """The one ONNX file. Other files stay: they may be its external data."""
    models = [path for path in paths if path.suffix.lower() == ".onnx"]
    if len(models) == 1:
        return models[0]
    if len(models) > 1:
        names = ", ".join(safe_name(path.name, 60) for path in models[:5])
        raise WhetstoneFailure("ARCHIVE_AMBIGUOUS", f"The archive has {len(models)} models: {names}.")
    if any(_NESTED.search(path.name) for path in paths):
        raise WhetstoneFailure(
            "ARCHIVE_UNSUPPORTED", "The archive has another archive inside.", "Pack the files once."
        )
    known = [path for path in paths if path.stat().st_size and detect(path).code]
    if len(known) == 1:
        from optimizers.formats.detect import refuse_unless_openable

        refuse_unless_openable(detect(known[0]))
    raise WhetstoneFailure("ARCHIVE_AMBIGUOUS", "The archive has no file that ends in .onnx.")
