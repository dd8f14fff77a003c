"""What the web process serves besides the API: the page, the documentation, health."""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from whetstone.config.urls import api
from whetstone.core.errors import catalog
from whetstone.core.pages import PAGE_ROUTES

pytestmark = pytest.mark.django_db
HTML = {"accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def browser() -> Client:
    return Client(headers={"host": "127.0.0.1", **HTML})


@pytest.fixture
def built(tmp_path: Path, settings: Any) -> Path:
    settings.FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text("<!doctype html><title>built</title>")
    return tmp_path


@pytest.mark.parametrize("route", PAGE_ROUTES)
def test_every_page_has_its_own_address(browser: Client, built: Path, route: str) -> None:
    address = "/" + route.replace("<str:", "").replace(">", "")
    response = browser.get(address)
    assert (response.status_code, response.content) == (200, b"<!doctype html><title>built</title>")
    assert response["Cache-Control"] == "no-cache"
    policy = response["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert "csrftoken" in response.cookies


def test_a_page_built_again_is_served_at_once(browser: Client, built: Path) -> None:
    browser.get("/")
    (built / "index.html").write_text("newer page")
    assert browser.get("/").content == b"newer page"


def test_an_unknown_page_is_the_page_with_404(browser: Client, built: Path) -> None:
    response = browser.get("/no/such/page")
    assert response.status_code == 404
    assert b"built" in response.content


def test_an_unknown_machine_address_is_a_problem_even_for_a_browser(browser: Client, built: Path) -> None:
    for path in ("/api/v1/nope", "/files/nope", "/internal/v1/nope", "/health/nope"):
        response = browser.get(path)
        assert response.status_code in {403, 404}
        assert response["Content-Type"] == "application/problem+json"


def test_a_page_that_is_not_built_says_how_to_build_it(
    browser: Client, tmp_path: Path, settings: Any
) -> None:
    settings.FRONTEND_DIST = tmp_path
    response = browser.get("/models")
    assert response.status_code == 503
    assert b"make page" in response.content


def test_every_error_code_has_its_anchor(browser: Client) -> None:
    text = browser.get("/docs/errors").content.decode()
    for code in catalog():
        assert f'<tr id="{code}">' in text
    listed = browser.get("/api/v1/errors").json()["items"]
    assert [row["code"] for row in listed] == list(catalog())


def test_the_documentation_shows_every_endpoint_with_a_command(browser: Client) -> None:
    text = browser.get("/api/v1/docs").content.decode()
    for path, methods in api.document["paths"].items():
        for method, details in methods.items():
            assert f"<code>{method.upper()} {path}</code>" in text
            assert f'<article id="{details["operationId"]}">' in text
    assert "Authorization: Bearer $TOKEN" in text
    assert "http://127.0.0.1" in text
    assert "https://cdn" not in text


def test_the_documents_examples_are_shell_that_parses(browser: Client) -> None:
    blocks = re.findall(r"<pre[^>]*>(.*?)</pre>", browser.get("/api/v1/docs").content.decode(), re.DOTALL)
    assert len(blocks) > 30
    for block in blocks:
        script = html.unescape(block).replace("whst_...", "whst_x")
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_health_says_whether_the_platform_can_work(browser: Client) -> None:
    assert browser.get("/health/live").json() == {"status": "ok"}
    assert browser.get("/health/ready").json() == {"status": "ok"}


def test_the_document_is_openapi_3_1_and_complete() -> None:
    document = json.loads(json.dumps(api.document))
    assert document["openapi"].startswith("3.1")
    text = json.dumps(document)
    for name in set(re.findall(r'"#/components/schemas/(\w+)"', text)):
        assert name in document["components"]["schemas"], name
    for path, methods in document["paths"].items():
        for details in methods.values():
            assert details["summary"], path
            assert details["description"], path
            assert details["tags"], path
            assert "application/problem+json" in details["responses"]["default"]["content"]
    assert set(document["components"]["securitySchemes"]) == {"token", "session"}


def test_every_creating_post_takes_an_idempotency_key() -> None:
    for path, methods in api.document["paths"].items():
        if "201" in methods.get("post", {}).get("responses", {}):
            names = [p["name"] for p in methods["post"]["parameters"]]
            assert "Idempotency-Key" in names, path
