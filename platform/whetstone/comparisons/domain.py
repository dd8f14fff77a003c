"""The words of a comparison: what goes in, what comes out. The rules are in the modules beside it.

figures      the metrics of one job, and why one is missing
objections   why a candidate is not recommended
pareto       the front of cost and latency
compare      all of it over a run
sentences    the headline of a run
table        the same as rows, for CSV
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from optimizers.spec.errors import Failure
from optimizers.spec.measurement import Measurement, Quality
from optimizers.spec.names import Objective, Scenario
from optimizers.spec.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Goal:
    """What the run wants to be best at, and what p99 must not exceed (None: no SLA)."""

    objective: Objective
    sla_p99_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a job that succeeded reported, besides its measurements."""

    precision_effective: str | None = None
    device_effective: str | None = None
    quality: Quality | None = None
    artifact_size_bytes: int | None = None
    load_ms: float | None = None
    first_inference_ms: float | None = None
    compile_s: float | None = None
    peak_memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """One job of the run, as far as a comparison cares. `result` is None unless it succeeded."""

    job_id: str
    target_id: str
    target_name: str
    device: str
    recipe: Recipe
    is_baseline: bool
    state: str
    failure: Failure | None = None
    result: Result | None = None
    measurements: tuple[Measurement, ...] = ()
    fingerprint_hash: str = ""
    usd_per_hour: float | None = None

    @property
    def single_stream(self) -> Measurement | None:
        return next((m for m in self.measurements if m.scenario == Scenario.SINGLE_STREAM), None)


@dataclass(frozen=True, slots=True)
class Figures:
    """`values` has every metric of the catalog; where it is None, `missing` says why.

    `rate` is what counts for throughput and cost: within the SLA if there is one. `rate_doubt` says
    why the measurement behind it is not to be relied on, if so.
    """

    values: Mapping[str, float | None]
    missing: Mapping[str, str]
    rate: float | None = None
    rate_missing: str = ""
    rate_doubt: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """`versus_baseline` is this / baseline. `objections` is empty exactly if nothing speaks against it."""

    measured: Measured
    figures: Figures
    versus_baseline: Mapping[str, float | None] = field(default_factory=dict)
    speedup: float | None = None
    unsound: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()
    recommended: bool = False
    on_pareto: bool = False

    @property
    def job_id(self) -> str:
        return self.measured.job_id

    def value(self, metric: str) -> float | None:
        return self.figures.values.get(metric)


@dataclass(frozen=True, slots=True)
class Pareto:
    """The job ids on the front, both axes minimised, from the least `x` on."""

    x: str
    y: str
    job_ids: tuple[str, ...]
    axis_note: str


@dataclass(frozen=True, slots=True)
class NotCompared:
    reason: str
    job_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    goal: Goal
    candidates: tuple[Candidate, ...]
    pareto: Pareto
    winner: Candidate | None
    not_compared: tuple[NotCompared, ...]
