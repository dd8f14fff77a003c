"""A host takes a queued job: one conditional UPDATE decides who."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Coalesce

from optimizers.spec.codec import from_json
from optimizers.spec.host import TargetSpec
from optimizers.spec.job import FileRef, JobSpec, Limits
from optimizers.spec.measurement import MeasurePlan
from optimizers.spec.names import Device, JobKind
from optimizers.spec.recipe import Recipe
from whetstone.core.clock import db_now
from whetstone.core.errors import NotFound
from whetstone.core.storage import storage
from whetstone.core.text import key_name
from whetstone.fleet.models import Host, TargetState
from whetstone.registry.models import Artifact
from whetstone.runs.domain import JobState, RunState, wall_seconds
from whetstone.runs.models import Job, JobAttempt, Run
from whetstone.runs.services.transitions import state_event

OUTPUT_BYTES = 2 * 1024**3
MEMORY_BYTES = 8 * 1024**3


@dataclass(frozen=True, slots=True)
class Claim:
    """What the new holder needs: the token that guards its writes, the work, and links to the inputs."""

    token: int
    lease_seconds: int
    heartbeat_seconds: int
    deadline_in_seconds: float
    spec: JobSpec
    urls: Mapping[str, str]


class _Lost(Exception):
    """Somebody was faster, or the job is not to be had. Ends the transaction without a trace."""


def job_claim(*, host: Host, job_id: str) -> Claim | None:
    """queued -> running under a new token. None: lost the race, busy target, cancelled, over: drop the hint.

    NotFound for a job of another host's target: a host learns nothing of the rest of the fleet.
    """
    job = _claimable(host, job_id)
    if job is None:
        return None
    try:
        with transaction.atomic():
            token, now = _take(host, job)
    except (_Lost, IntegrityError):
        # The target's one running job, or this attempt's number, was written by another claim meanwhile.
        return None
    left = (job.deadline_at - now).total_seconds()
    spec, files = _job_spec(job, left)
    return Claim(
        token=token,
        lease_seconds=settings.LEASE_SECONDS,
        heartbeat_seconds=settings.HEARTBEAT_SECONDS,
        deadline_in_seconds=left,
        spec=spec,
        urls={
            path: storage().get_url(key, expires=settings.SIGNED_URL_LIFETIME) for path, key in files.items()
        },
    )


def _claimable(host: Host, job_id: str) -> Job | None:
    related = ("target", "version__source_artifact", "run__dataset__artifact")
    job = Job.objects.select_related(*related).filter(pk=job_id[:40]).first()
    if job is None or (job.target is not None and job.target.host_id != host.pk):
        raise NotFound()
    if job.state != JobState.QUEUED or job.cancel_requested_at is not None:
        return None
    if job.target is not None:
        busy = Job.objects.filter(target=job.target, state=JobState.RUNNING).exists()
        if busy or job.target.state != TargetState.ACTIVE:
            return None
    return job


def _take(host: Host, job: Job) -> tuple[int, datetime]:
    now = db_now()
    if job.run_id:
        Run.objects.filter(pk=job.run_id, state=RunState.QUEUED).update(
            state=RunState.RUNNING, started_at=now
        )
    attempt = JobAttempt.objects.create(job=job, number=job.attempt + 1, host=host, started_at=now)
    changed = Job.objects.filter(
        pk=job.pk,
        state=JobState.QUEUED,
        attempt=job.attempt,
        available_at__lte=now,
        cancel_requested_at__isnull=True,
        deadline_at__gt=now,
    ).update(
        state=JobState.RUNNING,
        attempt=attempt.number,
        lease_token=attempt.token,
        lease_expires_at=now + timedelta(seconds=settings.LEASE_SECONDS),
        started_at=Coalesce("started_at", Value(now)),
        stage="",
        stages=[],
        progress=0.0,
    )
    if not changed:
        raise _Lost
    message = f"Attempt {attempt.number} on {host.name}."
    state_event(job_id=job.pk, state=JobState.RUNNING, token=attempt.token, message=message)
    return attempt.token, now


def _job_spec(job: Job, seconds_left: float) -> tuple[JobSpec, dict[str, str]]:
    """The engine's job and, by the bare name it knows a file by, the key to fetch it from."""
    source = job.version.source_artifact
    model = _file_ref("model", source)
    files = {model.path: source.storage_key}
    samples = None
    run = job.run
    if run is not None and run.dataset is not None:
        samples = _file_ref("samples", run.dataset.artifact)
        files[samples.path] = run.dataset.artifact.storage_key
    profile = run.profile if run else ""
    wall = min(wall_seconds(profile, source.size_bytes), max(seconds_left, 1.0))
    spec = JobSpec(
        job_id=job.pk,
        kind=JobKind(job.kind),
        model=model,
        limits=Limits(wall, MEMORY_BYTES, OUTPUT_BYTES + 4 * source.size_bytes),
        dims=run.dims if run else {},
        recipe=from_json(Recipe, job.recipe) if job.recipe else None,
        target=_target_spec(job),
        plan=from_json(MeasurePlan, run.plan["measure"]) if run else None,
        sample_data=samples,
        seed=_seed(run.pk) if run else 0,
    )
    return spec, files


def _file_ref(prefix: str, artifact: Artifact) -> FileRef:
    path = f"{prefix}-{key_name(artifact.filename)}"
    return FileRef(path, artifact.filename, artifact.sha256, artifact.size_bytes)


def _target_spec(job: Job) -> TargetSpec | None:
    target: Any = job.target
    if target is None:
        return None
    return TargetSpec(
        slug=target.slug,
        name=target.name,
        cores=tuple(target.cores),
        device=Device(target.device),
        description=target.description,
    )


def _seed(run_id: str) -> int:
    """Every job of a run makes the same inputs."""
    return int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:4])
