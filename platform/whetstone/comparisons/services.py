"""The summary that stays with a run when it ends."""

from django.db import transaction

from whetstone.comparisons.domain import Candidate, Comparison
from whetstone.comparisons.queries import run_compared
from whetstone.comparisons.sentences import baseline_of, gain, headline
from whetstone.runs.models import Run
from whetstone.runs.schemas import FailedJob, SummaryOut
from whetstone.runs.services import run_summary_set


@transaction.atomic
def run_summarize(*, run_id: str) -> SummaryOut:
    """Compares the run that has just ended and stores what to say of it. Doing it twice is the same."""
    run = Run.objects.select_related("workspace").get(pk=run_id)
    summary = summary_of(run_compared(run.workspace, run).comparison, run.state)
    run_summary_set(run_id=run_id, summary=summary.model_dump())
    return summary


def summary_of(comparison: Comparison, run_state: str) -> SummaryOut:
    """`speedup` is the winner's gain by the run's objective against its own baseline."""
    winner = comparison.winner
    baseline = baseline_of(comparison.candidates, winner) if winner else None
    return SummaryOut(
        headline=headline(comparison, run_state),
        winner_job_id=winner.job_id if winner else None,
        baseline_job_id=baseline.job_id if baseline else None,
        speedup=gain(comparison, winner) if winner else None,
        failed=[_failed(c) for c in comparison.candidates if c.measured.result is None],
    )


def _failed(candidate: Candidate) -> FailedJob:
    job = candidate.measured
    return FailedJob(
        job_id=job.job_id,
        label=job.recipe.label,
        target=job.target_name,
        code=job.failure.code if job.failure else job.state.upper(),
        message=job.failure.message if job.failure else f"The job was {job.state.replace('_', ' ')}.",
    )
