"""What the control worker does. Each task is a shell around one service and is safe to run twice."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from django.db import close_old_connections

from whetstone.alerts.services import mail_run_ended_send
from whetstone.core.dispatch import job_hint_send
from whetstone.core.models import OutboxMessage
from whetstone.core.outbox import outbox_claim_batch, outbox_mark_failed, outbox_mark_sent
from whetstone.runs.services import jobs_reap as reap
from whetstone.runs.services import jobs_sweep as sweep
from whetstone.runs.services import run_advance
from whetstone.uploads.services import uploads_expire as expire
from workers.control.app import app

logger = logging.getLogger(__name__)
BATCH = 100


def _job_dispatch(payload: Mapping[str, Any]) -> None:
    job_hint_send(job_id=str(payload["job_id"]), queue=str(payload["queue"]))


def _run_advance(payload: Mapping[str, Any]) -> None:
    run_advance(run_id=str(payload["run_id"]))


def _mail_run_ended(payload: Mapping[str, Any]) -> None:
    mail_run_ended_send(run_id=str(payload["run_id"]))


EFFECTS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "job.dispatch": _job_dispatch,
    "run.advance": _run_advance,
    "mail.run_ended": _mail_run_ended,
}


@app.task(name="control.outbox_relay")
def outbox_relay() -> None:
    """Carries out the effects that committed transactions asked for, until none is due."""
    close_old_connections()
    while messages := outbox_claim_batch(BATCH):
        for message in messages:
            _carry_out(message)


def _carry_out(message: OutboxMessage) -> None:
    try:
        EFFECTS[message.topic](message.payload)
    except Exception as error:  # one effect that fails must not hold up the others; it is tried again
        logger.warning("outbox %s failed: %s", message.key, type(error).__name__)
        outbox_mark_failed(message=message, error=f"{type(error).__name__}: {error}")
    else:
        outbox_mark_sent(message=message)


@app.task(name="control.jobs_sweep")
def jobs_sweep() -> None:
    close_old_connections()
    if sweep():
        outbox_relay()


@app.task(name="control.jobs_reap")
def jobs_reap() -> None:
    close_old_connections()
    if reap():
        outbox_relay()


@app.task(name="control.uploads_expire")
def uploads_expire() -> None:
    close_old_connections()
    expire()
