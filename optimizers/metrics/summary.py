"""One scenario's samples as a Measurement."""

from __future__ import annotations

import math

from optimizers.metrics.percentiles import percentiles
from optimizers.metrics.steadiness import status_of
from optimizers.scenarios.samples import Samples
from optimizers.spec.host import TargetSpec
from optimizers.spec.measurement import Measurement, MeasurePlan
from optimizers.spec.names import Scenario

OFFLINE_MIN_SAMPLES = 3


def measurement_of(samples: Samples, plan: MeasurePlan, target: TargetSpec, raw: str | None) -> Measurement:
    """Percentiles over every sample; throughput in items per second of wall time."""
    in_order = [value / 1e6 for value in samples.nanoseconds]
    ordered = sorted(in_order)
    seconds = samples.duration_ns / 1e9
    single = samples.scenario is Scenario.SINGLE_STREAM
    wanted = plan.min_samples if single else OFFLINE_MIN_SAMPLES
    status, reason = status_of(in_order, wanted, samples.cpu, warmup_settled=samples.warmup_settled)
    return Measurement(
        scenario=samples.scenario,
        batch_size=samples.batch_size,
        threads=len(target.cores),
        cores=target.cores,
        samples=len(ordered),
        warmup_samples=samples.warmup_samples,
        duration_s=round(seconds, 6),
        latency_ms=percentiles(ordered),
        latency_mean_ms=math.fsum(ordered) / len(ordered),
        latency_min_ms=ordered[0],
        latency_max_ms=ordered[-1],
        throughput_per_s=samples.batch_size * len(ordered) / seconds,
        status=status,
        status_reason=reason,
        steal_fraction=samples.cpu.steal,
        busy_others_fraction=samples.cpu.busy_others,
        raw_samples=raw,
    )
