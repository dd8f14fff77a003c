"""What the runner hands the engine, what the engine says while it works, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from optimizers.spec.errors import Failure
from optimizers.spec.host import HostFingerprint, TargetSpec
from optimizers.spec.measurement import Measurement, MeasurePlan, Quality
from optimizers.spec.model import Finding, ModelDescription
from optimizers.spec.names import ArtifactKind, JobKind
from optimizers.spec.recipe import Recipe

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class FileRef:
    """A file in the job's folder: `path` is a bare name, `filename` what its owner calls it."""

    path: str
    filename: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True)
class Limits:
    """Per engine process. `output_bytes` bounds the folder it may write."""

    wall_seconds: float
    memory_bytes: int
    output_bytes: int


@dataclass(frozen=True)
class JobSpec:
    """`dims` binds every dynamic axis of the model by name. `recipe`, `target` and `plan` are None for
    an inspection. `seed` makes generated inputs the same for every job of a run."""

    job_id: str
    kind: JobKind
    model: FileRef
    limits: Limits
    dims: Mapping[str, int] = field(default_factory=dict)
    recipe: Recipe | None = None
    target: TargetSpec | None = None
    plan: MeasurePlan | None = None
    sample_data: FileRef | None = None
    seed: int = 0
    schema_version: int = SCHEMA_VERSION


@dataclass(frozen=True)
class ChildEvent:
    """One line on the event pipe. `kind` is stage_started, stage_finished, progress or log.

    `fraction` is the progress of the stage, 0 to 1; `seconds` since the process started.
    """

    kind: str
    stage: str
    message: str = ""
    fraction: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class StageTime:
    name: str
    seconds: float


@dataclass(frozen=True)
class ProducedFile:
    """A file the engine leaves in its output folder, by bare name."""

    path: str
    kind: ArtifactKind
    sha256: str
    size_bytes: int


@dataclass(frozen=True)
class JobReport:
    """The engine's last word, `report.json`. Exactly one of `failure` and the results is meaningful.

    `load_ms` is from a fresh process's call that opens the artifact until it is ready to run,
    `first_inference_ms` the first call after that, `peak_memory_bytes` the largest resident set of
    the measuring process, `compile_s` the time of convert, optimize and compile together.
    """

    job_id: str
    failure: Failure | None = None
    description: ModelDescription | None = None
    findings: tuple[Finding, ...] = ()
    precision_effective: str | None = None
    device_effective: str | None = None
    quality: Quality | None = None
    measurements: tuple[Measurement, ...] = ()
    artifact_size_bytes: int | None = None
    load_ms: float | None = None
    first_inference_ms: float | None = None
    compile_s: float | None = None
    peak_memory_bytes: int | None = None
    fingerprint: HostFingerprint | None = None
    files: tuple[ProducedFile, ...] = ()
    stages: tuple[StageTime, ...] = ()
    schema_version: int = SCHEMA_VERSION
