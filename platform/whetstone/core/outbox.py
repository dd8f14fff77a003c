"""The outbox: what a transaction wants done, written in that transaction, done after it.

outbox_add -> waiting -> outbox_claim_batch -> (effect) -> outbox_mark_sent
                 ^                                |
                 +------- outbox_mark_failed <----+   (again later, 1 s to 5 min)
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F

from whetstone.core.clock import db_now
from whetstone.core.dispatch import relay_wake
from whetstone.core.models import OutboxMessage

CLAIM_SECONDS = 60


def outbox_add(
    *, topic: str, key: str, payload: Mapping[str, object], available_at: datetime | None = None
) -> bool:
    """Writes one effect; call it inside the transaction that decides the effect.

    False: an effect with this key was decided before, and nothing is written.
    """
    fields = {"available_at": available_at} if available_at else {}
    message = OutboxMessage(topic=topic, key=key, payload=dict(payload), **fields)
    OutboxMessage.objects.bulk_create([message], ignore_conflicts=True)
    transaction.on_commit(relay_wake, robust=True)
    return OutboxMessage.objects.filter(pk=message.pk).exists()


@transaction.atomic
def outbox_claim_batch(limit: int) -> list[OutboxMessage]:
    """Up to `limit` due messages, hidden from others for a minute: a relay that dies gives them back."""
    now = db_now()
    due = OutboxMessage.objects.filter(sent_at__isnull=True, available_at__lte=now).order_by("available_at")
    if connection.features.has_select_for_update_skip_locked:
        due = due.select_for_update(skip_locked=True)
    messages = list(due[:limit])
    OutboxMessage.objects.filter(pk__in=[message.pk for message in messages]).update(
        available_at=now + timedelta(seconds=CLAIM_SECONDS), attempts=F("attempts") + 1
    )
    return messages


def outbox_mark_sent(*, message: OutboxMessage) -> None:
    OutboxMessage.objects.filter(pk=message.pk, sent_at__isnull=True).update(sent_at=db_now(), last_error="")


def outbox_mark_failed(*, message: OutboxMessage, error: str) -> None:
    """Tries again after 1, 2, 4 ... 300 seconds."""
    wait = min(300, 2 ** min(message.attempts, 9))
    OutboxMessage.objects.filter(pk=message.pk, sent_at__isnull=True).update(
        available_at=db_now() + timedelta(seconds=wait), last_error=error[:500]
    )


def outbox_purge(*, older_than: timedelta = timedelta(days=30)) -> int:
    """Forgets effects sent long ago. Their keys can no longer repeat by then."""
    deleted, _ = OutboxMessage.objects.filter(sent_at__lt=db_now() - older_than).delete()
    return deleted
