"""The result of one scenario, with everything needed to believe it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from optimizers.spec.names import Profile, Scenario, Status, Verdict

# MLPerf Inference rules, "early stopping": the queries a percentile needs at 99 % confidence.
MIN_SAMPLES: Mapping[str, int] = {"p50": 1, "p90": 64, "p95": 130, "p99": 662, "p99.9": 6636}


@dataclass(frozen=True)
class MeasurePlan:
    """How long to measure.

    SingleStream runs until it has `min_samples` and `min_seconds`, or until `max_seconds`.
    Offline tries each of `batch_sizes` for `offline_seconds` (batch 1 alone where batch is fixed).
    """

    profile: Profile
    min_samples: int
    min_seconds: float
    max_seconds: float
    offline_seconds: float
    batch_sizes: tuple[int, ...]


PLANS: Mapping[Profile, MeasurePlan] = {
    Profile.QUICK: MeasurePlan(Profile.QUICK, MIN_SAMPLES["p95"], 1.0, 4.0, 0.5, (1, 4)),
    Profile.STANDARD: MeasurePlan(Profile.STANDARD, MIN_SAMPLES["p99"], 3.0, 60.0, 2.0, (1, 2, 4, 8, 16, 32)),
}


@dataclass(frozen=True)
class Percentiles:
    """Milliseconds. None where there are fewer samples than `MIN_SAMPLES` asks."""

    p50: float
    p90: float | None
    p95: float | None
    p99: float | None


@dataclass(frozen=True)
class Measurement:
    """One scenario on one target.

    `throughput_per_s` counts items (batch x queries) per second of wall time. `steal_fraction` is the
    share of time the hypervisor took from the pinned cores, `busy_others_fraction` what other processes
    used of them. `status_reason` says by which rule the status was given.
    """

    scenario: Scenario
    batch_size: int
    threads: int
    cores: tuple[int, ...]
    samples: int
    warmup_samples: int
    duration_s: float
    latency_ms: Percentiles
    latency_mean_ms: float
    latency_min_ms: float
    latency_max_ms: float
    throughput_per_s: float
    status: Status
    status_reason: str
    steal_fraction: float | None = None
    busy_others_fraction: float | None = None
    raw_samples: str | None = None


@dataclass(frozen=True)
class Quality:
    """Agreement with the uploaded model on the same inputs, over all outputs; the worst one counts.

    `max_abs` and `max_rel` (relative to the largest magnitude of the reference output over all samples, 1
    at least for an output between 0 and 1) are over every element, `cosine` is the smallest over outputs,
    `top1` the share of rows with the same arg-max (None where no output has a class axis). `batch_sizes` are
    those compared.
    """

    verdict: Verdict
    max_abs: float | None
    max_rel: float | None
    cosine: float | None
    top1: float | None
    tolerance: Mapping[str, float] = field(default_factory=dict)
    batch_sizes: tuple[int, ...] = ()
    note: str = ""
