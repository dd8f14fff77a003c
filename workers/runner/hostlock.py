"""A measurement has its machine alone; preparing may share it.

Two files, locked with flock, so that a lock dies with its holder. Who wants to measure takes the turnstile
and keeps it while it waits; who wants to prepare passes through the turnstile first. So a measurement
that waits lets nobody else in, and waits only for those already inside.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class HostLock:
    """Nothing here blocks: ask again until it says True, and keep the lease in between."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._turnstile = os.open(folder / "turnstile", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._room = os.open(folder / "room", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def try_shared(self) -> bool:
        """Beside others who prepare, not beside a measurement, nor past one that waits."""
        if not _try(self._turnstile, fcntl.LOCK_SH):
            return False
        inside = _try(self._room, fcntl.LOCK_SH)
        fcntl.flock(self._turnstile, fcntl.LOCK_UN)
        return inside

    def try_exclusive(self) -> bool:
        """Alone on this machine, as far as runners go. A False may keep the turnstile: ask again."""
        if not _try(self._turnstile, fcntl.LOCK_EX):
            return False
        if not _try(self._room, fcntl.LOCK_EX):
            return False
        fcntl.flock(self._turnstile, fcntl.LOCK_UN)
        return True

    def release(self) -> None:
        fcntl.flock(self._room, fcntl.LOCK_UN)
        fcntl.flock(self._turnstile, fcntl.LOCK_UN)

    def close(self) -> None:
        """Releases too."""
        os.close(self._room)
        os.close(self._turnstile)


def _try(descriptor: int, operation: int) -> bool:
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
