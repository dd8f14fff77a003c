"""What a comparison is made of, read from the runs: four queries, however many jobs."""

from dataclasses import dataclass

from optimizers.spec.codec import from_json
from optimizers.spec.errors import Failure
from optimizers.spec.host import fingerprint_hash
from optimizers.spec.job import JobReport
from optimizers.spec.measurement import Measurement as Measured_
from optimizers.spec.names import Objective
from optimizers.spec.recipe import Recipe
from whetstone.accounts.models import Workspace
from whetstone.comparisons.compare import compare
from whetstone.comparisons.domain import Comparison, Goal, Measured, Result
from whetstone.fleet.models import TargetPrice
from whetstone.fleet.queries import target_prices
from whetstone.registry.models import Artifact, ArtifactKind
from whetstone.runs.models import Job, Run


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A comparison with the rows that its answer names: jobs, prices by target, artifacts by job."""

    run: Run
    comparison: Comparison
    jobs: dict[str, Job]
    prices: dict[str, TargetPrice]
    artifacts: dict[str, Artifact]


def run_comparison(workspace: Workspace, run: Run) -> RunComparison:
    """Every job of the run that no retry replaced, compared."""
    rows = Job.objects.filter(workspace=workspace, run=run, target__isnull=False)
    replaced = set(rows.exclude(retry_of=None).values_list("retry_of_id", flat=True))
    jobs = [job for job in rows.select_related("target").order_by("pk") if job.pk not in replaced]
    prices = target_prices(workspace, {job.target_id for job in jobs if job.target_id})
    kinds = Artifact.objects.filter(workspace=workspace, kind=ArtifactKind.OPTIMIZED_MODEL)
    artifacts = {
        row.created_by_job_id: row
        for row in kinds.filter(created_by_job_id__in=[job.pk for job in jobs])
        if row.created_by_job_id
    }
    goal = Goal(Objective(run.objective), run.sla_p99_ms)
    compared = compare([_measured(job, prices) for job in jobs], goal)
    return RunComparison(run, compared, {job.pk: job for job in jobs}, prices, artifacts)


def _measured(job: Job, prices: dict[str, TargetPrice]) -> Measured:
    assert job.target is not None
    report = from_json(JobReport, job.report) if job.report else None
    price = prices.get(job.target.pk)
    measurements: tuple[Measured_, ...] = report.measurements if report and job.state == "succeeded" else ()
    return Measured(
        job_id=job.pk,
        target_id=job.target.pk,
        target_name=job.target.name,
        device=job.target.device,
        recipe=from_json(Recipe, job.recipe),
        is_baseline=job.is_baseline,
        state=job.state,
        failure=from_json(Failure, job.failure) if job.failure else None,
        result=_result(report) if report and job.state == "succeeded" else None,
        measurements=measurements,
        fingerprint_hash=fingerprint_hash(report.fingerprint) if report and report.fingerprint else "",
        usd_per_hour=float(price.usd_per_hour) if price else None,
    )


def _result(report: JobReport) -> Result:
    return Result(
        precision_effective=report.precision_effective,
        device_effective=report.device_effective,
        quality=report.quality,
        artifact_size_bytes=report.artifact_size_bytes,
        load_ms=report.load_ms,
        first_inference_ms=report.first_inference_ms,
        compile_s=report.compile_s,
        peak_memory_bytes=report.peak_memory_bytes,
    )
