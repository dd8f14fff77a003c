"""The last word of an attempt: one transaction, guarded by token and state; cancel wins over success."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from optimizers.spec.codec import to_json
from optimizers.spec.errors import Failure, failure
from optimizers.spec.host import fingerprint_hash
from optimizers.spec.job import JobReport
from optimizers.spec.measurement import Measurement as MeasurementSpec
from optimizers.spec.names import ArtifactKind, Outcome
from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict
from whetstone.core.storage import storage
from whetstone.core.text import filename_clean
from whetstone.fleet.models import Host
from whetstone.registry.models import Artifact
from whetstone.registry.services import artifact_create
from whetstone.runs.domain import INFRASTRUCTURE_CODES, AttemptState, JobState, StageList
from whetstone.runs.models import Job, JobAttempt, Measurement
from whetstone.runs.reports import ReportInvalid, failure_read, report_read
from whetstone.runs.services.artifacts import artifact_prefix
from whetstone.runs.services.ending import run_end_if_done
from whetstone.runs.services.inspections import inspection_succeeded
from whetstone.runs.services.leases import (
    attempt_end,
    held,
    holder_check,
    job_ended,
    job_requeue,
    tries_left,
)
from whetstone.runs.services.transitions import run_lock

logger = logging.getLogger("whetstone.runs")
# What may be kept of a job that has no result.
_KEPT_WITHOUT_RESULT = frozenset({ArtifactKind.LOG, ArtifactKind.TRACE})


@dataclass(frozen=True, slots=True)
class FinishedArtifact:
    artifact_key: str
    kind: ArtifactKind
    filename: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FinishedJob:
    """As the runner says it: `report` and `failure` are plain JSON, not looked at yet."""

    outcome: Outcome
    report: object
    failure: object
    artifacts: tuple[FinishedArtifact, ...]


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What we believe of it."""

    outcome: Outcome
    report: JobReport | None
    why: Failure | None
    artifacts: tuple[FinishedArtifact, ...]


def job_finish(*, host: Host, job_id: str, token: int, said: FinishedJob) -> str:
    """Ends the attempt and gives the job's state. Conflict("LEASE_LOST"): too late, nothing was written.

    Sent again by a runner that did not hear the answer, it gives the state that was written.
    """
    job = holder_check(host=host, job_id=job_id, token=token)
    if (written := _written(job, token)) is not None:
        return written
    verdict = _verdict(job, token, said)
    with transaction.atomic():
        run = run_lock(job.run_id)
        job = Job.objects.select_related("version", "target", "workspace").get(pk=job_id)
        state = _end(job, token, verdict, db_now())
        run_end_if_done(run)
    return state


def _written(job: Job, token: int) -> str | None:
    """The state that this token's finish led to, if it has been written."""
    if job.state == JobState.RUNNING:
        return None
    ended = JobAttempt.objects.filter(pk=token).exclude(
        state__in=[AttemptState.RUNNING, AttemptState.LOST, AttemptState.RELEASED]
    )
    if not ended.exists():
        raise Conflict("LEASE_LOST")
    return job.state


def _verdict(job: Job, token: int, said: FinishedJob) -> _Verdict:
    """Asks the store, so it is made before the transaction."""
    try:
        verdict = _believed(job, said)
        prefix = artifact_prefix(job, token)
        if any(not artifact.artifact_key.startswith(prefix) for artifact in said.artifacts):
            raise ReportInvalid("A file lies outside of the attempt's own keys.")
        if len({artifact.artifact_key for artifact in said.artifacts}) != len(said.artifacts):
            raise ReportInvalid("A file is named twice.")
    except ReportInvalid as invalid:
        logger.warning("job %s: refused its report: %s", job.pk, invalid)
        return _Verdict(Outcome.FAILED, None, failure("PROTOCOL_ERROR", reason=str(invalid)[:300]), ())
    for artifact in verdict.artifacts:
        if storage().stat(artifact.artifact_key) != artifact.size_bytes:
            why = failure("STORAGE_UNAVAILABLE", "A file of the result is not in the store.")
            return _Verdict(Outcome.FAILED, None, why, ())
    return verdict


def _believed(job: Job, said: FinishedJob) -> _Verdict:
    succeeded = said.outcome is Outcome.SUCCEEDED
    report = None
    if said.report is not None:
        report = report_read(said.report, job_id=job.pk, kind=job.kind, succeeded=succeeded)
    if succeeded:
        if report is None or said.failure is not None:
            raise ReportInvalid("A success needs a report and no failure.")
        return _Verdict(said.outcome, report, None, said.artifacts)
    why = failure_read(said.failure) if said.failure is not None else report.failure if report else None
    if why is None and said.outcome is Outcome.FAILED:
        raise ReportInvalid("A failure without a reason.")
    if why is None and said.outcome is Outcome.TIMED_OUT:
        why = failure("TIME_LIMIT")
    kept = tuple(artifact for artifact in said.artifacts if artifact.kind in _KEPT_WITHOUT_RESULT)
    return _Verdict(said.outcome, report, why, kept)


