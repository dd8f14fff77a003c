"""A user's wish to stop: at once for what waits, a request for what runs."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict
from whetstone.runs.domain import JobState
from whetstone.runs.models import Job, Run
from whetstone.runs.services.ending import run_end_if_done
from whetstone.runs.services.leases import job_ended
from whetstone.runs.services.transitions import run_lock, state_events, target_dispatch_next

BY_USER = "Cancelled by a user."


@transaction.atomic
def job_cancel(*, job: Job) -> None:
    """Queued: cancelled at once. Running: asked. Conflict("JOB_ENDED") for one that has ended."""
    if job.run_id is None:
        raise Conflict("JOB_ENDED", "An inspection cannot be cancelled.", hint="Delete the model instead.")
    run = run_lock(job.run_id)
    now = db_now()
    if Job.objects.filter(pk=job.pk, state=JobState.QUEUED).update(
        state=JobState.CANCELLED, cancel_requested_at=now, ended_at=now
    ):
        job_ended(job=job, run_id=job.run_id, state=JobState.CANCELLED, token=None, now=now, message=BY_USER)
        run_end_if_done(run)
    elif not _ask(Job.objects.filter(pk=job.pk), now):
        raise Conflict("JOB_ENDED")


@transaction.atomic
def run_cancel(*, run: Run) -> None:
    """Cancels every waiting job and asks the running ones. Conflict("RUN_ENDED")."""
    locked = run_lock(run.pk)
    if locked is None or locked.ended_at is not None:
        raise Conflict("RUN_ENDED")
    now = db_now()
    if locked.cancel_requested_at is None:
        locked.cancel_requested_at = now
        locked.save(update_fields=["cancel_requested_at"])
    waiting = Job.objects.filter(run=locked, state=JobState.QUEUED)
    rows = list(waiting.select_for_update(of=("self",)).order_by("pk").values_list("pk", "target_id"))
    ids = [job_id for job_id, _ in rows]
    Job.objects.filter(pk__in=ids).update(state=JobState.CANCELLED, cancel_requested_at=now, ended_at=now)
    state_events(ids, state=JobState.CANCELLED, message=BY_USER)
    _ask(Job.objects.filter(run=locked), now)
    for target_id in {target_id for _, target_id in rows}:
        target_dispatch_next(target_id=target_id, cause=f"cancel:{run.pk}", now=now)
    run_end_if_done(locked)


def _ask(jobs: QuerySet[Job, Any], now: datetime) -> bool:
    """Asks those of the jobs that run; asking twice is asking once. False: none of them runs."""
    running = jobs.filter(state=JobState.RUNNING)
    if not running.exists():
        return False
    running.filter(cancel_requested_at__isnull=True).update(cancel_requested_at=now)
    return True
