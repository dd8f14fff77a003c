"""The Celery app of a runner. A message is a hint that carries a job's id; the platform's row decides."""

from __future__ import annotations

import signal
from typing import Any

from celery import Celery, signals

from workers.runner.settings import Settings
from workers.runner.stopping import StopPipe
from workers.runner.tasks import tasks_add


def app_make(settings: Settings, stop: StopPipe) -> Celery:
    """The app with its one task, wired so that a stop reaches the jobs at once."""
    app = Celery("whetstone.runner", broker=settings.redis_url)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=False,
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_disable_prefetch=True,
        worker_concurrency=settings.concurrency,
        worker_soft_shutdown_timeout=30,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_timeout": 15,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
            "health_check_interval": 10,
        },
    )
    tasks_add(app, settings, stop)
    _wire(stop)
    return app


def _wire(stop: StopPipe) -> None:
    def shutting_down(**_: Any) -> None:
        stop.ask()

    def process_started(**_: Any) -> None:
        stop.forked()
        signal.signal(signal.SIGTERM, lambda *_: stop.ask())

    signals.worker_shutting_down.connect(shutting_down, weak=False)
    signals.worker_process_init.connect(process_started, weak=False)
