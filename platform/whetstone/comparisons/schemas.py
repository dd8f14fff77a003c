"""What comparisons say over HTTP. `values`, `missing` and `versus_baseline` are by metric name."""

from typing import Literal

from ninja import Schema
from pydantic import Field

from optimizers.spec.errors import Failure
from optimizers.spec.names import Objective, Status, Verdict
from whetstone.fleet.schemas import TargetPriceOut, TargetRef
from whetstone.runs.schemas import JobStateName


class MetricOut(Schema):
    """The one definition of a metric."""

    name: str = Field(examples=["latency_p50_ms"])
    title: str
    unit: str
    direction: Literal["lower", "higher", "none"] = Field(description="Which way is better.")
    formula: str
    description: str


class MetricsOut(Schema):
    items: list[MetricOut]


class QualitySummary(Schema):
    """Agreement with the uploaded model on the same inputs; the worst output counts."""

    verdict: Verdict
    max_abs: float | None
    max_rel: float | None
    cosine: float | None
    top1: float | None
    note: str


class CandidateArtifact(Schema):
    id: str
    filename: str
    size_bytes: int


class CandidateOut(Schema):
    """One recipe on one target."""

    job_id: str
    target: TargetRef
    recipe_label: str
    recipe_id: str
    recipe_fingerprint: str
    backend: str
    is_baseline: bool
    state: JobStateName
    failure: Failure | None
    precision_requested: str
    precision_effective: str | None = Field(description="As measured; it can differ from what was asked.")
    device_effective: str | None
    status: Status | None = Field(description="Whether the latency can be believed.")
    values: dict[str, float | None] = Field(description="In full precision; null has a reason in `missing`.")
    missing: dict[str, str] = Field(examples=[{"latency_p99_ms": "not enough samples (210 of 662)"}])
    versus_baseline: dict[str, float | None] = Field(
        description="This / baseline, on the same target and host fingerprint."
    )
    speedup: float | None = Field(description="Baseline p50 / this p50.")
    quality: QualitySummary | None
    price: TargetPriceOut | None
    recommended: bool
    not_recommended_because: str | None
    on_pareto: bool
    artifact: CandidateArtifact | None = Field(description="The optimized model to download.")
    fingerprint_hash: str | None
    samples: int | None


class ParetoOut(Schema):
    """The candidates that none beats in both; both axes are to be small."""

    x: str = Field(examples=["usd_per_million"])
    y: str = Field(examples=["latency_p50_ms"])
    job_ids: list[str]
    axis_note: str = Field(description="Who is left out, and why.")


class NotComparedOut(Schema):
    reason: str
    job_ids: list[str]


class ComparisonOut(Schema):
    """Every recipe on every target of a run, against the model as uploaded."""

    run_id: str
    objective: Objective
    sla_p99_ms: float | None
    metrics: list[str]
    candidates: list[CandidateOut]
    pareto: ParetoOut
    winner_job_id: str | None
    not_compared: list[NotComparedOut]
