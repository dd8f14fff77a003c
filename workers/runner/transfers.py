"""Files in and out. Every piece of a file is followed by a tick of the lease."""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.names import ArtifactKind
from workers.runner.api import CHUNK, ApiRefused, ApiUnavailable, InputFile, PlatformApi, StaleLease
from workers.runner.lease import Lease, LeaseLost

TRIES = 4

logger = logging.getLogger("whetstone.runner")


@dataclass(frozen=True)
class OutFile:
    """A file to store: where it lies here, and what it is called there."""

    path: Path
    kind: ArtifactKind
    filename: str
    sha256: str
    size_bytes: int


def fetch(api: PlatformApi, lease: Lease, wanted: InputFile, folder: Path) -> None:
    """Bring one input into the folder. CHECKSUM_MISMATCH, STORAGE_UNAVAILABLE."""
    if wanted.path != Path(wanted.path).name or wanted.path in ("", ".", "..", "job.json"):
        raise WhetstoneFailure("PROTOCOL_ERROR", "The job names an input that is no bare file name.")
    for number in range(TRIES):
        try:
            _fetch_once(api, lease, wanted, folder / wanted.path)
            return
        except ApiUnavailable as error:
            logger.warning("an input could not be fetched: %s", error)
            lease.pause(min(2.0**number, 5.0))
    raise WhetstoneFailure("STORAGE_UNAVAILABLE", "An input file could not be read.")


def _fetch_once(api: PlatformApi, lease: Lease, wanted: InputFile, path: Path) -> None:
    digest, size = hashlib.sha256(), 0
    with path.open("wb") as file:
        for piece in api.download(wanted.url):
            size += len(piece)
            if size > wanted.size_bytes:
                break
            digest.update(piece)
            file.write(piece)
            lease.tick()
    if size != wanted.size_bytes or digest.hexdigest() != wanted.sha256:
        raise WhetstoneFailure("CHECKSUM_MISMATCH", size_bytes=size, expected_bytes=wanted.size_bytes)


def out_file(lease: Lease, path: Path, kind: ArtifactKind, filename: str) -> OutFile:
    """Hash a plain file; OSError where it is none."""
    digest, size = hashlib.sha256(), 0
    for piece in _pieces(lease, path):
        digest.update(piece)
        size += len(piece)
    return OutFile(path, kind, filename, digest.hexdigest(), size)


def store(api: PlatformApi, lease: Lease, job_id: str, file: OutFile) -> dict[str, object]:
    """Upload one file under a key of this attempt; what `finish` says of it. STORAGE_UNAVAILABLE."""
    about: dict[str, object] = {
        "kind": str(file.kind),
        "filename": file.filename,
        "sha256": file.sha256,
        "size_bytes": file.size_bytes,
    }
    for number in range(TRIES):
        lease.tick()
        try:
            slot = api.artifact_reserve(job_id, {"token": lease.token, **about})
            api.upload(slot, file.size_bytes, _pieces(lease, file.path))
            return {"artifact_key": slot.artifact_key, **about}
        except StaleLease:
            raise LeaseLost("the platform says so") from None
        except ApiUnavailable as error:
            logger.warning("job %s: a file could not be stored: %s", job_id, error)
            lease.pause(min(2.0**number, 5.0))
        except ApiRefused as error:
            raise WhetstoneFailure("PROTOCOL_ERROR", "A file of the result was refused.") from error
    raise WhetstoneFailure("STORAGE_UNAVAILABLE", "A file of the result could not be stored.")


def _pieces(lease: Lease, path: Path) -> Iterator[bytes]:
    # The engine made this file: no link is followed, and a pipe or a device is not waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a plain file")
        while piece := file.read(CHUNK):
            yield piece
            lease.tick()
