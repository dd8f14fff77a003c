"""What happened on the pinned cores besides us: time stolen by the hypervisor, time used by others.

/proc/stat counts in ticks of 10 ms per core, so shares over less than about a second are coarse.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

_STAT = Path("/proc/stat")
_TICK_S = 1.0 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class CpuShare:
    """Fractions of the pinned cores' time; None where the kernel does not say."""

    steal: float | None
    busy_others: float | None


UNKNOWN_SHARE = CpuShare(None, None)


@dataclass(frozen=True)
class CpuReading:
    """Seconds since boot that the cores were busy and stolen, and this process's own processor time."""

    at: float
    cores: tuple[int, ...]
    busy: float
    steal: float
    own: float


def cpu_reading(cores: tuple[int, ...]) -> CpuReading | None:
    """Read the counters of `cores` now; None where /proc/stat cannot be read."""
    wanted = {f"cpu{core}" for core in cores}
    busy = steal = 0.0
    try:
        lines = _STAT.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        name, *values = line.split()
        if name in wanted:
            user, nice, system, _idle, _iowait, irq, softirq, stolen = (int(v) for v in values[:8])
            busy += (user + nice + system + irq + softirq) * _TICK_S
            steal += stolen * _TICK_S
    return CpuReading(time.monotonic(), cores, busy, steal, time.process_time())


def cpu_share(before: CpuReading | None, after: CpuReading | None) -> CpuShare:
    """The shares between two readings."""
    if before is None or after is None or after.at <= before.at:
        return UNKNOWN_SHARE
    capacity = (after.at - before.at) * len(before.cores)
    others = (after.busy - before.busy) - (after.own - before.own)
    steal = (after.steal - before.steal) / capacity
    return CpuShare(_fraction(steal), _fraction(others / capacity))


def _fraction(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 4)


def peak_memory_bytes() -> int | None:
    """The largest resident set of this process so far (VmHWM)."""
    try:
        text = Path("/proc/self/status").read_text()
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return None
