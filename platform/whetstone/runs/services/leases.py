"""Leases: who holds a job, handing it back, and losing it."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from optimizers.spec.codec import to_json
from optimizers.spec.errors import Failure, failure
from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict
from whetstone.fleet.models import Host
from whetstone.runs.domain import LOSSES_ALLOWED, AttemptState, JobState, back_off
from whetstone.runs.models import Job, JobAttempt
from whetstone.runs.services.ending import run_end_if_done
from whetstone.runs.services.inspections import inspection_failed
from whetstone.runs.services.transitions import (
    job_dispatch,
    run_lock,
    state_event,
    target_dispatch_next,
)


def held(job_id: str, token: int) -> QuerySet[Job, Any]:
    """The job while this token holds it: what every write of an attempt is guarded by."""
    return Job.objects.filter(pk=job_id, lease_token=token, state=JobState.RUNNING)


def holder_check(*, host: Host, job_id: str, token: int) -> Job:
    """The job that this host's token was given for. Conflict("LEASE_LOST") for any other."""
    attempt = JobAttempt.objects.filter(pk=token, job_id=job_id, host=host)
    job = Job.objects.filter(pk=job_id, lease_token=token).select_related("version", "target")
    found = job.first() if attempt.exists() else None
    if found is None:
        raise Conflict("LEASE_LOST")
    return found


def attempt_end(*, token: int, state: str, now: datetime, why: Failure | None = None) -> None:
    JobAttempt.objects.filter(pk=token, state=AttemptState.RUNNING).update(
        state=state, ended_at=now, failure=to_json(why) if why else None
    )


@transaction.atomic
def job_release(*, host: Host, job_id: str, token: int) -> None:
    """running -> queued at once, for a runner that is told to stop. Conflict("LEASE_LOST")."""
    job = holder_check(host=host, job_id=job_id, token=token)
    run = run_lock(job.run_id)
    now = db_now()
    if (
        held(job_id, token)
        .filter(cancel_requested_at__isnull=False)
        .update(state=JobState.CANCELLED, ended_at=now, lease_expires_at=None)
    ):
        attempt_end(token=token, state=AttemptState.CANCELLED, now=now)
        job_ended(job=job, run_id=job.run_id, state=JobState.CANCELLED, token=token, now=now)
        run_end_if_done(run)
        return
    if not held(job_id, token).update(state=JobState.QUEUED, lease_expires_at=None, available_at=now):
        raise Conflict("LEASE_LOST")
    attempt_end(token=token, state=AttemptState.RELEASED, now=now)
    state_event(job_id=job_id, state=JobState.QUEUED, token=token, message="Handed back by its runner.")
    if job.target_id:
        target_dispatch_next(target_id=job.target_id, cause=f"after:{token}", now=now)
    else:
        job_dispatch(job=job, cause=f"after:{token}", now=now)


def job_requeue(
    *,
    job: Job,
    token: int,
    now: datetime,
    state: str,
    message: str,
    guard: QuerySet[Job, Any],
    why: Failure | None = None,
) -> bool:
    """running -> queued after 1, 4, 16 s: the infrastructure's fault. False: `guard` no longer holds.

    `state` is what the attempt ended as. The caller has seen that another try is left.
    """
    at = now + back_off(job.losses + 1)
    if not guard.update(state=JobState.QUEUED, lease_expires_at=None, available_at=at, losses=job.losses + 1):
        return False
    attempt_end(token=token, state=state, now=now, why=why)
    state_event(job_id=job.pk, state=JobState.QUEUED, token=token, message=message, failure=why)
    job_dispatch(job=job, cause=f"again:{token}", now=now, at=at)
    target_dispatch_next(target_id=job.target_id, cause=f"after:{token}", now=now)
    return True


def tries_left(job: Job) -> bool:
    return job.losses + 1 < LOSSES_ALLOWED


def job_ended(
    *,
    job: Job,
    run_id: str | None,
    state: str,
    token: int | None,
    now: datetime,
    why: Failure | None = None,
    message: str = "",
) -> None:
    """What follows from a terminal state, after its UPDATE: the event, the verdict on an inspected
    version, and the target's next job. The caller then looks whether the run is done."""
    state_event(
        job_id=job.pk, state=state, token=token, message=message or (why.message if why else ""), failure=why
    )
    if run_id is None and state != JobState.SUCCEEDED:
        inspection_failed(job=job, why=why or failure("DEADLINE_PASSED"))
    cause = f"after:{token}" if token else f"after:{job.pk}"
    target_dispatch_next(target_id=job.target_id, cause=cause, now=now)
