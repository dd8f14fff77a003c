"""What the supervisor holds an engine process to, on top of the limits that the engine sets itself."""

from __future__ import annotations

import os
import time
from pathlib import Path

from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.job import Limits
from optimizers.spec.names import Stage
from workers.runner.child import Engine

PRINTED_LIMIT = 1 << 20
# The engine ends itself in time and says why; it gets a moment for that.
_GRACE_SECONDS = 2.0
_DISK_EVERY_SECONDS = 1.0
_FILES_LIMIT = 20_000
_SLOW_STAGES = frozenset({Stage.CONVERT, Stage.OPTIMIZE, Stage.COMPILE})


class Watch:
    """Limits of one engine process, checked whenever the supervisor's loop comes by."""

    def __init__(self, engine: Engine, limits: Limits, folder: Path, printed: Path) -> None:
        self._engine, self._limits, self._folder, self._printed = engine, limits, folder, printed
        self._started = time.monotonic()
        self._disk_at = 0.0

    def check(self, stage: str) -> None:
        """WhetstoneFailure with the code of the first limit that is passed."""
        now = time.monotonic()
        wall = self._limits.wall_seconds
        if now - self._started > wall + _GRACE_SECONDS:
            code = "COMPILE_TIME_LIMIT" if stage in _SLOW_STAGES else "TIME_LIMIT"
            where = f"Stage {stage or 'start'} was not done within {wall:g} s."
            raise WhetstoneFailure(code, where, stage=stage)
        if self._printed.stat().st_size > PRINTED_LIMIT:
            raise WhetstoneFailure("OUTPUT_LIMIT", limit_bytes=PRINTED_LIMIT)
        used = self._engine.memory_bytes()
        if used > self._limits.memory_bytes:
            raise WhetstoneFailure("MEMORY_LIMIT", limit_bytes=self._limits.memory_bytes, used_bytes=used)
        if now >= self._disk_at:
            self._disk_at = now + _DISK_EVERY_SECONDS
            self.check_disk()

    def check_disk(self) -> None:
        """Both the bytes and the number of files in the folder that the engine may write."""
        size, files = folder_size(self._folder)
        if size > self._limits.output_bytes or files > _FILES_LIMIT:
            raise WhetstoneFailure("DISK_LIMIT", limit_bytes=self._limits.output_bytes, files=files)


def folder_size(folder: Path) -> tuple[int, int]:
    """Bytes on disk and number of entries, links not followed. What vanishes meanwhile does not count."""
    size = files = 0
    for root, folders, names in os.walk(folder):
        files += len(folders) + len(names)
        for name in names:
            try:
                found = os.lstat(f"{root}/{name}")
            except OSError:
                continue
            size += max(found.st_size, found.st_blocks * 512)
        if files > _FILES_LIMIT:
            break
    return size, files
