"""What this app tells the apps above it, without knowing them."""

from django.dispatch import Signal

# Sent inside the transaction that ends a run, with `run_id`; a receiver that fails does not hold it up.
run_ended = Signal()
