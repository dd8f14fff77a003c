"""The closed sets of words: states, kinds, precisions. The field's own terms."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """Who can mend a failure: the user, the system's operator, or a stated limit."""

    USER = "user"
    SYSTEM = "system"
    LIMIT = "limit"


class JobKind(StrEnum):
    INSPECT = "inspect"
    OPTIMIZE = "optimize"


class Phase(StrEnum):
    """One engine process each, so that load time and peak memory are those of serving alone."""

    PREPARE = "prepare"
    MEASURE = "measure"
    ALL = "all"


class Stage(StrEnum):
    """What a job is doing now, in this order. `inspect` jobs have the first two."""

    FETCH = "fetch"
    INSPECT = "inspect"
    CONVERT = "convert"
    OPTIMIZE = "optimize"
    COMPILE = "compile"
    VERIFY = "verify"
    WAIT = "wait"
    BENCHMARK = "benchmark"
    STORE = "store"


class Precision(StrEnum):
    FP32 = "fp32"
    BF16 = "bf16"
    FP16 = "fp16"
    INT8 = "int8"


class Device(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"


class Scenario(StrEnum):
    """MLPerf Inference's scenarios."""

    SINGLE_STREAM = "SingleStream"
    MULTI_STREAM = "MultiStream"
    SERVER = "Server"
    OFFLINE = "Offline"


class Profile(StrEnum):
    """How long to measure. `quick` reaches p95, `standard` p99 (see `measurement.MIN_SAMPLES`)."""

    QUICK = "quick"
    STANDARD = "standard"


class Objective(StrEnum):
    LATENCY = "latency"
    THROUGHPUT = "throughput"
    COST = "cost"


class Status(StrEnum):
    """Whether a measurement can be believed."""

    VALID = "valid"
    UNSTEADY = "unsteady"
    TOO_FEW_SAMPLES = "too_few_samples"
    NOISY_HOST = "noisy_host"


class Verdict(StrEnum):
    """How an artifact's outputs agree with the uploaded model's."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    DIFFERS = "differs"
    FAIL = "fail"
    NOT_COMPARABLE = "not_comparable"


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Outcome(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"


class ArtifactKind(StrEnum):
    SOURCE_MODEL = "source_model"
    OPTIMIZED_MODEL = "optimized_model"
    LOG = "log"
    RAW_SAMPLES = "raw_samples"
    SAMPLE_DATA = "sample_data"
    TRACE = "trace"
