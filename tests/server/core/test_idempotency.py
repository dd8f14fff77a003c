"""Sending a creating POST twice creates once."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection, connections

from tests.factories.accounts import Api, api_signed_in, api_with_token, cast_make, member_add, user_make
from whetstone.accounts.models import ApiToken, Role
from whetstone.core.clock import db_now
from whetstone.core.idempotency import idempotency_purge
from whetstone.core.models import IdempotencyRecord

KEY = {"idempotency-key": "6f0c3f0e-ci-run-17"}


def test_the_same_request_gets_the_same_answer(alice: Api) -> None:
    first = alice.post("/tokens", {"name": "ci"}, headers=KEY)
    again = alice.post("/tokens", {"name": "ci"}, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    assert ApiToken.objects.count() == 1


def test_another_body_with_the_same_key_is_refused(alice: Api) -> None:
    alice.post("/tokens", {"name": "ci"}, headers=KEY)
    response = alice.post("/tokens", {"name": "other"}, headers=KEY)
    assert response.status_code == 409
    assert response.json()["code"] == "IDEMPOTENCY_KEY_REUSED"
    assert ApiToken.objects.count() == 1


def test_another_endpoint_with_the_same_key_is_refused(alice: Api) -> None:
    alice.post("/tokens", {"name": "ci"}, headers=KEY)
    body = {"filename": "a.onnx", "size_bytes": 1, "sha256": "0" * 64}
    assert alice.post("/uploads", body, headers=KEY).json()["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_a_refusal_is_not_remembered(alice: Api) -> None:
    body = {"filename": "///", "size_bytes": 1, "sha256": "0" * 64}
    assert alice.post("/uploads", body, headers=KEY).status_code == 422
    body["filename"] = "model.onnx"
    assert alice.post("/uploads", body, headers=KEY).status_code == 201


def test_people_do_not_share_keys(alice: Api, bob: Api, charlie: Api) -> None:
    answers = [api.post("/tokens", {"name": "ci"}, headers=KEY).json()["id"] for api in (alice, bob, charlie)]
    assert len(set(answers)) == 3


def test_one_user_in_two_workspaces_has_two_sets_of_keys(alice: Api, charlie: Api) -> None:
    member_add(charlie.workspace, alice.user)
    there = api_with_token(alice.user, charlie.workspace)
    first = alice.post("/tokens", {"name": "ci"}, headers=KEY)
    second = there.post("/tokens", {"name": "ci"}, headers=KEY)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["id"] != second.json()["id"]


@pytest.mark.parametrize("key", ["", " ", "x" * 201, "a\tb", "ä"])
def test_a_key_must_be_plain_and_short(alice: Api, key: str) -> None:
    response = alice.post("/tokens", {"name": "ci"}, headers={"idempotency-key": key})
    assert response.status_code == 400
    assert response.json()["code"] == "IDEMPOTENCY_KEY_INVALID"
    assert ApiToken.objects.count() == 0


def test_a_copy_of_the_database_reveals_no_token(alice: Api) -> None:
    token = alice.post("/tokens", {"name": "ci"}, headers=KEY).json()["token"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM core_idempotencyrecord")
        rows = str(cursor.fetchall())
        cursor.execute("SELECT * FROM accounts_apitoken")
        rows += str(cursor.fetchall())
    assert token not in rows
    assert KEY["idempotency-key"] not in rows


def test_answers_are_forgotten_after_a_day(alice: Api) -> None:
    alice.post("/tokens", {"name": "ci"}, headers=KEY)
    assert idempotency_purge() == 0
    IdempotencyRecord.objects.update(created_at=db_now() - timedelta(hours=25))
    assert idempotency_purge() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_creates_and_all_get_its_answer() -> None:
    alice = cast_make().alice
    answers: list[tuple[int, bytes]] = []
    start = threading.Barrier(6)

    def send() -> None:
        api = api_signed_in(alice.user, alice.workspace)
        start.wait()
        response = api.post("/tokens", {"name": "ci"}, headers=KEY)
        answers.append((response.status_code, response.content))
        connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    created = [body for status, body in answers if status == 201]
    assert created
    assert len(set(created)) == 1
    assert all(b"IDEMPOTENCY_IN_PROGRESS" in body for status, body in answers if status != 201)
    assert len(answers) == 6
    assert ApiToken.objects.filter(name="ci").count() == 1


def test_a_user_without_rights_leaves_no_record(alice: Api) -> None:
    viewer = user_make("viewer")
    member_add(alice.workspace, viewer, Role.VIEWER)
    response = api_signed_in(viewer, alice.workspace).post("/tokens", {"name": "ci"}, headers=KEY)
    assert response.status_code == 403
    assert IdempotencyRecord.objects.count() == 0
