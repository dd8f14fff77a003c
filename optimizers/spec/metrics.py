"""Every metric has one definition: unit, direction, formula. The page shows it behind an "i"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MetricDefinition:
    """`direction` is which way is better: `lower`, `higher` or `none`."""

    name: str
    title: str
    unit: str
    direction: str
    formula: str
    description: str


def _metric(
    name: str, title: str, unit: str, direction: str, formula: str, description: str
) -> MetricDefinition:
    return MetricDefinition(name, title, unit, direction, formula, description)


_LATENCY = "One query at a time, batch as bound for the run, after warm-up. Nothing is discarded."

METRICS: tuple[MetricDefinition, ...] = (
    _metric("latency_p50_ms", "Latency p50", "ms", "lower", "median of SingleStream query times", _LATENCY),
    _metric("latency_p90_ms", "Latency p90", "ms", "lower", "90th percentile; needs 64 samples", _LATENCY),
    _metric("latency_p95_ms", "Latency p95", "ms", "lower", "95th percentile; needs 130 samples", _LATENCY),
    _metric("latency_p99_ms", "Latency p99", "ms", "lower", "99th percentile; needs 662 samples", _LATENCY),
    _metric(
        "throughput_per_s",
        "Throughput",
        "items/s",
        "higher",
        "items / wall time of the Offline scenario at its best batch size",
        "Saturated: the next batch starts as soon as the last one ends. With a fixed batch, that batch.",
    ),
    _metric(
        "throughput_batch",
        "Best batch",
        "items",
        "none",
        "batch size at which throughput_per_s was reached",
        "The best of the batch sizes that were tried.",
    ),
    _metric(
        "usd_per_million",
        "Cost per million",
        "USD",
        "lower",
        "1e6 x price per hour / (3600 x rate served within the SLA)",
        "Without an SLA the rate is throughput_per_s; with one, the rate of the best setting whose p99 stays "
        "within it. No price, no figure.",
    ),
    _metric(
        "inferences_per_usd",
        "Inferences per dollar",
        "1/USD",
        "higher",
        "1e6 / usd_per_million",
        "The same figure the other way up.",
    ),
    _metric(
        "peak_memory_bytes",
        "Peak memory",
        "bytes",
        "lower",
        "largest resident set of the measuring process",
        "A fresh process that only loads the artifact and serves it; the interpreter and library are in it.",
    ),
    _metric(
        "artifact_size_bytes", "Artifact size", "bytes", "lower", "size of the files to deploy", "On disk."
    ),
    _metric(
        "load_ms",
        "Load time",
        "ms",
        "lower",
        "time from opening the artifact to ready",
        "In a fresh process, after the library itself is imported.",
    ),
    _metric(
        "first_inference_ms",
        "First inference",
        "ms",
        "lower",
        "time of the first query after loading",
        "Before any warm-up: what a cold start adds.",
    ),
    _metric(
        "compile_s", "Compile time", "s", "lower", "convert + optimize + compile", "Paid once per artifact."
    ),
    _metric(
        "quality_max_abs",
        "Max abs error",
        "",
        "lower",
        "max |y - y_uploaded| over all outputs",
        "Against the uploaded model's outputs on the same inputs.",
    ),
    _metric(
        "quality_cosine",
        "Cosine similarity",
        "",
        "higher",
        "smallest cosine of y and y_uploaded over outputs",
        "1 means the same direction. Against the uploaded model's outputs on the same inputs.",
    ),
    _metric(
        "quality_top1",
        "Top-1 agreement",
        "",
        "higher",
        "share of rows with the same arg-max",
        "Only where an output has a class axis.",
    ),
)

METRIC_NAMES: tuple[str, ...] = tuple(metric.name for metric in METRICS)
