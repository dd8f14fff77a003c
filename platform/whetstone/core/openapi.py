"""Finishes the OpenAPI document that Ninja makes from the views.

- Every operation says that it may refuse with a Problem.
- Shapes are called what they are: `ModelOut` is `Model`, `UploadIn` is `UploadNew`, `PageOut_X_` is `XPage`.
- What an answer holds is always there, so its fields are all required, also those that may be null.
- `Idempotency-Key` and `Whetstone-Workspace` are parameters where they count.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from whetstone.core.problems import Problem

JsonObject = dict[str, Any]
_REF = "#/components/schemas/"
METHODS = ("get", "post", "put", "patch", "delete")
_WORKSPACE = {
    "in": "header",
    "name": "Whetstone-Workspace",
    "required": False,
    "schema": {"type": "string"},
    "description": "The workspace to work in; left out: the token's own, or your first.",
}
_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
    "description": "The same request with the same key gets the first answer; nothing is made twice.",
}


def document_finish(document: JsonObject, *, idempotent: frozenset[str]) -> JsonObject:
    """`idempotent`: the operation ids that take an Idempotency-Key."""
    finished: JsonObject = json.loads(_renamed(json.dumps(document)))
    schemas = finished["components"].setdefault("schemas", {})
    problem = Problem.model_json_schema(ref_template=_REF + "{model}")
    schemas.update({_plain_name(name): shape for name, shape in problem.pop("$defs", {}).items()})
    schemas["Problem"] = json.loads(_renamed(json.dumps(problem)))
    asked = _reachable(schemas, (op.get("requestBody", {}) for op in operations(finished)))
    for name, shape in schemas.items():
        if name not in asked and "properties" in shape:
            shape["required"] = list(shape["properties"])
    for operation in operations(finished):
        _operation_finish(operation, operation["operationId"] in idempotent)
    _security_finish(finished)
    used = _reachable(schemas, iter([finished["paths"]]))
    finished["components"]["schemas"] = {name: schemas[name] for name in sorted(used)}
    return finished


def operations(document: JsonObject) -> Iterator[JsonObject]:
    for path in document["paths"].values():
        for method in METHODS:
            if method in path:
                yield path[method]


def _operation_finish(operation: JsonObject, idempotent: bool) -> None:
    for response in operation["responses"].values():
        if not isinstance(response.get("description"), str) or not response["description"]:
            response["description"] = "OK"
    operation["responses"]["default"] = {
        "description": "Refused: `code` says why.",
        "content": {"application/problem+json": {"schema": {"$ref": f"{_REF}Problem"}}},
    }
    if operation.get("security"):
        operation.setdefault("parameters", []).append(dict(_WORKSPACE))
    if idempotent:
        operation.setdefault("parameters", []).append(dict(_KEY))


def _security_finish(document: JsonObject) -> None:
    """One name for each way in, and either of them is enough."""
    document["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token from the tokens page."},
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "whetstone_session",
            "description": "The page's cookie; writing also needs the `X-CSRFToken` header.",
        },
    }
    for operation in operations(document):
        if operation.get("security"):
            operation["security"] = [{"token": []}, {"session": []}]


def _plain_name(name: str) -> str:
    if found := re.fullmatch(r"PageOut_(\w+?)(?:Out)?_", name):
        return f"{found[1]}Page"
    if name.endswith("Out"):
        return name.removesuffix("Out")
    return re.sub(r"In$", "New", name)


def _renamed(text: str) -> str:
    """Renames component keys and references alike; two shapes that would share a name are an error."""
    document = json.loads(text)
    schemas = document.get("components", {}).get("schemas") or document.get("$defs") or {}
    names = {name: _plain_name(name) for name in schemas}
    if len(set(names.values())) != len(names):
        raise ValueError(f"two shapes share a name: {sorted(names.values())}")
    if "components" in document:
        document["components"]["schemas"] = {names[name]: shape for name, shape in schemas.items()}
    return re.sub(
        re.escape(f'"{_REF}') + r'(\w+)"',
        lambda found: f'"{_REF}{_plain_name(found[1])}"',
        json.dumps(document),
    )


def _reachable(schemas: JsonObject, roots: Iterator[JsonObject]) -> set[str]:
    seen: set[str] = set()
    waiting = [name for root in roots for name in _references(root)]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(_references(schemas.get(name, {})))
    return seen


def _references(shape: object) -> list[str]:
    return re.findall(re.escape(f'"{_REF}') + r'(\w+)"', json.dumps(shape))
