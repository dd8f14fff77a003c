"""An attempt's hold on its job: heartbeats, and every reason to let go.

The holder stops itself when its last successful heartbeat was *sent* more than two thirds of a lease ago:
before the lease ends, by its own clock, however long a request hung.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from optimizers.spec.job import ChildEvent
from optimizers.spec.names import Stage
from workers.runner.api import ApiRefused, ApiUnavailable, Claim, PlatformApi, StaleLease

SELF_LIMIT = 20 / 30
BATCH_EVENTS = 200
BACKLOG_EVENTS = 4000
# A change of stage is told at once, so that a person sees it; all else waits for the next heartbeat.
NEWS_SECONDS = 0.5
RETRY_SECONDS = 1.0
PAUSE_SECONDS = 0.1


class LeaseLost(Exception):
    """Another attempt may hold the job: kill the child, write nothing."""


class CancelAsked(Exception):
    """The user does not want the job any more."""


class DeadlinePassed(Exception):
    """The job's deadline has passed."""


class StopAsked(Exception):
    """This runner is shutting down: kill the child, hand the job back."""


def boot_clock() -> float:
    """Seconds that also pass while the machine sleeps: a lease does not wait for it."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Lease:
    """Call `tick` several times a second; it raises when the attempt must end.

    `sent_at` is when the claim was sent, by `boot_clock`; `stop` says whether the runner shuts down.
    """

    def __init__(self, api: PlatformApi, claim: Claim, sent_at: float, stop: Callable[[], bool]) -> None:
        self.token = claim.token
        self.stage = ""
        self._api, self._job_id, self._stop = api, claim.job.job_id, stop
        self._limit, self._interval = SELF_LIMIT * claim.lease_seconds, claim.heartbeat_seconds
        self._sent_at = self._tried_at = sent_at
        self._deadline = sent_at + claim.deadline_in_seconds
        self._events: list[ChildEvent] = []
        self._news = self._failing = self._closed = False

    def add(self, event: ChildEvent) -> None:
        """Keep an event for the next heartbeat. Of progress only the newest counts; a flood of log lines is
        cut, since the log file has them all."""
        last = self._events[-1] if self._events else None
        if event.kind == "progress" and last is not None and last.kind == "progress":
            self._events[-1] = event
            return
        if event.kind == "stage_started":
            self.stage = event.stage
        if event.kind != "log" or len(self._events) < BACKLOG_EVENTS:
            self._events.append(event)
        self._news = self._news or event.kind.startswith("stage_")

    def stage_started(self, stage: Stage) -> None:
        self.add(ChildEvent("stage_started", str(stage)))

    def stage_finished(self, stage: Stage) -> None:
        self.add(ChildEvent("stage_finished", str(stage), fraction=1.0))

    def tick(self) -> None:
        """Raises StopAsked, DeadlinePassed, CancelAsked or LeaseLost; sends a heartbeat when one is due."""
        now = boot_clock()
        if not self._closed and self._stop():
            raise StopAsked
        if not self._closed and now >= self._deadline:
            raise DeadlinePassed
        self.keep()

    def keep(self) -> None:
        """The lease alone: a heartbeat when one is due, LeaseLost once the self-limit is reached."""
        self._check()
        if boot_clock() >= self._due():
            self._beat()

    def pause(self, seconds: float) -> None:
        """Wait without losing the lease."""
        end = boot_clock() + seconds
        while boot_clock() < end:
            self.tick()
            time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        """The work is over: from here on nothing but the loss of the lease interrupts."""
        self._closed = True

    def flush(self) -> None:
        """Send every event that waits; none may come after `finish`."""
        while self._events:
            before = len(self._events)
            self._beat()
            if len(self._events) >= before:
                return

    def _check(self) -> None:
        if boot_clock() - self._sent_at > self._limit:
            raise LeaseLost("the platform was not reached in time")

    def _due(self) -> float:
        if self._failing:
            return self._tried_at + min(RETRY_SECONDS, self._interval)
        return self._tried_at + (min(NEWS_SECONDS, self._interval) if self._news else self._interval)

    def _beat(self) -> None:
        batch = self._events[:BATCH_EVENTS]
        sent_at = self._tried_at = boot_clock()
        try:
            answer = self._api.job_heartbeat(self._job_id, self.token, batch)
        except StaleLease:
            raise LeaseLost("the platform says so") from None
        except (ApiUnavailable, ApiRefused):
            self._failing = True
            return
        self._sent_at, self._failing, self._news = sent_at, False, False
        del self._events[: len(batch)]
        self._deadline = sent_at + answer.deadline_in_seconds
        if answer.cancel and not self._closed:
            raise CancelAsked
