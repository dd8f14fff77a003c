"""What the registry says over HTTP. Descriptions, findings and failures are the engine's own classes."""

from datetime import datetime
from typing import Literal

from ninja import Schema
from pydantic import Field

from optimizers.spec.errors import Failure
from optimizers.spec.model import Finding, ModelDescription
from whetstone.core.text import PlainName

CheckStateName = Literal["inspecting", "ready", "rejected"]


class VersionOut(Schema):
    id: str = Field(examples=["ver_01k6q0000000000000000000aa"])
    model_id: str
    model_name: str
    number: int = Field(description="1, 2, 3 ... within the model.")
    state: CheckStateName
    filename: str
    format: str | None = Field(description="null until it is inspected.", examples=["onnx"])
    size_bytes: int
    sha256: str
    created_at: datetime
    description: ModelDescription | None = Field(description="What was found in the file; null until ready.")
    findings: list[Finding]
    failure: Failure | None = Field(description="Why it was rejected.")
    inspect_job_id: str | None
    source_artifact_id: str


class ModelOut(Schema):
    id: str = Field(examples=["mdl_01k6q0000000000000000000aa"])
    name: str
    created_at: datetime
    latest_version: VersionOut | None
    version_count: int
    run_count: int


class ModelPatch(Schema):
    name: PlainName


class DatasetOut(Schema):
    id: str
    name: str
    state: CheckStateName
    filename: str
    size_bytes: int
    sha256: str
    artifact_id: str
    created_at: datetime


class ArtifactOut(Schema):
    id: str
    kind: Literal["source_model", "optimized_model", "log", "raw_samples", "sample_data", "trace"]
    filename: str
    size_bytes: int
    sha256: str
    created_by_job_id: str | None
    created_at: datetime
