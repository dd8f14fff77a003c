"""Bodies that our own JSON could not say: refused at once, with a short answer, and nothing is made."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from tests.factories.accounts import Api

HOSTILE = {
    "not json": b"{",
    "empty": b"   ",
    "html": b"<html>",
    "depth 100000": b"[" * 100_000,
    "closed depth 100000": b'{"name":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "depth 100000 of objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "duplicate keys": b'{"name":"a","name":"b"}',
    "NaN": b'{"name":"a","expires_in_days":NaN}',
    "Infinity": b'{"name":"a","expires_in_days":-Infinity}',
    "huge integer": b'{"name":"a","expires_in_days":1' + b"0" * 400 + b"}",
    "huge float": b'{"name":"a","expires_in_days":1e999}',
    "lone surrogate": rb'{"name":"\ud800"}',
    "lone surrogate in a key": rb'{"\udfff":1,"name":"a"}',
    "NUL": rb'{"name":"a\u0000b"}',
    "raw control character": b'{"name":"a\x01b"}',
    "not utf-8": b'{"name":"\xff\xfe"}',
    "utf-16": '{"name":"a"}'.encode("utf-16"),
    "overlong utf-8": b'{"name":"\xc0\xaf"}',
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_unreadable_json_is_a_400(alice: Api, body: bytes) -> None:
    alice.get("/me")
    started = time.perf_counter()
    response = alice.client.post("/api/v1/tokens", body, content_type="application/json")
    assert time.perf_counter() - started < 0.1
    assert response.status_code == 400, response.content
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "JSON_INVALID"
    assert len(response.content) < 1_000
    assert alice.get("/tokens").json()["items"] == []


WRONG = {
    "a list": b"[]",
    "a text": b'"name"',
    "null": b"null",
    "a number": b"7",
    "wrong type": b'{"name":{"a":1}}',
    "missing": b"{}",
    "too small": b'{"name":"a","expires_in_days":0}',
    "too large": b'{"name":"a","expires_in_days":99999999999}',
    "fraction": b'{"name":"a","expires_in_days":1.5}',
    "override": '{"name":"safe\u202egnp.exe"}'.encode(),
    "zero width": '{"name":"a\u200b"}'.encode(),
    "line break": b'{"name":"a\\nBcc: b"}',
    "long": b'{"name":"' + b"x" * 101 + b'"}',
    "only spaces": b'{"name":"   "}',
}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG.keys())
def test_readable_json_of_another_shape_is_a_422_that_says_where(alice: Api, body: bytes) -> None:
    response = alice.client.post("/api/v1/tokens", body, content_type="application/json")
    assert response.status_code == 422, response.content
    problem = response.json()
    assert problem["code"] == "VALIDATION_FAILED"
    assert problem["errors"][0]["loc"][0] == "body"
    assert problem["errors"][0]["msg"]
    assert len(response.content) < 4_000
    assert alice.get("/tokens").json()["items"] == []


def test_an_answer_does_not_repeat_what_was_sent(alice: Api) -> None:
    body = b'{"name":["' + b"secret-" * 100 + b'"]}'
    response = alice.client.post("/api/v1/tokens", body, content_type="application/json")
    assert response.status_code == 422
    assert b"secret-" not in response.content


def test_escapes_that_are_fine_stay_fine(alice: Api) -> None:
    body = rb'{"name":"C:\\u0000 \ud83d\ude00 \u00e4"}'
    response = alice.client.post("/api/v1/tokens", body, content_type="application/json")
    assert response.status_code == 201, response.content
    assert response.json()["name"] == "C:\\u0000 \U0001f600 ä"


def test_a_large_body_is_refused_before_it_is_read(alice: Api) -> None:
    class Unread:
        def read(self, size: int = -1) -> bytes:
            raise AssertionError("the body was read")

        readline = read

    tracemalloc.start()
    started = time.perf_counter()
    response = alice.client.generic(
        "POST",
        "/api/v1/tokens",
        b"",
        content_type="application/json",
        **{"CONTENT_LENGTH": str(100 * 1024**2), "wsgi.input": Unread()},
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert response.status_code == 413
    assert response.json()["code"] == "BODY_TOO_LARGE"
    assert time.perf_counter() - started < 0.1
    assert peak < 5 * 1024**2


@pytest.mark.parametrize(
    "path", ["/models?cursor=%00", "/models?cursor=a%00b", "/models/a%00b", "/models/%0d%0aSet-Cookie:x"]
)
def test_control_characters_in_an_address_are_a_400(alice: Api, path: str) -> None:
    response = alice.get(path)
    assert response.status_code == 400
    assert response.json()["code"] == "BAD_REQUEST"


@pytest.mark.parametrize("limit", ["0", "-1", "101", "1e3", "x", "9" * 400])
def test_a_limit_outside_its_range_is_a_422(alice: Api, limit: str) -> None:
    response = alice.get(f"/models?limit={limit}")
    assert response.status_code == 422
    assert response.json()["errors"][0]["loc"] == ["query", "limit"]


@pytest.mark.parametrize("cursor", ["x", "mdl_", "' OR 1=1 --", "mdl_" + "Z" * 26, "ü"])
def test_a_cursor_that_no_list_gave_is_a_400(alice: Api, cursor: str) -> None:
    response = alice.get("/models", query_params={"cursor": cursor})
    assert response.status_code == 400
    assert response.json()["code"] == "CURSOR_INVALID"
