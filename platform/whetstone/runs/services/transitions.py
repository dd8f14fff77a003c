"""What every transition of a job shares: its event row, and the hint that makes a runner look."""

from collections.abc import Iterable
from datetime import datetime

from optimizers.spec.codec import to_json
from optimizers.spec.errors import Failure
from whetstone.core.outbox import outbox_add
from whetstone.fleet.domain import INSPECT_QUEUE, target_queue
from whetstone.runs.domain import EventKind, JobState
from whetstone.runs.models import Job, JobEvent, Run


def run_lock(run_id: str | None) -> Run | None:
    """The run's row, locked until the transaction ends. Call it before a job of the run is changed."""
    return Run.objects.select_for_update(of=("self",)).get(pk=run_id) if run_id else None


def state_event(
    *, job_id: str, state: str, token: int | None = None, message: str = "", failure: Failure | None = None
) -> None:
    """The event row of a transition; the invariants are read from these."""
    state_events([job_id], state=state, token=token, message=message, failure=failure)


def state_events(
    job_ids: Iterable[str],
    *,
    state: str,
    token: int | None = None,
    message: str = "",
    failure: Failure | None = None,
) -> None:
    data: dict[str, object] = {"state": str(state)}
    if failure is not None:
        data["failure"] = to_json(failure)
    JobEvent.objects.bulk_create(
        JobEvent(job_id=job_id, attempt=token, kind=EventKind.STATE, message=message[:2000], data=data)
        for job_id in job_ids
    )


def job_dispatch(*, job: Job, cause: str, now: datetime, at: datetime | None = None) -> None:
    """Decides one hint for the job. `cause` makes the effect's key: the same cause hints once."""
    queue = target_queue(job.target.slug) if job.target else INSPECT_QUEUE
    outbox_add(
        topic="job.dispatch",
        key=f"job.dispatch:{job.pk}:{cause}",
        payload={"job_id": job.pk, "queue": queue},
        available_at=at,
    )
    Job.objects.filter(pk=job.pk).update(dispatched_at=at or now)


def target_dispatch_next(*, target_id: str | None, cause: str, now: datetime) -> None:
    """Hints the job that the target does next: of those due the oldest, else the one due first."""
    if target_id is None:
        return
    waiting = Job.objects.select_related("target").filter(
        target_id=target_id, state=JobState.QUEUED, cancel_requested_at__isnull=True
    )
    due = waiting.filter(available_at__lte=now).order_by("pk").first()
    if due is not None:
        job_dispatch(job=due, cause=cause, now=now)
    elif later := waiting.order_by("available_at", "pk").first():
        job_dispatch(job=later, cause=cause, now=now, at=later.available_at)
