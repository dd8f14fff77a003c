"""What a comparison looks like over HTTP."""

from typing import Literal

from ninja import Schema
from pydantic import Field

from optimizers.spec.errors import Failure
from whetstone.fleet.schemas import TargetPriceOut, TargetRef


class QualityOut(Schema):
    verdict: Literal["pass", "differs", "fail", "not_comparable"]
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
    job_id: str
    target: TargetRef
    recipe_label: str
    recipe_id: str
    recipe_fingerprint: str
    backend: str
    is_baseline: bool
    state: Literal["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "skipped"]
    failure: Failure | None
    precision_requested: str
    precision_effective: str | None
    device_effective: str | None
    status: Literal["valid", "unsteady", "too_few_samples", "noisy_host"] | None
    values: dict[str, float | None] = Field(description="By metric name; see GET /metrics.")
    missing: dict[str, str] = Field(description="Why a metric has no value.")
    versus_baseline: dict[str, float | None] = Field(description="This / baseline, on the same host only.")
    speedup: float | None = Field(description="Baseline p50 / this p50.")
    quality: QualityOut | None
    price: TargetPriceOut | None
    recommended: bool
    not_recommended_because: str | None
    on_pareto: bool
    artifact: CandidateArtifact | None
    fingerprint_hash: str
    samples: int | None


class ParetoOut(Schema):
    x: str
    y: str
    job_ids: list[str]
    axis_note: str


class NotComparedOut(Schema):
    reason: str
    job_ids: list[str]


class ComparisonOut(Schema):
    run_id: str
    objective: str
    sla_p99_ms: float | None
    metrics: list[str]
    candidates: list[CandidateOut]
    pareto: ParetoOut
    winner_job_id: str | None
    not_compared: list[NotComparedOut]


class MetricOut(Schema):
    name: str
    title: str
    unit: str
    direction: Literal["lower", "higher", "none"]
    formula: str
    description: str


class MetricsOut(Schema):
    items: list[MetricOut]
