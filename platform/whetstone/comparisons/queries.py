"""Reads a run's jobs, measurements, files and prices, and compares them: five queries for any run."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef

from optimizers.spec.codec import from_json
from optimizers.spec.errors import Failure
from optimizers.spec.measurement import Measurement as MeasurementSpec
from optimizers.spec.measurement import Quality
from optimizers.spec.names import ArtifactKind, Objective
from optimizers.spec.recipe import Recipe
from whetstone.accounts.models import Workspace
from whetstone.comparisons.compare import compare
from whetstone.comparisons.domain import Comparison, Goal, Measured, Result
from whetstone.fleet.models import TargetPrice
from whetstone.fleet.queries import target_prices
from whetstone.registry.models import Artifact
from whetstone.runs.models import Job, Measurement, Run
from whetstone.runs.queries import run_get


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The comparison, and the rows behind it by job id and by target id."""

    run: Run
    comparison: Comparison
    jobs: dict[str, Job]
    artifacts: dict[str, Artifact]
    prices: dict[str, TargetPrice]


def run_comparison(workspace: Workspace, run_id: str) -> RunComparison:
    """NotFound for another workspace's run. A job that was retried is left out for its retry."""
    return run_compared(workspace, run_get(workspace, run_id))


def run_compared(workspace: Workspace, run: Run) -> RunComparison:
    retried = Exists(Job.objects.filter(retry_of=OuterRef("pk"), run=run))
    jobs = list(Job.objects.filter(run=run).exclude(retried).select_related("target").order_by("pk"))
    ids = [job.pk for job in jobs]
    measurements: dict[str, list[MeasurementSpec]] = defaultdict(list)
    for row in Measurement.objects.filter(job_id__in=ids).order_by("pk"):
        measurements[row.job_id].append(from_json(MeasurementSpec, row.data))
    prices = target_prices(workspace, {job.target_id for job in jobs if job.target_id})
    measured = [_measured(job, measurements[job.pk], prices.get(job.target_id or "")) for job in jobs]
    return RunComparison(
        run=run,
        comparison=compare(measured, Goal(Objective(run.objective), run.sla_p99_ms)),
        jobs={job.pk: job for job in jobs},
        artifacts=_optimized_models(ids),
        prices=prices,
    )


def _optimized_models(job_ids: Sequence[str]) -> dict[str, Artifact]:
    rows = Artifact.objects.filter(
        created_by_job_id__in=job_ids, kind=str(ArtifactKind.OPTIMIZED_MODEL)
    ).order_by("-pk")
    return {row.created_by_job_id or "": row for row in rows}


def _measured(job: Job, measurements: list[MeasurementSpec], price: TargetPrice | None) -> Measured:
    target: Any = job.target
    return Measured(
        job_id=job.pk,
        target_id=target.pk,
        target_name=target.name,
        device=target.device,
        recipe=from_json(Recipe, job.recipe),
        is_baseline=job.is_baseline,
        state=job.state,
        failure=from_json(Failure, job.failure) if job.failure else None,
        result=_result(job.report) if job.report else None,
        measurements=tuple(measurements),
        fingerprint_hash=job.fingerprint_hash,
        usd_per_hour=float(price.usd_per_hour) if price else None,
    )


def _result(report: dict[str, Any]) -> Result:
    """From the stored report, which was checked when it came in."""
    quality = report.get("quality")
    return Result(
        precision_effective=report.get("precision_effective"),
        device_effective=report.get("device_effective"),
        quality=from_json(Quality, quality) if quality else None,
        artifact_size_bytes=report.get("artifact_size_bytes"),
        load_ms=report.get("load_ms"),
        first_inference_ms=report.get("first_inference_ms"),
        compile_s=report.get("compile_s"),
        peak_memory_bytes=report.get("peak_memory_bytes"),
    )
