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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from whetstone.core.storage.gateway import CHUNK_BYTES, PartInfo, SignedRequest, check_key
from whetstone.core.storage.links import Grant, grant_token, grant_until

Read = Callable[[int], bytes]


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
            with _locked(folder / "data", fcntl.LOCK_EX):
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

    def part_write(self, multipart_id: str, number: int, read: Read) -> None:
        """Stores a part from `read(n)`. UploadGone, or WrongBytes if the bytes end early."""
        folder = self._receiving(multipart_id)
        about = self._about(multipart_id)
        offset, left = (number - 1) * about.part_size, self._part_size(about, number)
        mark = folder / "parts" / str(number)
        mark.unlink(missing_ok=True)
        while left:
            chunk = read(min(CHUNK_BYTES, left))
            if not chunk:
                raise WrongBytes
            with _locked(folder / "data", fcntl.LOCK_SH) as fd:
                _write_all(fd, chunk, offset)
            offset, left = offset + len(chunk), left - len(chunk)
        with _locked(folder / "data", fcntl.LOCK_SH):
            draft = folder / f"mark-{secrets.token_hex(8)}"
            draft.touch()
            draft.replace(mark)

    def object_write(self, key: str, size: int, sha256: str, read: Read) -> None:
        """Stores a whole object from `read(n)`. WrongBytes leaves nothing."""
        target = self._object(key)
        draft = self.root / "receiving" / f"put-{secrets.token_hex(16)}"
        draft.parent.mkdir(parents=True, exist_ok=True)
        digest, left = hashlib.sha256(), size
        try:
            with draft.open("wb") as file:
                while left and (chunk := read(min(CHUNK_BYTES, left))):
                    file.write(chunk)
                    digest.update(chunk)
                    left -= len(chunk)
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
def _locked(path: Path, kind: int) -> Iterator[int]:
    """`path` open for writing and locked, and certainly still at that path. UploadGone if it is not."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise UploadGone from None
    try:
        fcntl.flock(fd, kind)
        try:
            here = path.stat()
        except FileNotFoundError:
            raise UploadGone from None
        if here.st_ino != os.fstat(fd).st_ino:
            raise UploadGone
        yield fd
    finally:
        os.close(fd)


def _write_all(fd: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        done = os.pwrite(fd, view, offset)
        view, offset = view[done:], offset + done
