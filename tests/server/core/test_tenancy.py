"""Charlie, a stranger, tries every endpoint with the ids of Alice's things.

The endpoints come from the OpenAPI document: a new one with a path parameter that is not known here
fails the first test until it is covered.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.factories.accounts import Api, api_signed_in, member_add, user_make
from tests.factories.registry import artifact_make, dataset_make, version_make
from tests.factories.uploads import upload_begin
from whetstone.accounts.models import Role
from whetstone.accounts.services import token_create
from whetstone.config.urls import api
from whetstone.core.clock import db_now
from whetstone.runs.models import Job, Run
from whetstone.runs.services import inspect_start

Operation = tuple[str, str, dict[str, Any]]
SECRET = "alices-secret-project"


def _operations() -> list[Operation]:
    return [
        (method, path.removeprefix("/api/v1"), details)
        for path, methods in api.document["paths"].items()
        for method, details in methods.items()
    ]


def _named(path: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", path)


def _ids(operations: list[Operation]) -> list[str]:
    return [details["operationId"] for _, _, details in operations]


# Targets belong to the fleet and everybody sees them; what a workspace says of one is its own.
SHARED = {"target_id"}
OWNED = [op for op in _operations() if set(_named(op[1])) - SHARED]
LISTS = [op for op in _operations() if op[0] == "get" and not _named(op[1])]
GUARDED = [op for op in _operations() if op[2].get("security")]
WRITING = [op for op in GUARDED if op[0] != "get"]
# What anybody may ask without signing in.
OPEN = {"error_list", "metric_list", "local_mail_list"}
BODIES: dict[str, dict[str, Any]] = {
    "model_rename": {"name": "stolen"},
    "upload_parts": {"part_numbers": [1]},
}


def _run_make(alice: Api) -> Run:
    return Run.objects.create(
        workspace=alice.workspace,
        user=alice.user,
        version=version_make(alice.workspace, model_name=f"{SECRET} run"),
        name=SECRET,
        profile="quick",
        objective="latency",
        deadline_at=db_now() + timedelta(hours=1),
    )


def _job_make(alice: Api) -> Job:
    return inspect_start(version=version_make(alice.workspace, model_name=f"{SECRET} job"))


MAKERS: dict[str, Callable[[Api], str]] = {
    "token_id": lambda alice: (
        token_create(workspace=alice.workspace, user=alice.user, name=SECRET, lifetime=None).token.pk
    ),
    "upload_id": lambda alice: upload_begin(alice, b"x", model_name=SECRET)["id"],
    "model_id": lambda alice: version_make(alice.workspace, model_name=SECRET).model_id,
    "version_id": lambda alice: version_make(alice.workspace, model_name=SECRET).pk,
    "dataset_id": lambda alice: dataset_make(alice.workspace).pk,
    "artifact_id": lambda alice: artifact_make(alice.workspace, filename=f"{SECRET}.onnx").pk,
    "run_id": lambda alice: _run_make(alice).pk,
    "job_id": lambda alice: _job_make(alice).pk,
}


def _address(path: str, alice: Api) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: MAKERS[found[1]](alice), path)


def _send(caller: Api, method: str, address: str, details: dict[str, Any]) -> Any:
    body = BODIES.get(details["operationId"], {})
    if method in {"get", "delete"}:
        return getattr(caller, method)(address)
    return getattr(caller, method)(address, body)


def test_every_path_parameter_is_covered() -> None:
    names = {name for _, path, _ in _operations() for name in _named(path)}
    assert names - SHARED - set(MAKERS) == set()


def test_only_the_known_endpoints_are_open() -> None:
    assert {op[2]["operationId"] for op in _operations()} - {op[2]["operationId"] for op in GUARDED} <= OPEN


@pytest.mark.parametrize(("method", "path", "details"), OWNED, ids=_ids(OWNED))
def test_a_stranger_gets_404(
    alice: Api, charlie: Api, method: str, path: str, details: dict[str, Any]
) -> None:
    address = _address(path, alice)
    response = _send(charlie, method, address, details)
    assert response.status_code == 404, response.content
    assert response.json()["code"] == "NOT_FOUND"
    assert SECRET.encode() not in response.content
    # The same request finds something when Alice sends it: the address is a real one.
    assert _send(alice, method, address, details).status_code != 404


@pytest.mark.parametrize(("method", "path", "details"), OWNED, ids=_ids(OWNED))
def test_a_stranger_cannot_name_the_workspace(
    alice: Api, charlie: Api, method: str, path: str, details: dict[str, Any]
) -> None:
    address = _address(path, alice)
    charlie.client.defaults["HTTP_WHETSTONE_WORKSPACE"] = alice.workspace.pk
    response = _send(charlie, method, address, details)
    assert response.status_code == 404, response.content
    assert SECRET.encode() not in response.content


@pytest.mark.parametrize(("method", "path", "details"), LISTS, ids=_ids(LISTS))
def test_a_strangers_lists_hold_nothing_of_others(
    alice: Api, charlie: Api, method: str, path: str, details: dict[str, Any]
) -> None:
    made = [make(alice) for make in MAKERS.values()]
    filters = [p["name"] for p in details.get("parameters", []) if p["name"].endswith("_id")]
    queries = ["", *(f"?{name}={MAKERS[name](alice)}" for name in filters if name in MAKERS)]
    for query in queries:
        text = charlie.get(path + query).content.decode()
        assert SECRET not in text
        assert alice.user.email not in text
        assert not [key for key in made if key in text]


@pytest.mark.parametrize(("method", "path", "details"), GUARDED, ids=_ids(GUARDED))
@pytest.mark.django_db
def test_nobody_gets_401(method: str, path: str, details: dict[str, Any]) -> None:
    address = "/api/v1" + re.sub(r"\{\w+\}", "mdl_01k6q0000000000000000000aa", path)
    for headers in ({}, {"authorization": "Bearer whst_" + "0" * 40}, {"authorization": "Bearer "}):
        response = Client(headers={"host": "127.0.0.1", **headers}).generic(method.upper(), address)
        assert response.status_code == 401, response.content


@pytest.mark.parametrize(("method", "path", "details"), WRITING, ids=_ids(WRITING))
def test_a_viewer_changes_nothing(alice: Api, method: str, path: str, details: dict[str, Any]) -> None:
    viewer = user_make("viewer")
    member_add(alice.workspace, viewer, Role.VIEWER)
    address = re.sub(r"\{\w+\}", "mdl_01k6q0000000000000000000aa", path)
    response = _send(api_signed_in(viewer, alice.workspace), method, address, details)
    assert response.status_code == 403
    assert response.json()["code"] == "ROLE_TOO_LOW"


def test_a_run_cannot_use_a_strangers_version_or_dataset(alice: Api, charlie: Api) -> None:
    version, dataset = version_make(alice.workspace), dataset_make(alice.workspace)
    assert charlie.post("/runs", {"version_id": version.pk}).status_code == 404
    own = version_make(charlie.workspace)
    body = {"version_id": own.pk, "dataset_id": dataset.pk}
    assert charlie.post("/runs", body).status_code in {404, 422}
    assert not Run.objects.filter(workspace=charlie.workspace).exists()


def test_a_colleague_sees_the_workspaces_things_but_not_anothers_tokens(alice: Api, bob: Api) -> None:
    version = version_make(alice.workspace)
    token = alice.post("/tokens", {"name": "alice's"}).json()["id"]
    assert bob.get(f"/versions/{version.pk}").status_code == 200
    assert bob.get("/tokens").json()["items"] == []
    assert bob.delete(f"/tokens/{token}").status_code == 404
