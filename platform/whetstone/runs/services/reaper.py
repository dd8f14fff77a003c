"""What nobody reported: leases that ran out, deadlines that passed, hints that got lost."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from optimizers.spec.codec import to_json
from optimizers.spec.errors import Failure, failure
from whetstone.core.clock import db_now
from whetstone.fleet.models import TargetState
from whetstone.runs.domain import AttemptState, JobState
from whetstone.runs.models import Job
from whetstone.runs.services.ending import run_end_if_done
from whetstone.runs.services.leases import attempt_end, held, job_ended, job_requeue, tries_left
from whetstone.runs.services.transitions import job_dispatch, run_lock, target_dispatch_next

BATCH = 200
UNCLAIMED_AFTER = timedelta(seconds=30)
# A holder that lives but ignores its deadline is given this long to say how it ended.
DEADLINE_GRACE = timedelta(seconds=30)


def jobs_reap(limit: int = BATCH) -> int:
    """Ends or requeues what is overdue; any number of copies may run. How many jobs it changed."""
    now = db_now()
    running = Q(state=JobState.RUNNING) & (
        Q(lease_expires_at__lt=now) | Q(deadline_at__lt=now - DEADLINE_GRACE)
    )
    queued = Q(state=JobState.QUEUED, deadline_at__lt=now)
    overdue = [
        *Job.objects.filter(running).order_by("lease_expires_at").values_list("pk", flat=True)[:limit],
        *Job.objects.filter(queued).order_by("deadline_at").values_list("pk", flat=True)[:limit],
    ]
    return sum(_reap(job_id) for job_id in overdue)


@transaction.atomic
def _reap(job_id: str) -> bool:
    job = Job.objects.filter(pk=job_id).select_related("version", "target").first()
    if job is None:
        return False
    run = run_lock(job.run_id)
    now = db_now()
    if job.state == JobState.QUEUED:
        changed = _queued_too_long(job, now)
    elif job.state == JobState.RUNNING and job.lease_token is not None:
        changed = _holder_gone(job, job.lease_token, now)
    else:
        changed = False
    if changed:
        run_end_if_done(run)
    return changed


def _queued_too_long(job: Job, now: datetime) -> bool:
    why = failure("DEADLINE_PASSED")
    waiting = Job.objects.filter(pk=job.pk, state=JobState.QUEUED, deadline_at__lt=now)
    if not waiting.update(state=JobState.TIMED_OUT, ended_at=now, failure=to_json(why)):
        return False
    job_ended(job=job, run_id=job.run_id, state=JobState.TIMED_OUT, token=None, now=now, why=why)
    return True


def _holder_gone(job: Job, token: int, now: datetime) -> bool:
    """Cancelled if asked, timed out past the deadline, failed at the third loss, else queued again."""
    overdue = Q(lease_expires_at__lt=now) | Q(deadline_at__lt=now - DEADLINE_GRACE)
    guard = held(job.pk, token).filter(overdue)
    asked = guard.filter(cancel_requested_at__isnull=False)
    if asked.update(state=JobState.CANCELLED, ended_at=now, lease_expires_at=None):
        return _lost(job, token, JobState.CANCELLED, now, None)
    if job.deadline_at <= now:
        why = failure("DEADLINE_PASSED")
        if not guard.update(
            state=JobState.TIMED_OUT, ended_at=now, lease_expires_at=None, failure=to_json(why)
        ):
            return False
        return _lost(job, token, JobState.TIMED_OUT, now, why)
    if tries_left(job):
        return job_requeue(
            job=job,
            token=token,
            now=now,
            state=AttemptState.LOST,
            message="The worker was not heard of in time.",
            guard=guard.filter(cancel_requested_at__isnull=True),
        )
    why = failure("WORKER_LOST_REPEATEDLY")
    ending = {"ended_at": now, "lease_expires_at": None, "failure": to_json(why), "losses": job.losses + 1}
    if not guard.update(state=JobState.FAILED, **ending):
        return False
    return _lost(job, token, JobState.FAILED, now, why)


def _lost(job: Job, token: int, state: str, now: datetime, why: Failure | None) -> bool:
    attempt_end(token=token, state=AttemptState.LOST, now=now, why=why)
    job_ended(job=job, run_id=job.run_id, state=state, token=token, now=now, why=why)
    return True


def jobs_sweep(limit: int = BATCH) -> int:
    """Hints again what nobody claimed in 30 s: each idle target's next job, and inspections. How many."""
    now = db_now()
    stale = Q(dispatched_at__isnull=True) | Q(dispatched_at__lt=now - UNCLAIMED_AFTER)
    waiting = Job.objects.filter(
        stale, state=JobState.QUEUED, available_at__lte=now, cancel_requested_at__isnull=True
    )
    inspections = waiting.filter(target__isnull=True).order_by("pk")[:limit]
    swept = sum(_hint_again(job, now) for job in inspections)
    busy = Job.objects.filter(state=JobState.RUNNING, target__isnull=False).values("target_id")
    hinted = Job.objects.filter(
        state=JobState.QUEUED, target__isnull=False, dispatched_at__gte=now - UNCLAIMED_AFTER
    ).values("target_id")
    targets = waiting.filter(target__state=TargetState.ACTIVE).exclude(
        Q(target_id__in=busy) | Q(target_id__in=hinted)
    )
    for target_id in targets.order_by("target_id").values_list("target_id", flat=True).distinct()[:limit]:
        swept += _target_hint_again(target_id, now)
    return swept


@transaction.atomic
def _hint_again(job: Job, now: datetime) -> bool:
    job_dispatch(job=job, cause=f"sweep:{now.isoformat()}", now=now)
    return True


@transaction.atomic
def _target_hint_again(target_id: str | None, now: datetime) -> bool:
    target_dispatch_next(target_id=target_id, cause=f"sweep:{now.isoformat()}", now=now)
    return True
