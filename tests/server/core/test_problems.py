"""Every refusal is a problem with a code, whoever refuses, and none shows a trace or a path."""

from __future__ import annotations

import json
import logging

import pytest
from django.db import DatabaseError
from django.test import Client

from tests.factories.accounts import Api, api_with_token
from whetstone.core.errors import HTTP_CATALOG, Conflict, catalog, error_kind
from whetstone.core.logs import LineFormatter
from whetstone.registry import queries

KEYS = {"type", "title", "status", "detail", "code", "hint", "request_id"}


def assert_problem(response: object, status: int, code: str) -> None:
    assert response.status_code == status, response.content  # type: ignore[attr-defined]
    assert response["Content-Type"] == "application/problem+json"  # type: ignore[index]
    body = response.json()  # type: ignore[attr-defined]
    assert set(body) >= KEYS
    assert body["status"] == status
    assert body["code"] == code
    assert body["type"].endswith(f"/docs/errors#{code}")
    assert body["request_id"] == response["X-Request-Id"]  # type: ignore[index]


def test_an_unknown_address_is_a_404(alice: Api) -> None:
    for path in ("/nope", "/models/mdl_nope/nope", "/models/"):
        assert_problem(alice.get(path), 404, "NOT_FOUND")


def test_an_unknown_method_is_a_405_that_says_what_is_allowed(alice: Api) -> None:
    response = alice.client.post("/api/v1/me")
    assert_problem(response, 405, "METHOD_NOT_ALLOWED")
    assert "GET" in response["Allow"]


@pytest.mark.django_db
def test_nobody_is_a_401(client: Client) -> None:
    response = client.get("/api/v1/me", headers={"host": "127.0.0.1"})
    assert_problem(response, 401, "NOT_SIGNED_IN")
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_foreign_host_header_is_a_400(alice: Api) -> None:
    assert_problem(alice.get("/me", headers={"host": "evil.example"}), 400, "BAD_REQUEST")


def test_writing_with_a_cookie_needs_the_csrf_token(alice: Api) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1"})
    strict.force_login(alice.user)
    body = json.dumps({"name": "ci"})
    assert_problem(strict.post("/api/v1/tokens", body, content_type="application/json"), 403, "CSRF_FAILED")
    strict.get("/sign-in")
    token = strict.cookies["csrftoken"].value
    sent = strict.post(
        "/api/v1/tokens", body, content_type="application/json", headers={"x-csrftoken": token}
    )
    assert sent.status_code == 201


def test_a_fault_of_ours_is_a_500_without_a_trace(
    alice: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("secret /work/path")

    monkeypatch.setattr(queries, "models_page", fail)
    with caplog.at_level(logging.ERROR):
        response = alice.get("/models")
    assert_problem(response, 500, "INTERNAL_ERROR")
    assert b"secret" not in response.content
    assert "secret /work/path" in caplog.text


def test_a_fault_outside_the_api_is_a_500_without_a_trace(
    alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise DatabaseError("secret")

    monkeypatch.setattr("whetstone.core.pages.catalog", fail)
    client = Client(raise_request_exception=False, headers={"host": "127.0.0.1"})
    response = client.get("/docs/errors")
    assert_problem(response, 500, "INTERNAL_ERROR")
    assert b"secret" not in response.content


def test_a_token_needs_no_csrf(alice: Api) -> None:
    robot = api_with_token(alice.user, alice.workspace)
    assert robot.post("/tokens", {"name": "second"}).status_code == 201


def test_codes_have_one_status_and_a_next_step() -> None:
    for code, kind in catalog().items():
        assert code == kind.code
        assert kind.message.endswith(".")
        assert kind.hint
        assert kind.side in {"user", "system", "limit"}
    assert all(kind.status is not None for kind in HTTP_CATALOG.values())
    assert error_kind("EMPTY_FILE").status == 422


def test_a_class_of_the_tree_takes_only_codes_of_its_status() -> None:
    with pytest.raises(ValueError, match="NOT_SIGNED_IN"):
        Conflict("NOT_SIGNED_IN")


def test_a_log_line_is_one_line_whatever_is_in_it() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "name %s", ("a\nlevel: forged\x1b[31m\u202e",), None)
    text = LineFormatter().format(record)
    assert "\n" not in text
    assert "\x1b" not in text
    assert json.loads(text)["message"].startswith("name a\n")
