"""Checks what a runner hands in. Its engine opens strangers' files, so nothing of it is taken on trust.

A report that does not hold together is refused as a whole: half of a lie is no measurement.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from optimizers.spec.codec import CodecError, from_json
from optimizers.spec.errors import CATALOG, Failure
from optimizers.spec.job import SCHEMA_VERSION, JobReport
from optimizers.spec.measurement import MIN_SAMPLES, Measurement
from optimizers.spec.names import Device, JobKind, Precision, Scenario, Status
from whetstone.core.text import is_plain

MAX_DEPTH = 12
MAX_VALUES = 50_000
MAX_ITEMS = 5_000
MAX_TEXT = 4_000
MAX_KEY = 512
MAX_INTEGER = 2**63
MAX_MEASUREMENTS = 64
MAX_BATCH = 65_536
_SLACK = 1.0 + 1e-6


class ReportInvalid(ValueError):
    """Says in one sentence what does not hold together, without quoting the sender at length."""


def text_clean(text: str, limit: int) -> str:
    """Shown text: invisible and control characters become �, and `limit` characters are enough."""
    cut = text[:limit]
    return cut if is_plain(cut) else "".join(letter if is_plain(letter) else "�" for letter in cut)


def document_clean(document: object) -> object:
    """The same JSON with clean texts. ReportInvalid if it is too deep, too long or holds a giant number."""
    budget = [MAX_VALUES]

    def clean(value: object, depth: int) -> object:
        budget[0] -= 1
        if depth > MAX_DEPTH or budget[0] < 0:
            raise ReportInvalid("It is too deep or holds too many values.")
        match value:
            case str():
                return text_clean(value, MAX_TEXT)
            case dict():
                return _clean_object(value, depth, clean)
            case list():
                if len(value) > MAX_ITEMS:
                    raise ReportInvalid(f"A list has more than {MAX_ITEMS} items.")
                return [clean(item, depth + 1) for item in value]
            case bool() | None:
                return value
            case int() | float() if math.isfinite(value) and abs(value) < MAX_INTEGER:
                return value
        raise ReportInvalid("A number is too large or not finite.")

    return clean(document, 0)


def _clean_object(
    value: dict[str, object], depth: int, clean: Callable[[object, int], object]
) -> dict[str, object]:
    if len(value) > MAX_ITEMS:
        raise ReportInvalid(f"An object has more than {MAX_ITEMS} keys.")
    return {text_clean(key, MAX_KEY): clean(item, depth + 1) for key, item in value.items()}


def failure_read(document: object) -> Failure:
    """A failure whose code is in the catalog; its side and whether a retry helps are the catalog's."""
    try:
        said = from_json(Failure, document_clean(document))
    except CodecError as error:
        raise ReportInvalid(f"failure{error}"[:300]) from None
    kind = CATALOG.get(said.code)
    if kind is None:
        raise ReportInvalid("The failure's code is not in the catalog.")
    detail = {key[:100]: value for key, value in list(said.detail.items())[:20]}
    return Failure(
        code=said.code,
        side=kind.side,
        message=said.message[:500] or kind.message,
        hint=said.hint[:500] or kind.hint,
        retryable=kind.retryable,
        detail=detail,
    )


def report_read(document: object, *, job_id: str, kind: str, succeeded: bool) -> JobReport:
    """The report of this job, checked. `succeeded`: whether the runner says that it has a result."""
    try:
        report = from_json(JobReport, document_clean(document))
    except CodecError as error:
        raise ReportInvalid(str(error)[:300]) from None
    if report.schema_version != SCHEMA_VERSION or report.job_id != job_id:
        raise ReportInvalid("It is the report of another job or schema.")
    if (report.failure is None) != succeeded:
        raise ReportInvalid("The outcome and the report contradict each other.")
    if report.failure is not None:
        return replace(report, failure=failure_read(_plain_failure(document)), measurements=())
    _check_common(report)
    if kind == JobKind.INSPECT:
        if report.description is None:
            raise ReportInvalid("An inspection without a description.")
    else:
        _check_result(report)
    return report


