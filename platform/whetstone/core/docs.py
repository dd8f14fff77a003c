"""The documentation page, made from the OpenAPI document: every endpoint with a command to paste."""

import json
import re
import shlex
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from whetstone.core.openapi import METHODS, JsonObject


@dataclass(frozen=True, slots=True)
class FieldDoc:
    name: str
    place: str
    kind: str
    required: bool
    description: str


@dataclass(frozen=True, slots=True)
class AnswerDoc:
    status: str
    schema: str


@dataclass(frozen=True, slots=True)
class OperationDoc:
    id: str
    tag: str
    method: str
    path: str
    summary: str
    description: list[str]
    fields: list[FieldDoc]
    answers: list[AnswerDoc]
    curl: str


@dataclass(frozen=True, slots=True)
class GroupDoc:
    tag: str
    operations: list[OperationDoc]


@dataclass(frozen=True, slots=True)
class SchemaDoc:
    name: str
    description: str
    fields: list[FieldDoc]


def groups_of(document: JsonObject) -> list[GroupDoc]:
    found = [
        _operation(document, path, method, details[method])
        for path, details in document["paths"].items()
        for method in METHODS
        if method in details
    ]
    found.sort(key=lambda op: op.tag)
    return [GroupDoc(tag, list(group)) for tag, group in groupby(found, key=lambda op: op.tag)]


def schemas_of(document: JsonObject) -> list[SchemaDoc]:
    return [
        SchemaDoc(name, shape.get("description", ""), _body_fields(shape, ""))
        for name, shape in sorted(document["components"]["schemas"].items())
    ]


def _operation(document: JsonObject, path: str, method: str, details: JsonObject) -> OperationDoc:
    fields = [
        FieldDoc(p["name"], p["in"], _kind(p["schema"]), p["required"], p.get("description", ""))
        for p in details.get("parameters", [])
    ]
    body = _body_schema(document, details)
    fields += _body_fields(body, "body")
    answers = [
        AnswerDoc(status, _reference(response))
        for status, response in details["responses"].items()
        if status != "default"
    ]
    return OperationDoc(
        id=details["operationId"],
        tag=(details.get("tags") or ["Other"])[0],
        method=method.upper(),
        path=path,
        summary=details.get("summary", ""),
        description=_paragraphs(details.get("description", "")),
        fields=fields,
        answers=answers,
        curl=_curl(document, path, method, details, body),
    )


def _curl(document: JsonObject, path: str, method: str, details: JsonObject, body: JsonObject) -> str:
    words = ["curl -sS"]
    if "302" in details["responses"]:
        words.append("-L -OJ")
    if method != "get":
        words.append(f"-X {method.upper()}")
    if details.get("security"):
        words.append('-H "Authorization: Bearer $TOKEN"')
    if any(p["name"] == "Idempotency-Key" for p in details.get("parameters", [])):
        words.append('-H "Idempotency-Key: $(uuidgen)"')
    if body:
        words.append("-H 'Content-Type: application/json'")
        words.append(f"-d {shlex.quote(json.dumps(_example(document, body)))}")
    named = re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), path)
    words.append(f"$WHETSTONE{named}")
    return " \\\n  ".join([" ".join(words[:-1]), words[-1]]) if len(words) > 3 else " ".join(words)


def _body_schema(document: JsonObject, details: JsonObject) -> JsonObject:
    content = details.get("requestBody", {}).get("content", {})
    schema: JsonObject = content.get("application/json", {}).get("schema", {})
    return _resolved(document, schema)


def _resolved(document: JsonObject, schema: JsonObject) -> JsonObject:
    if "$ref" in schema:
        found: JsonObject = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        return found
    return schema


def _example(document: JsonObject, schema: JsonObject) -> Any:
    """A small body that is taken: what is needed, and what has an example."""
    schema = _resolved(document, schema)
    if schema.get("examples"):
        return schema["examples"][0]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _example(document, schema[key][0])
    if "properties" in schema:
        needed = set(schema.get("required", []))
        return {
            name: _example(document, part)
            for name, part in schema["properties"].items()
            if name in needed or part.get("examples")
        }
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [""])[0])
    fillers = {"string": "TEXT", "integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}
    return schema.get("default", fillers.get(schema.get("type", "string"), "TEXT"))


def _body_fields(schema: JsonObject, place: str) -> list[FieldDoc]:
    needed = set(schema.get("required", []))
    return [
        FieldDoc(name, place, _kind(part), name in needed, part.get("description", ""))
        for name, part in schema.get("properties", {}).items()
    ]


def _kind(schema: JsonObject) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in schema:
        return " or ".join(_kind(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or schema.get("const") or "any")


def _reference(response: JsonObject) -> str:
    for content in response.get("content", {}).values():
        if "$ref" in content.get("schema", {}):
            return _kind(content["schema"])
    return ""


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]
