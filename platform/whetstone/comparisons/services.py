"""What the end of a run says of it, made from its comparison."""

from typing import Any

from whetstone.comparisons.queries import run_comparison
from whetstone.comparisons.sentences import baseline_of, headline
from whetstone.runs.models import Run
from whetstone.runs.services import run_summary_set


def run_summarize(*, run_id: str, **_: Any) -> None:
    """Stores the headline, the winner and what failed. Receives `run_ended`."""
    run = Run.objects.select_related("workspace").get(pk=run_id)
    compared = run_comparison(run.workspace, run).comparison
    winner = compared.winner
    baseline = baseline_of(compared.candidates, winner) if winner else None
    failed = [
        {
            "job_id": candidate.job_id,
            "label": candidate.measured.recipe.label,
            "target": candidate.measured.target_name,
            "code": candidate.measured.failure.code,
            "message": candidate.measured.failure.message,
        }
        for candidate in compared.candidates
        if candidate.measured.failure is not None
    ]
    summary = {
        "headline": headline(compared, run.state),
        "winner_job_id": winner.job_id if winner else None,
        "baseline_job_id": baseline.job_id if baseline else None,
        "speedup": winner.speedup if winner else None,
        "failed": failed,
    }
    run_summary_set(run_id=run_id, summary=summary)