def _plain_failure(document: object) -> object:
    return document.get("failure") if isinstance(document, dict) else None


def _check_common(report: JobReport) -> None:
    _need(len(report.findings) <= 500, "More than 500 findings.")
    _need(len(report.stages) <= 50, "More than 50 stages.")
    _need(all(0 <= stage.seconds < 1e7 for stage in report.stages), "A stage took an impossible time.")
    for value in (report.load_ms, report.first_inference_ms, report.compile_s):
        _need(value is None or 0 <= value < 1e9, "A time is negative or impossible.")
    for size in (report.artifact_size_bytes, report.peak_memory_bytes):
        _need(size is None or 0 <= size < 2**50, "A size is negative or impossible.")


def _check_result(report: JobReport) -> None:
    _need(report.precision_effective in tuple(Precision), "It does not say in which precision it ran.")
    _need(report.device_effective in tuple(Device), "It does not say on which device it ran.")
    _need(report.fingerprint is not None, "It does not say on which machine it ran.")
    _need(report.quality is not None, "It does not say how the answers agree.")
    _check_quality(report)
    _need(0 < len(report.measurements) <= MAX_MEASUREMENTS, "No measurements, or too many.")
    _need(
        sum(m.scenario == Scenario.SINGLE_STREAM for m in report.measurements) == 1,
        "Exactly one SingleStream measurement is expected.",
    )
    settings = [(m.scenario, m.batch_size) for m in report.measurements]
    _need(len(set(settings)) == len(settings), "A scenario was measured twice.")
    for measurement in report.measurements:
        _check_measurement(measurement)


def _check_quality(report: JobReport) -> None:
    quality = report.quality
    if quality is None:
        return
    for error in (quality.max_abs, quality.max_rel):
        _need(error is None or error >= 0, "An error is negative.")
    _need(quality.cosine is None or abs(quality.cosine) <= _SLACK, "A cosine is beyond 1.")
    _need(quality.top1 is None or 0 <= quality.top1 <= 1, "A share is beyond 0 to 1.")


def _check_measurement(found: Measurement) -> None:
    counts = (found.samples, found.batch_size, found.threads)
    _need(all(count >= 1 for count in counts) and found.warmup_samples >= 0, "A count is below 1.")
    _need(found.batch_size <= MAX_BATCH, "A batch is impossible.")
    _need(found.duration_s > 0 and found.throughput_per_s > 0, "A time or a rate is not above 0.")
    latency = found.latency_ms
    given = [latency.p50, latency.p90, latency.p95, latency.p99]
    steps = [found.latency_min_ms, *(step for step in given if step is not None), found.latency_max_ms]
    _need(steps[0] > 0 and _grows(steps), "Latencies that do not grow from minimum to maximum.")
    _need(
        found.latency_min_ms <= found.latency_mean_ms * _SLACK
        and found.latency_mean_ms <= found.latency_max_ms * _SLACK,
        "A mean outside of minimum and maximum.",
    )
    for name, value in (("p90", latency.p90), ("p95", latency.p95), ("p99", latency.p99)):
        _need(value is None or found.samples >= MIN_SAMPLES[name], f"{name} from too few samples.")
    for share in (found.steal_fraction, found.busy_others_fraction):
        _need(share is None or share >= 0, "A share is negative.")
    _check_rate(found)


def _check_rate(found: Measurement) -> None:
    """Items over time is what the rate must be; a tenth is left for how the two clocks were read."""
    items = found.samples * found.batch_size / found.duration_s
    _need(0.9 <= found.throughput_per_s / items <= 1.1, "The rate does not follow from samples and time.")
    _need(found.status in tuple(Status), "The status is unknown.")


def _grows(values: Sequence[float]) -> bool:
    return all(first <= second * _SLACK for first, second in pairwise(values))


def _need(holds: Any, sentence: str) -> None:
    if not holds:
        raise ReportInvalid(sentence)
