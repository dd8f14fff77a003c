"""What runs say over HTTP. Recipes, failures and measurements are the engine's own classes."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, Field, StringConstraints

from optimizers.spec.errors import Failure
from optimizers.spec.job import ChildEvent
from optimizers.spec.measurement import Measurement
from optimizers.spec.names import ArtifactKind, JobKind, Objective, Outcome, Profile
from optimizers.spec.recipe import Recipe
from whetstone.core.text import is_plain
from whetstone.fleet.schemas import TargetRef

RunStateName = Literal[
    "queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled", "timed_out"
]
JobStateName = Literal["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "skipped"]
MAX_DIM = 65_536
MAX_TOKEN = 2**63 - 1


def _plain(text: str) -> str:
    if not is_plain(text):
        raise ValueError("must not hold control or invisible characters")
    return text


IdText = Annotated[str, StringConstraints(min_length=1, max_length=60)]
RunName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120), AfterValidator(_plain)]
AxisName = Annotated[str, StringConstraints(min_length=1, max_length=256)]
AxisSize = Annotated[int, Field(ge=1, le=MAX_DIM, strict=True)]


class RecipeItem(Schema):
    """A built-in recipe; use its id in `recipe_ids`."""

    id: str = Field(examples=["openvino-f32"])
    label: str
    description: str
    backend: str
    precision: str
    is_baseline: bool
    fingerprint: str = Field(description="Equal exactly when two recipes ask for the same work.")
    recipe: Recipe


class RecipesOut(Schema):
    items: list[RecipeItem]


class RunIn(Schema):
    """Only `version_id` is needed: the defaults try every recipe on every target that is online."""

    version_id: IdText = Field(examples=["ver_01k6q0000000000000000000aa"])
    target_ids: Annotated[list[IdText], Field(min_length=1, max_length=64)] | None = Field(
        None, description="Left out: all that are online."
    )
    recipe_ids: Annotated[list[IdText], Field(min_length=1, max_length=64)] | None = Field(
        None, description="Left out: all. The baseline always runs.", examples=[["openvino-f32"]]
    )
    dims: Annotated[dict[AxisName, AxisSize], Field(max_length=64)] = Field(
        default_factory=dict,
        description=f"A size from 1 to {MAX_DIM} per dynamic axis; left out: the suggested one.",
        examples=[{"batch": 1}],
    )
    profile: Profile = Field(Profile.QUICK, description="`quick` reaches p95, `standard` p99.")
    objective: Objective = Field(Objective.LATENCY, description="What the best one is best at.")
    sla_p99_ms: Annotated[float, Field(gt=0, le=3_600_000, allow_inf_nan=False)] | None = Field(
        None, description="What p99 must not exceed."
    )
    dataset_id: IdText | None = Field(None, description="Sample data for calibration and comparison.")
    name: RunName = ""
    time_limit_minutes: int = Field(
        60, ge=1, le=1440, strict=True, description="After this the run ends with what it has."
    )


class JobCounts(Schema):
    total: int
    queued: int
    running: int
    succeeded: int
    failed: int
    cancelled: int
    timed_out: int
    skipped: int


class FailedJob(Schema):
    job_id: str
    label: str
    target: str
    code: str
    message: str


class SummaryOut(Schema):
    """What the end of a run says of it."""

    headline: str = Field(examples=["OpenVINO fp32 is 2.24x faster than the model as uploaded."])
    winner_job_id: str | None
    baseline_job_id: str | None
    speedup: float | None
    failed: list[FailedJob]


class RunOut(Schema):
    """One version x targets x recipes."""

    id: str = Field(examples=["run_01k6q0000000000000000000aa"])
    name: str
    state: RunStateName
    model_id: str
    model_name: str
    version_id: str
    version_number: int
    profile: Profile
    objective: Objective
    sla_p99_ms: float | None
    dims: dict[str, int]
    dataset_id: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    deadline_at: datetime
    cancel_requested: bool
    retry_of: str | None
    job_counts: JobCounts
    targets: list[TargetRef]
    summary: SummaryOut | None = Field(description="null until the run has ended.")
    estimated_seconds_left: float | None


class StageInfo(Schema):
    name: str
    state: Literal["waiting", "running", "succeeded", "failed"]
    seconds: float | None


class ArtifactRef(Schema):
    id: str
    kind: ArtifactKind
    filename: str
    size_bytes: int
    sha256: str


class JobOut(Schema):
    """An inspection, or one recipe on one target."""

    id: str = Field(examples=["job_01k6q0000000000000000000aa"])
    run_id: str | None = Field(description="null for an inspection.")
    version_id: str
    kind: JobKind
    target: TargetRef | None
    recipe_label: str
    recipe: Recipe | None
    recipe_fingerprint: str
    is_baseline: bool
    state: JobStateName
    stage: str
    progress: float = Field(description="0 to 1 over all stages.")
    stages: list[StageInfo]
    attempt: int = Field(description="How often a worker has taken it.")
    cancel_requested: bool
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    failure: Failure | None
    why: str = Field(description="Why this job was made.")
    retry_of: str | None
    artifacts: list[ArtifactRef]
    measurements: list[Measurement] | None = Field(description="In GET /jobs/{id} only, else null.")


class JobEventOut(Schema):
    seq: int
    at: datetime
    kind: Literal["state", "stage", "progress", "log"]
    stage: str
    message: str = Field(description="May come from the model's own names: show it as plain text.")
    data: dict[str, Any]
    attempt: int | None


class JobEventsOut(Schema):
    items: list[JobEventOut]
    last_seq: int = Field(description="Send it as `after` to get what follows.")


Token = Annotated[int, Field(ge=1, le=MAX_TOKEN)]
FileName = Annotated[str, StringConstraints(min_length=1, max_length=255)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
SizeBytes = Annotated[int, Field(ge=0, le=20 * 1024**3)]


class InputOut(Schema):
    path: str
    url: str
    sha256: str
    size_bytes: int


class ClaimOut(Schema):
    token: int
    lease_seconds: int
    heartbeat_seconds: int
    deadline_in_seconds: float
    job: dict[str, Any]
    inputs: list[InputOut]


class HeartbeatIn(Schema):
    token: Token
    events: list[ChildEvent] = Field(default_factory=list, max_length=200)


class HeartbeatOut(Schema):
    cancel: bool
    deadline_in_seconds: float


class ArtifactIn(Schema):
    token: Token
    kind: ArtifactKind
    filename: FileName
    sha256: Sha256
    size_bytes: SizeBytes


class ArtifactSlotOut(Schema):
    artifact_key: str
    url: str
    method: str
    headers: dict[str, str]


class FinishedArtifactIn(Schema):
    artifact_key: str = Field(max_length=400)
    kind: ArtifactKind
    filename: FileName
    sha256: Sha256
    size_bytes: SizeBytes


class FinishIn(Schema):
    """`report` and `failure` are looked at by `runs.reports`, not here: a lie in them fails the job."""

    token: Token
    outcome: Outcome
    report: Any = None
    failure: Any = None
    artifacts: list[FinishedArtifactIn] = Field(default_factory=list, max_length=100)


class FinishedOut(Schema):
    state: JobStateName


class ReleaseIn(Schema):
    token: Token
