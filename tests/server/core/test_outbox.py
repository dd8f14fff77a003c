"""Effects are decided in a transaction, created once, and sent at least once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction

from whetstone.core.clock import db_now
from whetstone.core.models import OutboxMessage
from whetstone.core.outbox import (
    outbox_add,
    outbox_claim_batch,
    outbox_mark_failed,
    outbox_mark_sent,
    outbox_purge,
)

pytestmark = pytest.mark.django_db


def test_an_effect_is_created_once() -> None:
    assert outbox_add(topic="mail.run_ended", key="mail:run_1", payload={"run_id": "run_1"})
    assert not outbox_add(topic="mail.run_ended", key="mail:run_1", payload={"run_id": "other"})
    assert OutboxMessage.objects.get().payload == {"run_id": "run_1"}


def test_an_effect_of_a_transaction_that_fails_never_was() -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        outbox_add(topic="t", key="k", payload={})
        raise RuntimeError
    assert not OutboxMessage.objects.exists()


def test_a_claimed_message_is_hidden_and_comes_back_if_its_relay_dies() -> None:
    outbox_add(topic="t", key="k", payload={})
    claimed = outbox_claim_batch(10)
    assert [message.key for message in claimed] == ["k"]
    assert outbox_claim_batch(10) == []
    OutboxMessage.objects.update(available_at=db_now() - timedelta(seconds=1))
    assert [message.attempts for message in outbox_claim_batch(10)] == [1]


def test_a_sent_message_is_not_sent_again() -> None:
    outbox_add(topic="t", key="k", payload={})
    (message,) = outbox_claim_batch(10)
    outbox_mark_sent(message=message)
    OutboxMessage.objects.update(available_at=db_now() - timedelta(seconds=1))
    assert outbox_claim_batch(10) == []
    assert outbox_purge() == 0
    OutboxMessage.objects.update(sent_at=db_now() - timedelta(days=31))
    assert outbox_purge() == 1


def test_a_failed_message_waits_longer_each_time() -> None:
    outbox_add(topic="t", key="k", payload={})
    waits = []
    for _ in range(3):
        OutboxMessage.objects.update(available_at=db_now() - timedelta(seconds=1))
        (message,) = outbox_claim_batch(10)
        message.refresh_from_db()
        outbox_mark_failed(message=message, error="x" * 1000)
        message.refresh_from_db()
        waits.append((message.available_at - db_now()).total_seconds())
    assert waits == sorted(waits)
    assert message.attempts == 3
    assert len(message.last_error) == 500


def test_later_effects_wait_for_their_time() -> None:
    outbox_add(topic="t", key="later", payload={}, available_at=db_now() + timedelta(hours=1))
    outbox_add(topic="t", key="now", payload={})
    assert [message.key for message in outbox_claim_batch(10)] == ["now"]
