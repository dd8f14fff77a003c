"""The one task: look whether the job is to be had, and carry it out."""

from __future__ import annotations

import logging

from celery import Celery

from workers.runner.api import PlatformApi
from workers.runner.settings import Settings
from workers.runner.stopping import StopPipe
from workers.runner.supervisor import execute

EXECUTE_TASK = "runner.execute"

logger = logging.getLogger("whetstone.runner")


def tasks_add(app: Celery, settings: Settings, stop: StopPipe) -> None:
    """Register the task under the name that the platform sends."""

    def execute_job(job_id: str) -> None:
        if stop.asked() or not _is_id(job_id):
            return
        with PlatformApi(settings.api_url, settings.credential) as api:
            state = execute(settings, api, job_id, stop.asked)
        logger.info("job %s: %s", job_id, state or "not ours")

    app.task(name=EXECUTE_TASK, ignore_result=True, acks_late=False)(execute_job)


def _is_id(text: object) -> bool:
    """It becomes part of an address, and anybody who reaches the broker can send it."""
    return isinstance(text, str) and len(text) <= 40 and text.replace("_", "").isalnum() and text.isascii()
