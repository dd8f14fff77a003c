"""From rows to what is said over HTTP."""

from typing import Any, cast

from optimizers.spec.codec import from_json
from optimizers.spec.errors import Failure
from optimizers.spec.measurement import Measurement
from optimizers.spec.names import ArtifactKind, JobKind, Objective, Profile
from optimizers.spec.recipe import Recipe
from whetstone.fleet.schemas import TargetRef
from whetstone.registry.models import Artifact
from whetstone.runs.domain import StageList, stage_views
from whetstone.runs.models import JobEvent
from whetstone.runs.queries import JobView, RunView
from whetstone.runs.schemas import ArtifactRef, JobCounts, JobEventOut, JobOut, RunOut, StageInfo, SummaryOut


def run_out(view: RunView) -> RunOut:
    run = view.run
    return RunOut(
        id=run.pk,
        name=run.name,
        state=cast(Any, run.state),
        model_id=run.version.model_id,
        model_name=run.version.model.name,
        version_id=run.version_id,
        version_number=run.version.number,
        profile=Profile(run.profile),
        objective=Objective(run.objective),
        sla_p99_ms=run.sla_p99_ms,
        dims=run.dims,
        dataset_id=run.dataset_id,
        created_at=run.created_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        deadline_at=run.deadline_at,
        cancel_requested=run.cancel_requested_at is not None,
        retry_of=run.retry_of_id,
        job_counts=JobCounts(total=sum(view.counts.values()), **view.counts),
        targets=[TargetRef(id=target.id, slug=target.slug, name=target.name) for target in view.targets],
        summary=SummaryOut.model_validate(run.summary) if run.summary else None,
        estimated_seconds_left=view.seconds_left,
    )


def job_out(view: JobView, *, with_measurements: bool = False) -> JobOut:
    job = view.job
    target = job.target
    measured = [from_json(Measurement, row.data) for row in view.measurements] if with_measurements else None
    return JobOut(
        id=job.pk,
        run_id=job.run_id,
        version_id=job.version_id,
        kind=JobKind(job.kind),
        target=TargetRef(id=target.pk, slug=target.slug, name=target.name) if target else None,
        recipe_label=job.recipe_label,
        recipe=from_json(Recipe, job.recipe) if job.recipe else None,
        recipe_fingerprint=job.recipe_fingerprint,
        is_baseline=job.is_baseline,
        state=cast(Any, job.state),
        stage=job.stage,
        progress=job.progress,
        stages=[
            StageInfo(name=stage.name, state=cast(Any, stage.state), seconds=stage.seconds)
            for stage in stage_views(job.kind, job.state, StageList.read(job.stages))
        ],
        attempt=job.attempt,
        cancel_requested=job.cancel_requested_at is not None,
        created_at=job.created_at,
        started_at=job.started_at,
        ended_at=job.ended_at,
        failure=from_json(Failure, job.failure) if job.failure else None,
        why=job.why,
        retry_of=job.retry_of_id,
        artifacts=[_artifact_ref(artifact) for artifact in view.artifacts],
        measurements=measured,
    )


def event_out(event: JobEvent) -> JobEventOut:
    return JobEventOut(
        seq=event.seq,
        at=event.created_at,
        kind=cast(Any, event.kind),
        stage=event.stage,
        message=event.message,
        data=event.data,
        attempt=event.attempt,
    )


def _artifact_ref(artifact: Artifact) -> ArtifactRef:
    return ArtifactRef(
        id=artifact.pk,
        kind=ArtifactKind(artifact.kind),
        filename=artifact.filename,
        size_bytes=artifact.size_bytes,
        sha256=artifact.sha256,
    )
