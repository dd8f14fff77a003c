"""Models, versions, datasets and files through the public interface."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from optimizers.spec.errors import failure
from optimizers.spec.model import Finding
from optimizers.spec.names import Severity
from tests.factories.accounts import Api
from tests.factories.registry import artifact_make, dataset_make, description_make, version_make
from whetstone.core.clock import db_now
from whetstone.core.storage import storage
from whetstone.registry.models import Artifact, ArtifactKind, ModelVersion, RegisteredModel
from whetstone.registry.services import version_mark_ready, version_reject
from whetstone.runs.models import Run
from whetstone.runs.services import inspect_start


def run_make(version: ModelVersion, *, ended: bool) -> Run:
    return Run.objects.create(
        workspace=version.model.workspace,
        version=version,
        profile="quick",
        objective="latency",
        deadline_at=db_now() + timedelta(hours=1),
        state="succeeded" if ended else "running",
        ended_at=db_now() if ended else None,
    )


def test_a_ready_version_says_what_was_found(alice: Api) -> None:
    version = version_make(alice.workspace, ready=False)
    finding = Finding("STATIC_BATCH", Severity.INFO, "The batch is fixed.", "Export it dynamic.", "input")
    assert version_mark_ready(version=version, description=description_make(), findings=[finding])
    body = alice.get(f"/versions/{version.pk}").json()
    assert body["state"] == "ready"
    assert body["format"] == "onnx"
    assert body["description"]["inputs"] == [
        {"name": "image", "dtype": "float32", "shape": ["batch", 3, 32, 32]}
    ]
    assert body["description"]["dims"][0]["suggested"] == 1
    assert body["findings"][0]["severity"] == "info"
    assert body["failure"] is None


def test_a_rejected_version_says_why(alice: Api) -> None:
    version = version_make(alice.workspace, ready=False)
    assert version_reject(version=version, failure=failure("NO_GRAPH"), findings=[])
    body = alice.get(f"/versions/{version.pk}").json()
    assert (body["state"], body["failure"]["code"]) == ("rejected", "NO_GRAPH")
    assert body["failure"]["hint"]


def test_a_version_is_decided_once(alice: Api) -> None:
    version = version_make(alice.workspace)
    assert not version_reject(version=version, failure=failure("NO_GRAPH"), findings=[])
    assert not version_mark_ready(version=version, description=description_make(nodes=1), findings=[])
    body = alice.get(f"/versions/{version.pk}").json()
    assert (body["state"], body["description"]["nodes"]) == ("ready", 9)


def test_models_are_listed_newest_first_page_by_page(alice: Api) -> None:
    names = [version_make(alice.workspace, model_name=f"m{n}").model.name for n in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = alice.get(f"/models?limit=2{cursor}").json()
        seen += [model["name"] for model in page["items"]]
        assert len(page["items"]) <= 2
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == names[::-1]


def test_a_model_counts_its_versions_and_runs(alice: Api) -> None:
    first = version_make(alice.workspace, model_name="detector")
    second = version_make(alice.workspace, model_name="detector")
    for version in (first, first, second):
        run_make(version, ended=True)
    inspect_start(version=second)
    model = alice.get(f"/models/{first.model_id}").json()
    assert (model["version_count"], model["run_count"]) == (2, 3)
    assert model["latest_version"]["id"] == second.pk
    assert model["latest_version"]["inspect_job_id"] is not None


@pytest.mark.parametrize("path", ["/models", "/datasets", "/models/{model}/versions", "/tokens"])
def test_a_list_asks_the_database_as_often_for_fifty_as_for_one(alice: Api, path: str) -> None:
    model = version_make(alice.workspace, model_name="counted").model_id
    address = path.format(model=model)

    def more() -> None:
        run_make(version_make(alice.workspace, model_name="counted"), ended=True)
        version_make(alice.workspace)
        dataset_make(alice.workspace)
        alice.post("/tokens", {"name": "ci"})

    def count() -> tuple[int, int]:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rows = alice.get(address).json()["items"]
        return len(rows), len(queries)

    more()
    few, before = count()
    for _ in range(8):
        more()
    many, after = count()
    assert many >= few + 8
    assert after == before
    assert after <= 8


def test_a_model_is_renamed(alice: Api) -> None:
    one, other = version_make(alice.workspace), version_make(alice.workspace)
    renamed = alice.patch(f"/models/{one.model_id}", {"name": "Détecteur"})
    assert renamed.json()["name"] == "Détecteur"
    taken = alice.patch(f"/models/{other.model_id}", {"name": "Détecteur"})
    assert (taken.status_code, taken.json()["code"]) == (409, "NAME_TAKEN")
    assert alice.patch(f"/models/{one.model_id}", {"name": "Détecteur"}).status_code == 200


def test_two_workspaces_may_use_one_name(alice: Api, charlie: Api) -> None:
    one = version_make(alice.workspace, model_name="detector")
    other = version_make(charlie.workspace, model_name="detector")
    assert one.model_id != other.model_id


@pytest.mark.django_db(transaction=True)
def test_a_deleted_model_takes_its_versions_runs_and_files_along(everybody: Any) -> None:
    alice = everybody.alice
    version, kept = version_make(alice.workspace), version_make(alice.workspace)
    job = inspect_start(version=version)
    run_make(version, ended=True)
    log = artifact_make(alice.workspace, kind=ArtifactKind.LOG, created_by_job_id=job.pk)
    keys = [version.source_artifact.storage_key, log.storage_key]
    assert alice.delete(f"/models/{version.model_id}").status_code == 204
    assert [storage().stat(key) for key in keys] == [None, None]
    assert Run.objects.count() == 0
    assert list(Artifact.objects.all()) == [kept.source_artifact]
    assert storage().stat(kept.source_artifact.storage_key)


def test_a_model_with_an_open_run_stays(alice: Api) -> None:
    version = version_make(alice.workspace)
    run_make(version, ended=False)
    refused = alice.delete(f"/models/{version.model_id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "MODEL_IN_USE")
    assert RegisteredModel.objects.filter(pk=version.model_id).exists()
    assert storage().stat(version.source_artifact.storage_key)


def test_a_file_is_downloaded_as_an_attachment_whatever_it_is_called(alice: Api) -> None:
    artifact = artifact_make(alice.workspace, filename='p"wn\u00e9.html', data=b"<script>alert(1)</script>")
    facts = alice.get(f"/artifacts/{artifact.pk}").json()
    assert facts["size_bytes"] == 25
    redirect = alice.get(f"/artifacts/{artifact.pk}/download")
    assert redirect.status_code == 302
    response = alice.client.get(redirect["Location"].removeprefix("http://127.0.0.1"))
    assert response.status_code == 200
    assert b"".join(response.streaming_content) == b"<script>alert(1)</script>"
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"].startswith("attachment; filename")
    assert "sandbox" in response["Content-Security-Policy"]


RANGES = {
    "bytes=0-0": (206, b"0", "bytes 0-0/10"),
    "bytes=3-5": (206, b"345", "bytes 3-5/10"),
    "bytes=7-": (206, b"789", "bytes 7-9/10"),
    "bytes=-2": (206, b"89", "bytes 8-9/10"),
    "bytes=-99": (206, b"0123456789", "bytes 0-9/10"),
    "bytes=8-99": (206, b"89", "bytes 8-9/10"),
    "bytes=10-": (416, None, "bytes */10"),
    "bytes=5-3": (416, None, "bytes */10"),
    "bytes=-0": (416, None, "bytes */10"),
    "bytes=0-1,3-4": (200, b"0123456789", None),
    "bytes=-": (200, b"0123456789", None),
    "lines=1-2": (200, b"0123456789", None),
    "bytes=" + "9" * 400 + "-": (200, b"0123456789", None),
}


@pytest.mark.parametrize(("sent", "expected"), RANGES.items(), ids=[key[:20] for key in RANGES])
def test_a_download_can_be_resumed(alice: Api, sent: str, expected: tuple[int, bytes | None, str]) -> None:
    artifact = artifact_make(alice.workspace, data=b"0123456789")
    link = alice.get(f"/artifacts/{artifact.pk}/download")["Location"].removeprefix("http://127.0.0.1")
    response = alice.client.get(link, headers={"range": sent})
    status, body, content_range = expected
    assert response.status_code == status
    assert response.get("Content-Range") == content_range
    if body is not None:
        assert b"".join(response.streaming_content) == body
        assert response["Content-Length"] == str(len(body))
