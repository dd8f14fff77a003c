"""Files in a local folder, for the embedded platform.

    objects/<key>                      whole files
    receiving/<multipart id>/data      all parts of one upload, each at its offset
                            /parts/3   exists when part 3 has arrived whole
                            /about     key, size and part size

Several processes write at once. A part's mark is made after its bytes, by a rename, and removed before
they are written again. Completing is one rename under an exclusive lock of `data`; each write of a part
holds the lock shared and looks first whether the file still is the upload's, so a late part cannot
change a completed file.
"""

import fcntl
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from whetstone.core.storage.body import ReadInto
from whetstone.core.storage.gateway import CHUNK_BYTES, PartInfo, SignedRequest, check_key
from whetstone.core.storage.links import Grant, grant_token, grant_until


class UploadGone(Exception):
    """The upload was completed or aborted."""


class WrongBytes(Exception):
    """Fewer bytes than agreed, or others than the SHA-256 says."""


@dataclass(frozen=True, slots=True)
class _About:
    key: str
    size: int
    part_size: int


class LocalStorage:
    """`base_url`: where the web process serves /files/, without the final slash."""

    def __init__(self, *, root: Path, base_url: str) -> None:
        self.root = root
        self.base_url = base_url

    def multipart_start(self, key: str, *, size: int, part_size: int) -> str:
        check_key(key)
        multipart_id = secrets.token_hex(16)
        folder = self._receiving(multipart_id)
        (folder / "parts").mkdir(parents=True)
        (folder / "about").write_text(json.dumps({"key": key, "size": size, "part_size": part_size}))
        with (folder / "data").open("wb") as data:
            # Sparse: a size that was only stated takes no room from others.
            data.truncate(size)
        return multipart_id

    def part_url(
        self, key: str, multipart_id: str, number: int, *, size: int, expires: timedelta
    ) -> SignedRequest:
        grant = Grant("PUT", key, grant_until(expires), size=size, multipart_id=multipart_id, part=number)
        return SignedRequest(self._url(grant), "PUT")

    def parts_list(self, key: str, multipart_id: str) -> list[PartInfo]:
        try:
            about = self._about(multipart_id)
            marks = list((self._receiving(multipart_id) / "parts").iterdir())
        except (UploadGone, FileNotFoundError):
            return []
        numbers = sorted(int(mark.name) for mark in marks)
        return [PartInfo(number, self._part_size(about, number), f'"{number}"') for number in numbers]

    def multipart_complete(self, key: str, multipart_id: str, parts: Sequence[PartInfo]) -> None:
        folder, target = self._receiving(multipart_id), self._object(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with _opened(folder / "data") as fd, _locked(fd, folder / "data", fcntl.LOCK_EX):
                (folder / "data").replace(target)
        except UploadGone:
            if not target.exists():
                raise FileNotFoundError(key) from None
        shutil.rmtree(folder, ignore_errors=True)

    def multipart_abort(self, key: str, multipart_id: str) -> None:
        shutil.rmtree(self._receiving(multipart_id), ignore_errors=True)

    def get_url(self, key: str, *, expires: timedelta, filename: str = "") -> str:
        return self._url(Grant("GET", check_key(key), grant_until(expires), filename=filename))

    def put_url(self, key: str, *, size: int, sha256: str, expires: timedelta) -> SignedRequest:
        grant = Grant("PUT", check_key(key), grant_until(expires), size=size, sha256=sha256)
        return SignedRequest(self._url(grant), "PUT")

    def open(self, key: str) -> Iterator[bytes]:
        with self._object(key).open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def stat(self, key: str) -> int | None:
        try:
            return self._object(key).stat().st_size
        except FileNotFoundError:
            return None

    def delete(self, key: str) -> None:
        self._object(key).unlink(missing_ok=True)

    def path(self, key: str) -> Path:
        """For the web process that sends the file. It may not exist."""
        return self._object(key)

    def part_write(self, multipart_id: str, number: int, read_into: ReadInto) -> None:
        """Stores a part. UploadGone, or WrongBytes if the bytes end early."""
        folder = self._receiving(multipart_id)
        about = self._about(multipart_id)
        offset, left = (number - 1) * about.part_size, self._part_size(about, number)
        mark = folder / "parts" / str(number)
        mark.unlink(missing_ok=True)
        buffer = memoryview(bytearray(CHUNK_BYTES))
        with _opened(folder / "data") as fd:
            while left:
                # Written piece by piece as they come: a piece is still in the processor's cache then.
                got = read_into(buffer[: min(CHUNK_BYTES, left)])
                if got == 0:
                    raise WrongBytes
                with _locked(fd, folder / "data", fcntl.LOCK_SH):
                    _write_all(fd, buffer[:got], offset)
                offset, left = offset + got, left - got
            with _locked(fd, folder / "data", fcntl.LOCK_SH):
                draft = folder / f"mark-{secrets.token_hex(8)}"
                draft.touch()
                draft.replace(mark)

    def object_write(self, key: str, size: int, sha256: str, read_into: ReadInto) -> None:
        """Stores a whole object. WrongBytes leaves nothing."""
        target = self._object(key)
        draft = self.root / "receiving" / f"put-{secrets.token_hex(16)}"
        draft.parent.mkdir(parents=True, exist_ok=True)
        digest, left, buffer = hashlib.sha256(), size, memoryview(bytearray(CHUNK_BYTES))
        try:
            with draft.open("wb") as file:
                while left and (got := read_into(buffer[: min(CHUNK_BYTES, left)])):
                    file.write(buffer[:got])
                    digest.update(buffer[:got])
                    left -= got
            if left or digest.hexdigest() != sha256:
                raise WrongBytes
            target.parent.mkdir(parents=True, exist_ok=True)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    def _object(self, key: str) -> Path:
        return self.root / "objects" / check_key(key)

    def _receiving(self, multipart_id: str) -> Path:
        return self.root / "receiving" / check_key(multipart_id)

    def _about(self, multipart_id: str) -> _About:
        try:
            return _About(**json.loads((self._receiving(multipart_id) / "about").read_text()))
        except FileNotFoundError:
            raise UploadGone from None

    def _part_size(self, about: _About, number: int) -> int:
        return min(about.part_size, about.size - (number - 1) * about.part_size)

    def _url(self, grant: Grant) -> str:
        return f"{self.base_url}/files/{grant_token(grant)}"


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise UploadGone from None
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def _locked(fd: int, path: Path, kind: int) -> Iterator[None]:
    """Holds `fd`, which was opened at `path`, locked; UploadGone if another or no file is there by now.

    Held for one write, never while waiting for a client: a stalled one must not keep others waiting.
    """
    fcntl.flock(fd, kind)
    try:
        if path.stat().st_ino != os.fstat(fd).st_ino:
            raise UploadGone
        yield
    except FileNotFoundError:
        raise UploadGone from None
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)


def _write_all(fd: int, view: memoryview, offset: int) -> None:
    while view:
        done = os.pwrite(fd, view, offset)
        view, offset = view[done:], offset + done
