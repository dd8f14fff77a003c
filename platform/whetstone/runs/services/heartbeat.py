"""A holder says that it lives and how far it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction

from optimizers.spec.job import ChildEvent
from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict
from whetstone.fleet.models import Host
from whetstone.runs.domain import EventKind, StageList, overall_progress, stages_of
from whetstone.runs.models import Job, JobEvent
from whetstone.runs.reports import text_clean
from whetstone.runs.services.leases import held, holder_check

EVENT_ROWS = 5_000
LINE_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class HeartbeatAnswer:
    """`deadline_in_seconds` may be negative: then it has passed."""

    cancel: bool
    deadline_in_seconds: float


@transaction.atomic
def job_heartbeat(*, host: Host, job_id: str, token: int, events: Sequence[ChildEvent]) -> HeartbeatAnswer:
    """Extends the lease and notes the events. Conflict("LEASE_LOST"): kill the child, write nothing."""
    holder_check(host=host, job_id=job_id, token=token)
    now = db_now()
    until = now + timedelta(seconds=settings.LEASE_SECONDS)
    if not held(job_id, token).update(lease_expires_at=until):
        raise Conflict("LEASE_LOST")
    # The UPDATE above locked the row: no other write of this job comes between here and the commit.
    job = Job.objects.only(
        "kind", "stage", "stages", "progress", "events_written", "cancel_requested_at", "deadline_at"
    ).get(pk=job_id)
    if events:
        _note(job, token, events)
    left = (job.deadline_at - now).total_seconds()
    return HeartbeatAnswer(cancel=job.cancel_requested_at is not None, deadline_in_seconds=left)


def _note(job: Job, token: int, events: Sequence[ChildEvent]) -> None:
    """Folds the events into the job and keeps their rows, of progress only the last one."""
    stages = StageList.read(job.stages)
    rows: list[JobEvent] = []
    last_progress: JobEvent | None = None
    for event in events:
        known = event.stage in stages_of(job.kind)
        if known and event.kind == "stage_started":
            stages = stages.started(event.stage, event.seconds)
            job.stage, job.progress = event.stage, overall_progress(job.kind, event.stage, 0.0)
        elif known and event.kind == "stage_finished":
            stages = stages.finished(event.stage, event.seconds)
            job.progress = overall_progress(job.kind, event.stage, 1.0)
        elif known and event.kind == "progress":
            job.progress = overall_progress(job.kind, event.stage, event.fraction or 0.0)
            last_progress = _row(job, token, EventKind.PROGRESS, event)
        if known and event.kind in ("stage_started", "stage_finished"):
            rows.append(_row(job, token, EventKind.STAGE, event))
        elif event.kind == "log":
            rows.append(_row(job, token, EventKind.LOG, event))
    job.stages = stages.as_json()
    if last_progress is not None:
        rows.append(last_progress)
    _write(job, token, rows)


def _row(job: Job, token: int, kind: str, event: ChildEvent) -> JobEvent:
    data = {"fraction": event.fraction, "seconds": event.seconds}
    if kind == EventKind.STAGE:
        data["finished"] = event.kind == "stage_finished"
    return JobEvent(
        job=job,
        attempt=token,
        kind=kind,
        stage=event.stage if event.stage in stages_of(job.kind) else "",
        message=text_clean(event.message, LINE_LIMIT),
        data={name: value for name, value in data.items() if value is not None},
    )


def _write(job: Job, token: int, rows: list[JobEvent]) -> None:
    room = EVENT_ROWS - job.events_written
    kept = rows[: max(room, 0)]
    if 0 < room < len(rows):
        sentence = f"Further lines of this job are not kept: {EVENT_ROWS} are enough."
        kept[-1] = JobEvent(job=job, attempt=token, kind=EventKind.LOG, message=sentence)
    JobEvent.objects.bulk_create(kept)
    job.events_written += len(kept)
    job.save(update_fields=["stage", "stages", "progress", "events_written"])
