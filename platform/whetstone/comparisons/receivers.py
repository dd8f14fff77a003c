"""What this app does when a run ends."""

from typing import Any

from django.dispatch import receiver

from whetstone.comparisons.services import run_summarize
from whetstone.runs.signals import run_ended


@receiver(run_ended, dispatch_uid="comparisons.summary")
def on_run_ended(run_id: str, **kwargs: Any) -> None:
    """In the transaction that ends the run, in a savepoint of its own: a fault here does not stop the end."""
    run_summarize(run_id=run_id)
