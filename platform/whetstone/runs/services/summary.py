"""What the end of a run says of it. The figures are made above this app, in `comparisons`."""

from collections.abc import Mapping

from whetstone.runs.models import Run


def run_summary_set(*, run_id: str, summary: Mapping[str, object]) -> None:
    """Stores the summary of a run that has ended."""
    Run.objects.filter(pk=run_id, ended_at__isnull=False).update(summary=dict(summary))