def _end(job: Job, token: int, verdict: _Verdict, now: datetime) -> str:
    """The transition; every branch is one conditional UPDATE on token and state."""
    if verdict.outcome is Outcome.SUCCEEDED:
        state = _succeed(job, token, verdict, now)
    elif _worth_another_try(job, verdict, now) and verdict.why is not None:
        guard = held(job.pk, token).filter(cancel_requested_at__isnull=True)
        if job_requeue(
            job=job,
            token=token,
            now=now,
            state=AttemptState.FAILED,
            message=verdict.why.message,
            guard=guard,
            why=verdict.why,
        ):
            return JobState.QUEUED
        state = _fail(job, token, replace(verdict, outcome=Outcome.CANCELLED), now)
    else:
        state = _fail(job, token, verdict, now)
    _commit_artifacts(job, verdict.artifacts if state == verdict.outcome else ())
    return state


def _worth_another_try(job: Job, verdict: _Verdict, now: datetime) -> bool:
    """Infrastructure's fault, tries left, and nobody has asked to stop."""
    return (
        verdict.why is not None
        and verdict.outcome is Outcome.FAILED
        and verdict.why.code in INFRASTRUCTURE_CODES
        and tries_left(job)
        and job.deadline_at > now
    )


def _succeed(job: Job, token: int, verdict: _Verdict, now: datetime) -> str:
    report = verdict.report
    assert report is not None
    guard = held(job.pk, token)
    changed = guard.filter(cancel_requested_at__isnull=True).update(
        state=JobState.SUCCEEDED,
        progress=1.0,
        report=_report_kept(report),
        fingerprint_hash=fingerprint_hash(report.fingerprint) if report.fingerprint else "",
        **_ending(job, report, now),
    )
    if not changed:
        return _fail(job, token, _Verdict(Outcome.CANCELLED, None, None, ()), now)
    attempt_end(token=token, state=AttemptState.SUCCEEDED, now=now)
    if job.run_id is None:
        inspection_succeeded(job=job, report=report)
    job_ended(job=job, run_id=job.run_id, state=JobState.SUCCEEDED, token=token, now=now)
    _write_measurements(job, token, report.measurements)
    return JobState.SUCCEEDED


def _fail(job: Job, token: int, verdict: _Verdict, now: datetime) -> str:
    """failed, cancelled or timed_out, which the outcomes share their names with."""
    state = str(verdict.outcome)
    changed = held(job.pk, token).update(
        state=state,
        failure=to_json(verdict.why) if verdict.why else None,
        **_ending(job, verdict.report, now),
    )
    if not changed:
        raise Conflict("LEASE_LOST")
    attempt_end(token=token, state=state, now=now, why=verdict.why)
    job_ended(job=job, run_id=job.run_id, state=state, token=token, now=now, why=verdict.why)
    return state


def _ending(job: Job, report: JobReport | None, now: datetime) -> dict[str, Any]:
    values: dict[str, Any] = {"ended_at": now, "lease_expires_at": None}
    if report is not None:
        times = [(str(stage.name)[:20], stage.seconds) for stage in report.stages]
        values["stages"] = StageList.read(job.stages).timed(times).as_json()
    return values


def _report_kept(report: JobReport) -> object:
    """Without what has rows of its own: measurements, artifacts and the version's description."""
    return to_json(replace(report, measurements=(), files=(), description=None))


def _write_measurements(job: Job, token: int, measured: Sequence[MeasurementSpec]) -> None:
    Measurement.objects.bulk_create(
        Measurement(
            job=job,
            attempt_token=token,
            scenario=str(found.scenario),
            batch_size=found.batch_size,
            data=to_json(found),
        )
        for found in measured
    )


def _commit_artifacts(job: Job, artifacts: Sequence[FinishedArtifact]) -> None:
    by_name: dict[str, Artifact] = {}
    for artifact in artifacts:
        by_name[artifact.filename] = artifact_create(
            workspace=job.workspace,
            kind=str(artifact.kind),
            filename=filename_clean(artifact.filename) or "file",
            sha256=artifact.sha256,
            size_bytes=artifact.size_bytes,
            storage_key=artifact.artifact_key,
            created_by_job_id=job.pk,
        )
    for measurement in Measurement.objects.filter(job=job) if by_name else ():
        raw = by_name.get(measurement.data.get("raw_samples") or "")
        if raw is not None:
            Measurement.objects.filter(pk=measurement.pk).update(raw_samples=raw)
