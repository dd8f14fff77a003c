"""A user's second try: a new job in a run that is still open, or a new run of what did not succeed."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from optimizers.spec.codec import from_json
from optimizers.spec.recipe import Recipe
from whetstone.accounts.models import User
from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict, Unprocessable
from whetstone.fleet.models import Target, TargetState
from whetstone.runs.domain import RETRYABLE_JOB, JobState
from whetstone.runs.models import Job, Run
from whetstone.runs.services.start import PlannedJob, job_new, run_jobs_create
from whetstone.runs.services.transitions import run_lock, state_event, target_dispatch_next

WHY = "Tried again."


@transaction.atomic
def job_retry(*, job: Job) -> Job:
    """The same recipe on the same target, in the same open run, as a new job that takes the old one's place.

    Conflict("RUN_ENDED", "JOB_NOT_RETRYABLE").
    """
    if job.run_id is None:
        raise Conflict(
            "JOB_NOT_RETRYABLE", "An inspection is not tried again.", hint="Upload the file again."
        )
    run = run_lock(job.run_id)
    if run is None or run.ended_at is not None:
        raise Conflict("RUN_ENDED")
    job.refresh_from_db(fields=["state"])
    if run.cancel_requested_at is not None or job.state not in RETRYABLE_JOB or job.retries.exists():
        raise Conflict("JOB_NOT_RETRYABLE")
    now = db_now()
    new = job_new(run=run, planned=_planned(job), now=now)
    new.save(force_insert=True)
    state_event(job_id=new.pk, state=JobState.QUEUED, message=WHY)
    target_dispatch_next(target_id=new.target_id, cause=f"start:{new.pk}", now=now)
    return new


@transaction.atomic
def run_retry(*, run: Run, user: User) -> Run:
    """A new run of the jobs that did not succeed, with the baselines of their targets.

    Conflict("JOB_NOT_RETRYABLE") while the run is open, or if all of it succeeded.
    """
    locked = run_lock(run.pk)
    if locked is None or locked.ended_at is None:
        raise Conflict("JOB_NOT_RETRYABLE", "The run has not ended.", hint="Wait for it, or retry its jobs.")
    planned = _to_repeat(locked)
    if not planned:
        raise Conflict("JOB_NOT_RETRYABLE", "Every job of the run succeeded.", hint="Start a new run.")
    now = db_now()
    new = _run_copy(locked, user, now)
    run_jobs_create(run=new, planned=planned, now=now)
    return new


def _to_repeat(run: Run) -> list[PlannedJob]:
    superseded = Exists(Job.objects.filter(retry_of=OuterRef("pk"), run=run))
    jobs = list(Job.objects.filter(run=run).exclude(superseded).select_related("target").order_by("pk"))
    failed = [job for job in jobs if job.state in RETRYABLE_JOB]
    targets = {job.target_id for job in failed}
    wanted = [job for job in jobs if job in failed or (job.is_baseline and job.target_id in targets)]
    return [_planned(job) for job in wanted]


def _planned(job: Job) -> PlannedJob:
    target: Target | None = job.target
    if target is None or target.state != TargetState.ACTIVE:
        raise Unprocessable("NO_TARGET", "The job's target takes no more work.")
    return PlannedJob(target, from_json(Recipe, job.recipe), WHY, retry_of=job.pk)


def _run_copy(run: Run, user: User, now: datetime) -> Run:
    minutes = int(run.plan.get("time_limit_minutes", 60))
    return Run.objects.create(
        workspace_id=run.workspace_id,
        version_id=run.version_id,
        user=user,
        name=run.name,
        profile=run.profile,
        objective=run.objective,
        sla_p99_ms=run.sla_p99_ms,
        dims=run.dims,
        dataset_id=run.dataset_id,
        plan=run.plan,
        deadline_at=now + timedelta(minutes=minutes),
        retry_of=run,
        created_at=now,
    )
