"""A session whose times follow from the recipe's fingerprint alone: the same on every machine."""

from __future__ import annotations

import random
from array import array

from optimizers.backends.base import LoadRequest
from optimizers.metrics.cpu import CpuShare
from optimizers.scenarios.samples import Samples
from optimizers.spec.measurement import MeasurePlan
from optimizers.spec.names import Scenario
from optimizers.spec.recipe import fingerprint

BASE_NS = 10_000_000  # 10 ms a query on one core at speed 1


class FakeSession:
    """States its samples instead of being timed."""

    def __init__(self, request: LoadRequest) -> None:
        options = request.recipe.options
        self.precision_effective = str(options.get("precision_effective", request.recipe.precision))
        self.device_effective = str(request.target.device)
        self._seed = fingerprint(request.recipe)
        self._mean = BASE_NS / float(options.get("speed", 1.0)) / len(request.target.cores) ** 0.8

    def samples(self, scenario: Scenario, batch_size: int, plan: MeasurePlan) -> Samples:
        """As many samples as the plan asks for, within 2 % of the mean, batches a little cheaper per item."""
        source = random.Random(f"{self._seed}/{scenario}/{batch_size}")  # noqa: S311 - repeatable on purpose
        mean = self._mean * batch_size**0.9
        count = plan.min_samples if scenario is Scenario.SINGLE_STREAM else 20
        values = array("q", (int(mean * (1 + source.uniform(-0.02, 0.02))) for _ in range(count)))
        return Samples(
            scenario, batch_size, values, sum(values), 10, warmup_settled=True, cpu=CpuShare(0.0, 0.0)
        )
