"""The pure rules of runs: states, back-off, how a run ends. The machine is drawn in `models`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import TextChoices

from optimizers.spec.names import JobKind, Stage


class RunState(TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    PARTIALLY_SUCCEEDED = "partially_succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"


class JobState(TextChoices):
    """`skipped`: something that the job needs has failed; it was not tried."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    SKIPPED = "skipped"


class AttemptState(TextChoices):
    """`lost`: its heartbeat stopped. `released`: its runner handed the job back."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    LOST = "lost"
    RELEASED = "released"


class EventKind(TextChoices):
    STATE = "state"
    STAGE = "stage"
    PROGRESS = "progress"
    LOG = "log"


OPEN_JOB = (JobState.QUEUED, JobState.RUNNING)
OPEN_RUN = (RunState.QUEUED, RunState.RUNNING)
RETRYABLE_JOB = (JobState.FAILED, JobState.CANCELLED, JobState.TIMED_OUT, JobState.SKIPPED)

LOSSES_ALLOWED = 3
# Infrastructure's fault: tried again with back-off. The model's or the user's fault never is.
INFRASTRUCTURE_CODES = frozenset({"STORAGE_UNAVAILABLE", "SCRATCH_FULL", "TARGET_OFFLINE"})
INSPECT_STAGES = (Stage.FETCH, Stage.INSPECT)
OPTIMIZE_STAGES = tuple(Stage)


def back_off(losses: int) -> timedelta:
    """The wait before the attempt after the `losses`-th loss: 1, 4, 16 s."""
    return timedelta(seconds=4 ** (losses - 1))


@dataclass(frozen=True, slots=True)
class EndedJob:
    """What the end of a run depends on. `superseded`: a retry stands in its place."""

    state: str
    superseded: bool = False


def run_end_state(jobs: Iterable[EndedJob], *, cancel_requested: bool) -> RunState:
    """How a run whose jobs have all ended ends. A job that was retried counts through its retry."""
    states = {job.state for job in jobs if not job.superseded}
    if states == {JobState.SUCCEEDED}:
        return RunState.SUCCEEDED
    if cancel_requested and JobState.CANCELLED in states:
        return RunState.CANCELLED
    if JobState.SUCCEEDED in states:
        return RunState.PARTIALLY_SUCCEEDED
    if JobState.TIMED_OUT in states:
        return RunState.TIMED_OUT
    if states == {JobState.CANCELLED}:
        return RunState.CANCELLED
    return RunState.FAILED


def stages_of(kind: str) -> tuple[str, ...]:
    """The names of the stages that a job of this kind goes through, in order."""
    return tuple(map(str, INSPECT_STAGES if kind == JobKind.INSPECT else OPTIMIZE_STAGES))


def overall_progress(kind: str, stage: str, fraction: float) -> float:
    """0 to 1 over the whole job, each stage counting alike; a stage that is not known counts nothing."""
    names = stages_of(kind)
    if stage not in names:
        return 0.0
    return (names.index(stage) + min(max(fraction, 0.0), 1.0)) / len(names)


def seconds_left(*, waiting: Iterable[int], finished_seconds: list[float], planned_seconds: float) -> float:
    """A guess: targets work side by side, so the longest line decides.

    `waiting` is the number of open jobs of each target; a job takes as long as the finished ones did
    on average, or as long as the plan says while none has finished.
    """
    each = sum(finished_seconds) / len(finished_seconds) if finished_seconds else planned_seconds
    return max(waiting, default=0) * each
