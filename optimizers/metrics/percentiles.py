"""Percentiles by linear interpolation between closest ranks (numpy's default), without numpy."""

from __future__ import annotations

from collections.abc import Sequence

from optimizers.spec.measurement import MIN_SAMPLES, Percentiles


def percentile(ordered: Sequence[float], q: float) -> float:
    """The q-th percentile, 0 to 100, of values sorted ascending; at least one is needed."""
    position = (len(ordered) - 1) * q / 100.0
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def median(values: Sequence[float]) -> float:
    return percentile(sorted(values), 50.0)


def percentiles(ordered_ms: Sequence[float]) -> Percentiles:
    """Milliseconds; None where MIN_SAMPLES asks for more samples than there are."""

    def known(name: str, q: float) -> float | None:
        return percentile(ordered_ms, q) if len(ordered_ms) >= MIN_SAMPLES[name] else None

    return Percentiles(
        percentile(ordered_ms, 50.0), known("p90", 90.0), known("p95", 95.0), known("p99", 99.0)
    )
