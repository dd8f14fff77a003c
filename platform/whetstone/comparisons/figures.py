"""The metrics of one job (formulas: `optimizers.spec.metrics`), each with a value or a reason."""

from collections.abc import Iterable, Mapping

from optimizers.spec.measurement import MIN_SAMPLES, Measurement, Quality
from optimizers.spec.metrics import METRIC_NAMES
from optimizers.spec.names import Scenario, Status
from whetstone.comparisons.domain import Figures, Measured, Result

SECONDS_PER_HOUR = 3600.0
MILLION = 1e6
# A rate needs no percentile, so too few samples for one do not make the rate doubtful.
_STEADY = frozenset({Status.VALID, Status.TOO_FEW_SAMPLES})
NO_PRICE = "no price"


def usd_per_million(usd_per_hour: float, rate_per_s: float) -> float:
    """1e6 x price per hour / (3600 x rate)."""
    return MILLION * usd_per_hour / (SECONDS_PER_HOUR * rate_per_s)


def figures_of(job: Measured, sla_p99_ms: float | None) -> Figures:
    """Every metric of the catalog. A job without a result has only reasons."""
    if job.result is None:
        reason = _not_measured(job)
        return Figures(dict.fromkeys(METRIC_NAMES), dict.fromkeys(METRIC_NAMES, reason), None, reason)
    found: dict[str, float | None] = {}
    why: dict[str, str] = {}
    _latency(job.single_stream, found, why)
    best, doubt = _best_offline(job.measurements)
    found["throughput_per_s"] = best.throughput_per_s if best else None
    found["throughput_batch"] = best.batch_size if best else None
    if best is None:
        why["throughput_per_s"] = why["throughput_batch"] = "the Offline scenario was not measured"
    if sla_p99_ms is None:
        rate, rate_missing = found["throughput_per_s"], why.get("throughput_per_s", "")
    else:
        rate, rate_missing = _rate_within(job.measurements, sla_p99_ms)
        doubt = ""
    _cost(job.usd_per_hour, rate, rate_missing, found, why)
    _reported(job.result, found, why)
    _quality(job.result.quality, found, why)
    values = {name: found.get(name) for name in METRIC_NAMES}
    missing = {name: why.get(name, "not reported") for name, value in values.items() if value is None}
    return Figures(values, missing, rate, rate_missing, doubt if rate is not None else "")


def _not_measured(job: Measured) -> str:
    if job.state in ("queued", "running"):
        return "not measured yet"
    return f"not measured: job {job.state.replace('_', ' ')}"


def few_samples(samples: int, percentile: str) -> str:
    """For example "not enough samples (210 of 662)"."""
    return f"not enough samples ({samples} of {MIN_SAMPLES[percentile]})"


def _latency(single: Measurement | None, found: dict[str, float | None], why: dict[str, str]) -> None:
    for percentile in ("p50", "p90", "p95", "p99"):
        name = f"latency_{percentile}_ms"
        value: float | None = getattr(single.latency_ms, percentile) if single else None
        found[name] = value
        if single is None:
            why[name] = "the SingleStream scenario was not measured"
        elif value is None:
            why[name] = few_samples(single.samples, percentile)


def _best_offline(measurements: Iterable[Measurement]) -> tuple[Measurement | None, str]:
    """The setting with the highest rate, of the steady ones if there are any; else why to doubt it."""
    offline = [m for m in measurements if m.scenario == Scenario.OFFLINE]
    steady = [m for m in offline if m.status in _STEADY]
    best = max(steady or offline, key=lambda m: m.throughput_per_s, default=None)
    doubt = best.status_reason or str(best.status) if best and not steady else ""
    return best, doubt


def _rate_within(measurements: Iterable[Measurement], sla_p99_ms: float) -> tuple[float | None, str]:
    """The rate of the best steady setting whose p99 is known and within the SLA, or why there is none."""
    steady = [m for m in measurements if m.status in _STEADY]
    known = [m for m in steady if m.latency_ms.p99 is not None]
    within = [m.throughput_per_s for m in known if (m.latency_ms.p99 or 0.0) <= sla_p99_ms]
    if within:
        return max(within), ""
    if known:
        return None, f"p99 is above {sla_p99_ms:g} ms in every setting"
    if not steady:
        return None, "no setting was steady"
    return None, f"p99: {few_samples(max(m.samples for m in steady), 'p99')}"


def _cost(
    usd_per_hour: float | None,
    rate: float | None,
    rate_missing: str,
    found: dict[str, float | None],
    why: dict[str, str],
) -> None:
    if usd_per_hour is not None and rate is not None:
        cost = usd_per_million(usd_per_hour, rate)
        found["usd_per_million"], found["inferences_per_usd"] = cost, MILLION / cost
        return
    reason = NO_PRICE if usd_per_hour is None else rate_missing
    why["usd_per_million"] = why["inferences_per_usd"] = reason


def _reported(result: Result, found: dict[str, float | None], why: dict[str, str]) -> None:
    reported: Mapping[str, float | None] = {
        "peak_memory_bytes": result.peak_memory_bytes,
        "artifact_size_bytes": result.artifact_size_bytes,
        "load_ms": result.load_ms,
        "first_inference_ms": result.first_inference_ms,
        "compile_s": result.compile_s,
    }
    found.update(reported)


def _quality(quality: Quality | None, found: dict[str, float | None], why: dict[str, str]) -> None:
    found["quality_max_abs"] = quality.max_abs if quality else None
    found["quality_cosine"] = quality.cosine if quality else None
    found["quality_top1"] = quality.top1 if quality else None
    note = (quality.note if quality else "") or "not comparable"
    why["quality_max_abs"] = why["quality_cosine"] = note
    why["quality_top1"] = "no output has a class axis" if found["quality_cosine"] is not None else note
