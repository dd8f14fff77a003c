"""The end of a run: once, after all its jobs, in the transaction that ended the last of them."""

from django.db import transaction
from django.db.models import Exists, OuterRef

from whetstone.core.clock import db_now
from whetstone.core.outbox import outbox_add
from whetstone.runs.domain import OPEN_JOB, EndedJob, run_end_state
from whetstone.runs.models import Job, Run
from whetstone.runs.services.transitions import run_lock
from whetstone.runs.signals import run_ended


@transaction.atomic
def run_advance(*, run_id: str) -> bool:
    """Ends the run if all its jobs have ended; safe to call at any time and twice. True: it ended now."""
    if not Run.objects.filter(pk=run_id).exists():
        return False
    return run_end_if_done(run_lock(run_id))


def run_end_if_done(run: Run | None) -> bool:
    """`run` is locked; None: the job has no run. True: the run ended now."""
    if run is None or run.ended_at is not None:
        return False
    jobs = Job.objects.filter(run=run)
    if jobs.filter(state__in=OPEN_JOB).exists():
        return False
    retried = Exists(Job.objects.filter(retry_of=OuterRef("pk"), run=run))
    ended = [
        EndedJob(state, superseded)
        for state, superseded in jobs.annotate(superseded=retried).values_list("state", "superseded")
    ]
    state = run_end_state(ended, cancel_requested=run.cancel_requested_at is not None)
    now = db_now()
    if not Run.objects.filter(pk=run.pk, ended_at__isnull=True).update(state=state, ended_at=now):
        return False
    run.state, run.ended_at = state, now
    outbox_add(topic="mail.run_ended", key=f"mail.run_ended:{run.pk}", payload={"run_id": run.pk})
    run_ended.send_robust(sender=Run, run_id=run.pk)
    return True
