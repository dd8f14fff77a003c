"""Whether a series of samples can be believed: the rules behind a measurement's status.

too_few_samples  fewer samples than the plan's `min_samples`
noisy_host       steal above STEAL_LIMIT or other processes above OTHERS_LIMIT of the pinned cores
unsteady         warm-up never settled, windows drift, or two modes far apart
valid            none of these
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from optimizers.metrics.cpu import CpuShare
from optimizers.metrics.percentiles import median
from optimizers.spec.names import Status

STEAL_LIMIT = 0.02
OTHERS_LIMIT = 0.10
DRIFT_LIMIT = 0.10
WINDOWS = 5
MIN_FOR_WINDOWS = 15
MODE_SHARE = 0.15
MODE_DISTANCE = 0.25
MODE_EXPLAINED = 0.85


def status_of(
    in_order: Sequence[float], wanted: int, cpu: CpuShare, *, warmup_settled: bool
) -> tuple[Status, str]:
    """The status and, in words, the rule that gave it."""
    if len(in_order) < wanted:
        return Status.TOO_FEW_SAMPLES, f"{len(in_order)} samples; {wanted} are needed"
    if cpu.steal is not None and cpu.steal > STEAL_LIMIT:
        return (
            Status.NOISY_HOST,
            f"the hypervisor took {cpu.steal:.1%} of the cores (limit {STEAL_LIMIT:.0%})",
        )
    if cpu.busy_others is not None and cpu.busy_others > OTHERS_LIMIT:
        return (
            Status.NOISY_HOST,
            f"other processes used {cpu.busy_others:.1%} of the cores (limit {OTHERS_LIMIT:.0%})",
        )
    drift = drift_of(in_order)
    if drift is not None and drift > DRIFT_LIMIT:
        return (
            Status.UNSTEADY,
            f"medians of {WINDOWS} windows differ by {drift:.1%} (limit {DRIFT_LIMIT:.0%})",
        )
    distance = mode_distance(in_order)
    if distance is not None and distance > MODE_DISTANCE:
        return Status.UNSTEADY, f"two modes, the slower one {distance:.0%} above the faster"
    if not warmup_settled:
        return Status.UNSTEADY, "three windows of the warm-up never agreed within its bounds"
    shown = "too few samples for windows" if drift is None else f"windows within {drift:.1%}"
    return Status.VALID, f"{shown}, one mode, quiet host"


def drift_of(in_order: Sequence[float]) -> float | None:
    """(largest - smallest) / smallest median of consecutive windows; None with too few samples."""
    if len(in_order) < MIN_FOR_WINDOWS:
        return None
    size = len(in_order) / WINDOWS
    medians = [median(in_order[int(i * size) : int((i + 1) * size)]) for i in range(WINDOWS)]
    return (max(medians) - min(medians)) / min(medians) if min(medians) > 0 else None


def mode_distance(samples: Sequence[float]) -> float | None:
    """How far the slower of two clusters lies above the faster, as a fraction; None where one is enough.

    Otsu's split of the logarithms, with the slowest 2 % set aside so that a few outliers make no mode. Two
    modes need MODE_SHARE of the samples each and must explain MODE_EXPLAINED of the variance.
    """
    if len(samples) < MIN_FOR_WINDOWS or min(samples) <= 0:
        return None
    logs = sorted(math.log(value) for value in samples)
    logs = logs[: len(logs) - len(logs) // 50]
    n, total = len(logs), math.fsum(logs)
    mean = total / n
    variance = math.fsum((value - mean) ** 2 for value in logs) / n
    best, below, distance, running = 0.0, 0, 0.0, 0.0
    for count in range(1, n):
        running += logs[count - 1]
        gap = (total - running) / (n - count) - running / count
        between = count * (n - count) / n**2 * gap * gap
        if between > best:
            best, below, distance = between, count, gap
    small = min(below, n - below) / n
    if variance == 0.0 or small < MODE_SHARE or best / variance < MODE_EXPLAINED:
        return None
    return math.expm1(distance)
