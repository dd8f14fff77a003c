"""The engine's own limits, set before any library is loaded. The supervisor has its own on top.

Address-space reservations are left alone (inference libraries reserve far more than they touch); what
counts is private writable memory, RLIMIT_DATA, which allocators see as a failed allocation.
"""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Callable
from contextlib import suppress

from optimizers.spec.host import TargetSpec
from optimizers.spec.job import Limits


def limits_apply(limits: Limits) -> None:
    """Memory, size of one written file, no core dump, and processor time as a backstop for a hang that
    holds the interpreter lock. A limit that is already stricter stays."""
    cores = os.cpu_count() or 1
    _set(resource.RLIMIT_DATA, limits.memory_bytes)
    _set(resource.RLIMIT_FSIZE, limits.output_bytes)
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_CPU, int(2 * cores * limits.wall_seconds) + 10)


def _set(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def pin(target: TargetSpec | None) -> None:
    """Keep this process and all its later threads on the target's cores, as far as they are ours.

    Must come before an inference library is imported: its thread pools copy the mask.
    """
    if target is None:
        return
    allowed = set(target.cores) & os.sched_getaffinity(0)
    if allowed:
        os.sched_setaffinity(0, allowed)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(len(target.cores))


def watchdog(seconds: float, expired: Callable[[], None]) -> threading.Timer:
    """Call `expired` a little before the supervisor would kill the process, so that the reason is told.

    It cannot fire while a library holds the interpreter lock; RLIMIT_CPU and the supervisor remain.
    """

    def end() -> None:
        with suppress(Exception):
            expired()
        os._exit(0)

    timer = threading.Timer(max(0.9 * seconds, seconds - 2.0), end)
    timer.daemon = True
    timer.start()
    return timer
