"""Warm-up: run until three windows agree, within bounds. Nothing of it is in the samples."""

from __future__ import annotations

import time
from collections.abc import Callable

from optimizers.metrics.percentiles import median

WINDOW_S = 0.05
AGREEMENT = 0.05
WINDOWS = 3
MAX_WINDOW_CALLS = 1000


def warm_up(call: Callable[[], object], max_seconds: float) -> tuple[int, bool]:
    """Calls made, and whether the medians of three windows in a row came within AGREEMENT of each other.

    A window lasts WINDOW_S, one call at least. Where the bound ends it before three windows, nothing
    can be said against the model, and the answer is yes.
    """
    begin = time.perf_counter()
    medians: list[float] = []
    calls = 0
    while time.perf_counter() - begin < max_seconds:
        times = _window(call)
        calls += len(times)
        medians.append(median(times))
        last = medians[-WINDOWS:]
        if len(last) == WINDOWS and max(last) - min(last) <= AGREEMENT * min(last):
            return calls, True
    return calls, len(medians) < WINDOWS


def _window(call: Callable[[], object]) -> list[float]:
    times: list[float] = []
    total = 0.0
    while total < WINDOW_S and len(times) < MAX_WINDOW_CALLS:
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
        total += times[-1]
    return times
