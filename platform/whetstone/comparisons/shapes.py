"""From a comparison to what is said over HTTP."""

from typing import Any, cast

from optimizers.spec.measurement import Quality
from optimizers.spec.metrics import METRIC_NAMES
from whetstone.comparisons.domain import Candidate
from whetstone.comparisons.queries import RunComparison
from whetstone.comparisons.schemas import (
    CandidateArtifact,
    CandidateOut,
    ComparisonOut,
    NotComparedOut,
    ParetoOut,
    QualitySummary,
)
from whetstone.fleet.api import target_price_out
from whetstone.fleet.schemas import TargetRef


def comparison_out(found: RunComparison) -> ComparisonOut:
    compared = found.comparison
    pareto = compared.pareto
    return ComparisonOut(
        run_id=found.run.pk,
        objective=compared.goal.objective,
        sla_p99_ms=compared.goal.sla_p99_ms,
        metrics=list(METRIC_NAMES),
        candidates=[_candidate_out(candidate, found) for candidate in compared.candidates],
        pareto=ParetoOut(x=pareto.x, y=pareto.y, job_ids=list(pareto.job_ids), axis_note=pareto.axis_note),
        winner_job_id=compared.winner.job_id if compared.winner else None,
        not_compared=[
            NotComparedOut(reason=each.reason, job_ids=list(each.job_ids)) for each in compared.not_compared
        ],
    )


def _candidate_out(candidate: Candidate, found: RunComparison) -> CandidateOut:
    measured, job = candidate.measured, found.jobs[candidate.job_id]
    target: Any = job.target
    result, single = measured.result, measured.single_stream
    price, artifact = found.prices.get(target.pk), found.artifacts.get(job.pk)
    return CandidateOut(
        job_id=job.pk,
        target=TargetRef(id=target.pk, slug=target.slug, name=target.name),
        recipe_label=job.recipe_label,
        recipe_id=measured.recipe.id,
        recipe_fingerprint=job.recipe_fingerprint,
        backend=measured.recipe.backend,
        is_baseline=job.is_baseline,
        state=cast(Any, job.state),
        failure=measured.failure,
        precision_requested=str(measured.recipe.precision),
        precision_effective=result.precision_effective if result else None,
        device_effective=result.device_effective if result else None,
        status=single.status if single else None,
        values=dict(candidate.figures.values),
        missing=dict(candidate.figures.missing),
        versus_baseline=dict(candidate.versus_baseline),
        speedup=candidate.speedup,
        quality=_quality_summary(result.quality) if result and result.quality else None,
        price=target_price_out(price) if price else None,
        recommended=candidate.recommended,
        not_recommended_because=" ".join(candidate.objections) or None,
        on_pareto=candidate.on_pareto,
        artifact=CandidateArtifact(id=artifact.pk, filename=artifact.filename, size_bytes=artifact.size_bytes)
        if artifact
        else None,
        fingerprint_hash=measured.fingerprint_hash or None,
        samples=single.samples if single else None,
    )


def _quality_summary(quality: Quality) -> QualitySummary:
    return QualitySummary(
        verdict=quality.verdict,
        max_abs=quality.max_abs,
        max_rel=quality.max_rel,
        cosine=quality.cosine,
        top1=quality.top1,
        note=quality.note,
    )
