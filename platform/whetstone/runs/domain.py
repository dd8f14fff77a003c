"""The pure rules of runs: states, back-off, how a run ends. The machine is drawn in `models`."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import TextChoices

from optimizers.spec.measurement import MeasurePlan
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


_WALL_SECONDS = {"quick": 600.0, "standard": 1800.0}
_INSPECT_SECONDS = 120.0
_BYTES_PER_SECOND = 20e6


def wall_seconds(profile: str, size_bytes: int) -> float:
    """The limit of one engine process: by the profile ("" for an inspection), more for a large model."""
    return _WALL_SECONDS.get(profile, _INSPECT_SECONDS) + size_bytes / _BYTES_PER_SECOND


@dataclass(frozen=True, slots=True)
class StageMark:
    """`began` is on the clock of the process that told; `seconds` the stage's own time, once it ended."""

    name: str
    began: float | None = None
    seconds: float | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class StageList:
    """The stages that an attempt has told of, in order. Immutable: each step gives a new list."""

    marks: tuple[StageMark, ...] = ()

    @classmethod
    def read(cls, stored: Iterable[dict[str, Any]]) -> "StageList":
        return cls(tuple(StageMark(**mark) for mark in stored))

    def as_json(self) -> list[dict[str, Any]]:
        return [asdict(mark) for mark in self.marks]

    def started(self, name: str, at: float | None) -> "StageList":
        return self._with(StageMark(name, began=at))

    def finished(self, name: str, at: float | None) -> "StageList":
        before = next((mark for mark in self.marks if mark.name == name), StageMark(name))
        spent = None if at is None or before.began is None or at < before.began else at - before.began
        return self._with(StageMark(name, before.began, spent, done=True))

    def timed(self, times: Iterable[tuple[str, float]]) -> "StageList":
        """With the report's own times, which are exact."""
        found = self
        for name, seconds in times:
            found = found._with(StageMark(name, None, seconds, done=True))
        return found

    def _with(self, mark: StageMark) -> "StageList":
        if all(known.name != mark.name for known in self.marks):
            return StageList((*self.marks, mark))
        return StageList(tuple(mark if known.name == mark.name else known for known in self.marks))


@dataclass(frozen=True, slots=True)
class StageView:
    """`state`: waiting, running, succeeded or failed."""

    name: str
    state: str
    seconds: float | None


def stage_views(kind: str, job_state: str, stages: StageList) -> list[StageView]:
    """Every stage of the job for a person. The one in which a job ended without success has failed."""
    told = {mark.name: mark for mark in stages.marks}
    # An engine says that a stage is over also when it failed in it: the last one told of is where it ended.
    last = stages.marks[-1].name if stages.marks else ""
    unsuccessful = job_state not in (*OPEN_JOB, JobState.SUCCEEDED)
    views = []
    for name in stages_of(kind):
        mark = told.get(name)
        if mark is None:
            state = "waiting"
        elif unsuccessful and name == last:
            state = "failed"
        elif mark.done or job_state not in OPEN_JOB:
            state = "succeeded"
        else:
            state = "running"
        views.append(StageView(name, state, mark.seconds if mark else None))
    return views


def fake_recipes() -> bool:
    """Whether runs use the fake backend, for tests and demonstrations of the platform itself."""
    return bool(getattr(settings, "FAKE_BACKEND", False))


# Fetching, converting, compiling and checking, before a job measures; a guess until one has finished.
_PREPARE_SECONDS = 8.0


def planned_seconds(plan: MeasurePlan) -> float:
    """How long a job of this plan takes, roughly."""
    return _PREPARE_SECONDS + plan.min_seconds + plan.offline_seconds * len(plan.batch_sizes)
