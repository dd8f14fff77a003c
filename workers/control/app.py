"""The control worker's Celery application: `celery -A workers.control.app worker -Q control`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import redis
from celery import Celery
from celery.signals import worker_init

sys.path.append(str(Path(__file__).resolve().parents[2] / "platform"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "whetstone.config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402 (Django must be set up first)

RELAY_SECONDS = 1
EXPIRE_SECONDS = 600

app = Celery("control", broker=settings.WHETSTONE_REDIS_URL, include=["workers.control.tasks"])
app.conf.update(
    task_default_queue="control",
    task_ignore_result=True,
    task_acks_late=False,
    task_serializer="json",
    accept_content=["json"],
    timezone="UTC",
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_soft_shutdown_timeout=30,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={"socket_timeout": 10, "socket_connect_timeout": 5, "socket_keepalive": True},
)


def _every(task: str, seconds: int) -> dict[str, Any]:
    # A message that waited longer than its period is worth nothing: the next one does the same work.
    return {"task": task, "schedule": float(seconds), "options": {"expires": float(max(seconds, 2))}}


app.conf.beat_schedule = {
    "relay": _every("control.outbox_relay", RELAY_SECONDS),
    "sweep": _every("control.jobs_sweep", settings.SWEEPER_SECONDS),
    "reap": _every("control.jobs_reap", settings.REAPER_SECONDS),
    "expire": _every("control.uploads_expire", EXPIRE_SECONDS),
}


class BrokerEvicts(SystemExit):
    """The broker may drop messages when its memory is full."""


@worker_init.connect
def broker_keeps_messages(**_: Any) -> None:
    """Refuses to start on a broker that evicts: it would lose hints and the schedule without a word."""
    client = redis.Redis.from_url(settings.WHETSTONE_REDIS_URL, socket_timeout=5)
    try:
        policy = client.config_get("maxmemory-policy").get("maxmemory-policy")
    except redis.ResponseError:  # managed services forbid CONFIG; their policy is the operator's to set
        return
    finally:
        client.close()
    if policy != "noeviction":
        raise BrokerEvicts(
            f"The broker's maxmemory-policy is {policy}; set it to noeviction and start again."
        )
