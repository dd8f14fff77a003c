"""`measure`: a fresh process that loads the artifact and times it."""

from __future__ import annotations

from optimizers.backends.registry import backend_of
from optimizers.jobs.run import Workplace
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.job import JobReport


def measure(place: Workplace) -> JobReport:
    """The job's report; raises what ended the measurement."""
    recipe, target, plan = place.job.recipe, place.job.target, place.job.plan
    if recipe is None or target is None or plan is None:
        raise WhetstoneFailure("PROTOCOL_ERROR", "A measurement needs a recipe, a target and a plan.")
    backend = backend_of(recipe.backend)
    if backend.capabilities.simulated:
        from optimizers.jobs.simulated import measure_simulated

        return measure_simulated(place, recipe, target, plan)
    from optimizers.jobs.measuring import measure_real

    return measure_real(place, backend, recipe, target, plan)
