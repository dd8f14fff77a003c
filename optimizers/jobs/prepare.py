"""`prepare`: from the uploaded model to a verified artifact."""

from __future__ import annotations

from optimizers.backends.registry import backend_of
from optimizers.jobs.run import Workplace
from optimizers.spec.errors import WhetstoneFailure


def prepare(place: Workplace) -> None:
    """Leave the artifact and prepared.json in the output folder, or raise why not."""
    recipe, target = place.job.recipe, place.job.target
    if recipe is None or target is None:
        raise WhetstoneFailure("PROTOCOL_ERROR", "An optimize job needs a recipe and a target.")
    backend = backend_of(recipe.backend)
    if backend.capabilities.simulated:
        from optimizers.jobs.simulated import prepare_simulated

        prepare_simulated(place, recipe, target)
        return
    from optimizers.jobs.preparing import prepare_real

    prepare_real(place, backend, recipe, target)
