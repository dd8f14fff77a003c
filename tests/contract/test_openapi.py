"""The interface's document: valid OpenAPI 3.1, one set of rules, and what the page was built on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils.module_loading import import_string
from jsonschema import Draft202012Validator

from tests.servers.processes import ROOT

METHODS = {"get", "post", "put", "patch", "delete"}
PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """As a client gets it: through JSON."""
    document: dict[str, Any] = json.loads(json.dumps(import_string("whetstone.config.urls.api").document))
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in METHODS & set(item):
            yield f"{method.upper()} {path}", item[method]


def references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def headers(operation: dict[str, Any]) -> set[str]:
    return {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "header"}


def test_it_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert re.fullmatch(r"3\.1\.\d+", document["openapi"])
    assert {"title", "version"} <= set(document["info"])
    assert document["paths"]


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    for reference in set(references(document)):
        node: Any = document
        for part in reference.removeprefix("#/").split("/"):
            assert part in node, reference
            node = node[part]


def test_every_schema_is_a_json_schema(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert schema.get("type") or schema.get("enum") or schema.get("anyOf") or schema.get("$ref"), name


def test_every_operation_has_a_name_a_summary_and_its_path_parameters(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(names) == len(set(names))
    for where, operation in operations(document):
        assert operation.get("summary"), where
        declared = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
        assert declared == set(re.findall(r"{(\w+)}", where)), where


def test_every_post_that_creates_takes_an_idempotency_key(document: dict[str, Any]) -> None:
    creating = [(where, o) for where, o in operations(document) if "201" in o["responses"]]
    assert creating
    assert [where for where, operation in creating if "Idempotency-Key" not in headers(operation)] == []


def test_every_refusal_is_a_problem(document: dict[str, Any]) -> None:
    for where, operation in operations(document):
        refusals = {s: r for s, r in operation["responses"].items() if not s.startswith(("2", "3"))}
        assert refusals, where
        assert all(set(answer["content"]) == {PROBLEM} for answer in refusals.values()), where


def test_every_list_has_a_cursor(document: dict[str, Any]) -> None:
    for where, operation in operations(document):
        names = {parameter["name"] for parameter in operation.get("parameters", [])}
        assert ("cursor" in names) <= ("limit" in names), where


@pytest.mark.django_db
def test_an_unknown_address_and_a_stranger_get_problems(client: Client) -> None:
    for path, status in (("/api/v1/nothing", 404), ("/api/v1/me", 401)):
        answer = client.get(path)
        assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM)
        assert {"type", "title", "status", "detail", "code", "hint", "request_id"} <= set(answer.json())


@pytest.mark.django_db
def test_the_served_document_is_the_one_the_page_was_built_on(
    client: Client, document: dict[str, Any]
) -> None:
    served = client.get("/api/v1/openapi.json").json()
    committed = json.loads((ROOT / "frontend" / "openapi.json").read_text(encoding="utf-8"))
    assert served["paths"].keys() == document["paths"].keys() == committed["paths"].keys()
    assert served["components"]["schemas"] == committed["components"]["schemas"]


def test_the_page_calls_only_what_exists(document: dict[str, Any]) -> None:
    types = (ROOT / "frontend" / "src" / "api" / "schema.d.ts").read_text(encoding="utf-8")
    for path in document["paths"]:
        assert f'"{path}"' in types, f"{path}: run `make fix`"
