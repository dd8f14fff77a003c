"""The comparison of a run, and what its metrics mean."""

import csv
import io
from dataclasses import asdict
from typing import Any, cast

from django.http import HttpResponse
from ninja import Router

from optimizers.spec.metrics import METRIC_NAMES, METRICS
from whetstone.accounts.auth import ApiRequest
from whetstone.comparisons.domain import Candidate
from whetstone.comparisons.queries import RunComparison, run_comparison
from whetstone.comparisons.schemas import (
    CandidateArtifact,
    CandidateOut,
    ComparisonOut,
    MetricOut,
    MetricsOut,
    NotComparedOut,
    ParetoOut,
    QualityOut,
)
from whetstone.fleet.api import target_price_out
from whetstone.fleet.schemas import TargetRef
from whetstone.runs.queries import run_get

router = Router(tags=["Comparison"])
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@router.get("/metrics", response=MetricsOut, operation_id="metric_list", summary="List the metrics")
def metric_list(request: ApiRequest) -> MetricsOut:
    """One definition each: unit, direction, formula."""
    return MetricsOut(items=[MetricOut.model_validate(asdict(metric)) for metric in METRICS])


@router.get(
    "/runs/{run_id}/comparison",
    response=ComparisonOut,
    operation_id="run_comparison",
    summary="Compare a run's results",
)
def run_comparison_get(request: ApiRequest, run_id: str) -> ComparisonOut:
    """Every target x recipe with its figures; complete once the run has ended."""
    found = run_comparison(request.workspace, run_get(request.workspace, run_id))
    compared = found.comparison
    return ComparisonOut(
        run_id=found.run.pk,
        objective=found.run.objective,
        sla_p99_ms=found.run.sla_p99_ms,
        metrics=list(METRIC_NAMES),
        candidates=[_candidate_out(found, candidate) for candidate in compared.candidates],
        pareto=ParetoOut(**{**asdict(compared.pareto), "job_ids": list(compared.pareto.job_ids)}),
        winner_job_id=compared.winner.job_id if compared.winner else None,
        not_compared=[
            NotComparedOut(reason=group.reason, job_ids=list(group.job_ids))
            for group in compared.not_compared
        ],
    )


def _candidate_out(found: RunComparison, candidate: Candidate) -> CandidateOut:
    measured, job = candidate.measured, found.jobs[candidate.job_id]
    assert job.target is not None
    result, single = measured.result, measured.single_stream
    price, artifact = found.prices.get(measured.target_id), found.artifacts.get(candidate.job_id)
    return CandidateOut(
        job_id=candidate.job_id,
        target=TargetRef(id=job.target.pk, slug=job.target.slug, name=job.target.name),
        recipe_label=measured.recipe.label,
        recipe_id=measured.recipe.id,
        recipe_fingerprint=job.recipe_fingerprint,
        backend=measured.recipe.backend,
        is_baseline=measured.is_baseline,
        state=cast(Any, measured.state),
        failure=measured.failure,
        precision_requested=str(measured.recipe.precision),
        precision_effective=result.precision_effective if result else None,
        device_effective=result.device_effective if result else None,
        status=cast(Any, str(single.status)) if single else None,
        values=dict(candidate.figures.values),
        missing=dict(candidate.figures.missing),
        versus_baseline=dict(candidate.versus_baseline),
        speedup=candidate.speedup,
        quality=_quality_out(candidate),
        price=target_price_out(price) if price else None,
        recommended=candidate.recommended,
        not_recommended_because=candidate.objections[0] if candidate.objections else None,
        on_pareto=candidate.on_pareto,
        artifact=_artifact_out(artifact.pk, artifact.filename, artifact.size_bytes) if artifact else None,
        fingerprint_hash=measured.fingerprint_hash,
        samples=single.samples if single else None,
    )


def _artifact_out(artifact_id: str, filename: str, size_bytes: int) -> CandidateArtifact:
    return CandidateArtifact(id=artifact_id, filename=filename, size_bytes=size_bytes)


def _quality_out(candidate: Candidate) -> QualityOut | None:
    quality = candidate.measured.result.quality if candidate.measured.result else None
    if quality is None:
        return None
    return QualityOut(
        verdict=cast(Any, str(quality.verdict)),
        max_abs=quality.max_abs,
        max_rel=quality.max_rel,
        cosine=quality.cosine,
        top1=quality.top1,
        note=quality.note,
    )


@router.get(
    "/runs/{run_id}/comparison.csv",
    operation_id="run_comparison_csv",
    summary="Compare a run's results, as CSV",
)
def run_comparison_csv(request: ApiRequest, run_id: str) -> HttpResponse:
    """One row a job, full precision. Text that a spreadsheet would run as a formula begins with a quote."""
    found = run_comparison(request.workspace, run_get(request.workspace, run_id))
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["target", "recipe", "state", "precision", "speedup", *METRIC_NAMES])
    for candidate in found.comparison.candidates:
        measured = candidate.measured
        precision = measured.result.precision_effective if measured.result else ""
        figures = [candidate.value(name) for name in METRIC_NAMES]
        named = [csv_cell(measured.target_name), csv_cell(measured.recipe.label), measured.state, precision]
        rows.writerow([*named, candidate.speedup, *figures])
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{found.run.pk}.csv"'
    return answer


def csv_cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
