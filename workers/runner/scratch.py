"""The folder of one job on this machine: locked while in use, removed whatever happens."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "job-"


@contextmanager
def job_folder(scratch: Path) -> Iterator[Path]:
    """A new empty folder that only this user may read."""
    scratch.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=scratch))
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield folder
    finally:
        _remove(folder)
        os.close(descriptor)


def leftovers_remove(scratch: Path) -> int:
    """Remove folders of jobs whose supervisor was killed; how many there were."""
    count = 0
    for folder in scratch.glob(f"{_PREFIX}*"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
            count += 1
        except BlockingIOError:
            continue
        finally:
            os.close(descriptor)
    return count


def _remove(folder: Path) -> None:
    # A job may have taken its own folders' permissions away.
    for root, folders, _ in os.walk(folder):
        for name in folders:
            if not os.path.islink(path := f"{root}/{name}"):  # noqa: PTH114 - a hot loop over strings
                os.chmod(path, 0o700)  # noqa: PTH101
    shutil.rmtree(folder, ignore_errors=True)
