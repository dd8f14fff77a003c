"""The host's own heartbeat, from the loop that consumes: a runner that hangs is seen to hang."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Sequence
from typing import Any

import redis
from celery import Celery, bootsteps
from celery.worker import state

from workers.runner.api import ApiRefused, ApiUnavailable, PlatformApi, StaleLease
from workers.runner.settings import Settings

STUCK_SECONDS = 60.0
# Short: while it waits for an answer, the loop takes no job.
_TIMEOUT = 3.0

logger = logging.getLogger("whetstone.runner")


class Liveness:
    """Tells the platform of free slots, and ends a runner that leaves waiting work alone."""

    def __init__(self, settings: Settings, queues: Sequence[str]) -> None:
        self._api = PlatformApi(settings.api_url, settings.credential, timeout=_TIMEOUT)
        self._broker = redis.Redis.from_url(
            settings.redis_url, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT
        )
        self._queues = tuple(queues)
        self._slots = settings.concurrency
        self._consumed = -1
        self._moved_at = time.monotonic()

    def beat(self) -> None:
        """One heartbeat; never raises, or the timer would stop."""
        free = max(self._slots - len(state.reserved_requests), 0)
        try:
            self._api.host_heartbeat(free)
        except (ApiUnavailable, ApiRefused, StaleLease) as error:
            logger.warning("host heartbeat: %s", error)
        if self.stuck(free, sum(state.total_count.values())):
            logger.error("work waits and none is taken: this runner stops")
            os.kill(os.getpid(), signal.SIGTERM)

    def stuck(self, free: int, consumed: int) -> bool:
        """Whether slots are free and a queue is not empty, and nothing was consumed for a minute."""
        now = time.monotonic()
        if free == 0 or consumed != self._consumed or not self._waiting():
            self._consumed, self._moved_at = consumed, now
        return now - self._moved_at > STUCK_SECONDS

    def _waiting(self) -> bool:
        try:
            return any(self._broker.llen(queue) for queue in self._queues)
        except redis.RedisError:
            return False


def liveness_add(app: Celery, liveness: Liveness, every_seconds: float) -> None:
    """Hang the heartbeat on the consumer's own timer."""

    class LivenessStep(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)
        entry: Any = None

        def start(self, parent: Any) -> None:
            liveness.beat()
            self.entry = parent.timer.call_repeatedly(every_seconds, liveness.beat)

        def stop(self, parent: Any) -> None:
            if self.entry is not None:
                self.entry.cancel()
                self.entry = None

    app.steps["consumer"].add(LivenessStep)
