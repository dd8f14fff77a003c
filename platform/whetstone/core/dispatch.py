"""Sends a hint that a job waits: a Celery message by task name. The job's row is the truth."""

from functools import cache

from celery import Celery
from django.conf import settings

EXECUTE_TASK = "runner.execute"
RELAY_TASK = "control.outbox_relay"


@cache
def _celery() -> Celery:
    app = Celery("whetstone", broker=settings.WHETSTONE_REDIS_URL, set_as_current=False)
    app.conf.update(
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        broker_connection_timeout=3,
        broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 3, "socket_keepalive": True},
        task_publish_retry=False,
    )
    return app


def job_hint_send(*, job_id: str, queue: str) -> None:
    """Publishes the job's id to `queue` ("inspect" or "target.<slug>").

    Raises kombu's OperationalError when the broker does not answer: the outbox tries again.
    """
    _celery().send_task(EXECUTE_TASK, args=[job_id], queue=queue)


def relay_wake() -> None:
    """Tells the control worker that the outbox holds something; a lost word costs a second, no more."""
    _celery().send_task(RELAY_TASK, queue="control", expires=30)
