"""The timed loops. Inside a timed region there is one call and nothing else."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter_ns

from optimizers.metrics.cpu import cpu_reading, cpu_share
from optimizers.scenarios.samples import Samples
from optimizers.scenarios.warmup import warm_up
from optimizers.spec.measurement import MeasurePlan
from optimizers.spec.names import Scenario

CAPACITY = 1 << 20
OFFLINE_WARMUP_S = 0.2
OFFLINE_MIN_QUERIES = 3


def single_stream(
    call: Callable[[], object], plan: MeasurePlan, cores: tuple[int, ...], batch_size: int
) -> Samples:
    """One query at a time: until there are `min_samples` and `min_seconds`, or until `max_seconds`."""
    warmup, settled = warm_up(call, max(1.0, plan.max_seconds / 2))
    times = array("q", bytes(8 * CAPACITY))
    least, most = int(plan.min_seconds * 1e9), int(plan.max_seconds * 1e9)
    wanted, count, elapsed, end = plan.min_samples, 0, 0, 0
    before = cpu_reading(cores)
    with _no_collection():
        begin = perf_counter_ns()
        while count < CAPACITY and (elapsed < least or count < wanted) and (elapsed < most or count == 0):
            start = perf_counter_ns()
            call()
            end = perf_counter_ns()
            times[count] = end - start
            count += 1
            elapsed = end - begin
    share = cpu_share(before, cpu_reading(cores))
    return Samples(Scenario.SINGLE_STREAM, batch_size, times[:count], end - begin, warmup, settled, share)


def offline(
    call: Callable[[], object],
    finish: Callable[[], None],
    seconds: float,
    cores: tuple[int, ...],
    batch_size: int,
) -> Samples:
    """The next query starts as soon as the last call returns. A call may return before its work is done;
    `finish` waits for all of it inside the measured time."""
    warmup, settled = warm_up(call, OFFLINE_WARMUP_S)
    finish()
    times = array("q", bytes(8 * CAPACITY))
    least, count = int(seconds * 1e9), 0
    before = cpu_reading(cores)
    with _no_collection():
        begin = last = perf_counter_ns()
        while count < CAPACITY and (last - begin < least or count < OFFLINE_MIN_QUERIES):
            call()
            now = perf_counter_ns()
            times[count] = now - last
            last = now
            count += 1
        finish()
        end = perf_counter_ns()
        times[count - 1] += end - last
    share = cpu_share(before, cpu_reading(cores))
    return Samples(Scenario.OFFLINE, batch_size, times[:count], end - begin, warmup, settled, share)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python's garbage collector out of the loop."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
