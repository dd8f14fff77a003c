"""Uploading through the public interface, onto the local folder."""

from __future__ import annotations

import hashlib
import secrets
import threading
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client

from tests.factories.accounts import Api, api_signed_in, api_with_token, cast_make
from tests.factories.uploads import part_send, upload_begin, upload_whole
from whetstone.core.clock import db_now
from whetstone.core.storage import storage
from whetstone.registry.models import Artifact, Dataset, ModelVersion
from whetstone.runs.models import Job
from whetstone.uploads.domain import MIB, Cut, part_size_for
from whetstone.uploads.models import Upload
from whetstone.uploads.services import uploads_expire

PART = 5 * MIB


@pytest.fixture(autouse=True)
def _small_parts(settings: Any) -> None:
    settings.UPLOAD_PART_BYTES = PART


@pytest.fixture
def data() -> bytes:
    """Three parts, the last one short."""
    return secrets.token_bytes(64) * (2 * PART // 64) + b"the end"


def pieces(data: bytes) -> list[bytes]:
    return [data[at : at + PART] for at in range(0, len(data), PART)]


def test_parts_in_any_order_become_a_version_under_inspection(alice: Api, data: bytes) -> None:
    upload = upload_begin(alice, data, purpose="model", filename="detector.onnx")
    assert (upload["part_size"], upload["part_count"], upload["received_parts"]) == (PART, 3, [])
    for number in (3, 1, 2):
        assert part_send(alice, upload, number, pieces(data)[number - 1]).status_code == 200
    done = alice.post(f"/uploads/{upload['id']}/complete").json()
    assert done["state"] == "completed"
    assert done["received_bytes"] == len(data)
    version = alice.get(f"/versions/{done['version_id']}").json()
    assert version["state"] == "inspecting"
    assert version["model_name"] == "detector"
    assert version["model_id"] == done["model_id"]
    assert (version["sha256"], version["size_bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))
    assert Job.objects.get(pk=version["inspect_job_id"]).kind == "inspect"
    artifact = Artifact.objects.get(pk=version["source_artifact_id"])
    assert b"".join(storage().open(artifact.storage_key)) == data


def test_a_token_uploads_as_well_as_the_page_does(alice: Api) -> None:
    robot = api_with_token(alice.user, alice.workspace)
    assert upload_whole(robot, b"model")["state"] == "completed"


def test_uploads_to_one_name_are_versions_of_one_model(alice: Api) -> None:
    first = upload_whole(alice, b"one", purpose="model", model_name="detector")
    second = upload_whole(alice, b"two", purpose="model", model_name="detector")
    assert first["model_id"] == second["model_id"]
    numbers = [v["number"] for v in alice.get(f"/models/{first['model_id']}/versions").json()["items"]]
    assert numbers == [2, 1]


def test_a_dataset_is_ready_at_once(alice: Api) -> None:
    done = upload_whole(alice, b"samples", filename="samples.npz", purpose="dataset")
    dataset = alice.get(f"/datasets/{done['dataset_id']}").json()
    assert (dataset["state"], dataset["name"]) == ("ready", "samples")
    assert done["version_id"] is None


def test_an_upload_is_resumed_by_asking_which_parts_are_there(alice: Api, data: bytes) -> None:
    upload = upload_begin(alice, data)
    part_send(alice, upload, 2, pieces(data)[1])
    listed = alice.get("/uploads?state=receiving").json()["items"]
    assert [(u["id"], u["received_parts"], u["received_bytes"]) for u in listed] == [
        (upload["id"], [2], PART)
    ]
    refused = alice.post(f"/uploads/{upload['id']}/complete")
    assert refused.status_code == 422
    assert refused.json()["code"] == "PARTS_MISSING"
    assert [e["loc"] for e in refused.json()["errors"]] == [["part", 1], ["part", 3]]
    for number in (1, 3):
        part_send(alice, upload, number, pieces(data)[number - 1])
    assert alice.post(f"/uploads/{upload['id']}/complete").status_code == 200
    assert alice.get("/uploads?state=receiving").json()["items"] == []


def test_completing_twice_changes_nothing(alice: Api) -> None:
    done = upload_whole(alice, b"model", purpose="model")
    again = alice.post(f"/uploads/{done['id']}/complete")
    assert (again.status_code, again.json()) == (200, done)
    assert ModelVersion.objects.count() == 1
    assert Job.objects.count() == 1


def test_a_completion_that_died_half_way_is_mended_by_completing_again(alice: Api) -> None:
    upload = upload_begin(alice, b"model")
    part_send(alice, upload, 1, b"model")
    row = Upload.objects.get(pk=upload["id"])
    parts = storage().parts_list(row.storage_key, row.multipart_id)
    storage().multipart_complete(row.storage_key, row.multipart_id, parts)
    assert alice.post(f"/uploads/{upload['id']}/complete").json()["state"] == "completed"


@pytest.mark.parametrize("number", [0, -1, 4, 10_001, 2**31])
def test_there_is_no_part_of_that_number(alice: Api, data: bytes, number: int) -> None:
    upload = upload_begin(alice, data)
    response = alice.post(f"/uploads/{upload['id']}/parts", {"part_numbers": [1, number]})
    assert response.status_code == 422
    assert response.json()["code"] == "PART_NUMBER_INVALID"


@pytest.mark.parametrize("numbers", [[], list(range(1, 102)), ["x"], [1.5], None])
def test_between_1_and_100_links_at_once(alice: Api, data: bytes, numbers: object) -> None:
    upload = upload_begin(alice, data)
    response = alice.post(f"/uploads/{upload['id']}/parts", {"part_numbers": numbers})
    assert response.status_code == 422
    assert response.json()["code"] == "VALIDATION_FAILED"


@pytest.mark.parametrize("change", [-1, 1])
def test_a_part_of_another_size_is_refused(alice: Api, data: bytes, change: int) -> None:
    upload = upload_begin(alice, data)
    for number, right in ((1, PART), (3, 7)):
        response = part_send(alice, upload, number, b"x" * (right + change))
        assert response.status_code == 422
        assert response.json()["code"] == "SIZE_MISMATCH"
    assert alice.get(f"/uploads/{upload['id']}").json()["received_parts"] == []


def test_a_link_is_for_one_part_one_method_and_nothing_else(alice: Api, data: bytes) -> None:
    upload = upload_begin(alice, data)
    link = alice.post(f"/uploads/{upload['id']}/parts", {"part_numbers": [3]}).json()["parts"][0]
    path = urlsplit(link["url"]).path
    nobody = Client(headers={"host": "127.0.0.1"})
    for method in ("GET", "POST", "DELETE", "PATCH"):
        refused = nobody.generic(method, path, b"the end")
        assert (refused.status_code, refused.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
    altered = path[:-2] + ("AA" if not path.endswith("AA") else "BB")
    refused = nobody.put(altered, b"the end", content_type="application/octet-stream")
    assert (refused.status_code, refused.json()["code"]) == (403, "LINK_INVALID")
    assert nobody.put(path, b"the end", content_type="text/html").status_code == 200


def test_a_link_names_the_host_that_the_client_used(alice: Api) -> None:
    upload = upload_begin(alice, b"x")
    body = {"part_numbers": [1]}
    path = f"/uploads/{upload['id']}/parts"
    link = alice.post(path, body, headers={"host": "localhost:8123"}).json()["parts"][0]
    assert link["url"].startswith("http://localhost:8123/files/")


def test_an_aborted_upload_is_gone_and_takes_nothing_more(alice: Api, data: bytes) -> None:
    upload = upload_begin(alice, data)
    link = alice.post(f"/uploads/{upload['id']}/parts", {"part_numbers": [1]}).json()["parts"][0]
    part_send(alice, upload, 1, pieces(data)[0])
    assert alice.delete(f"/uploads/{upload['id']}").status_code == 204
    late = alice.client.put(
        urlsplit(link["url"]).path, pieces(data)[0], content_type="application/octet-stream"
    )
    assert (late.status_code, late.json()["code"]) == (409, "UPLOAD_NOT_RECEIVING")
    for response in (
        alice.post(f"/uploads/{upload['id']}/complete"),
        alice.post(f"/uploads/{upload['id']}/parts", {"part_numbers": [1]}),
        alice.delete(f"/uploads/{upload['id']}"),
    ):
        assert (response.status_code, response.json()["code"]) == (409, "UPLOAD_NOT_RECEIVING")
    row = Upload.objects.get(pk=upload["id"])
    assert not (settings.WHETSTONE_DATA_DIR / "files" / "receiving" / row.multipart_id).exists()


def test_an_upload_that_nobody_completes_expires(alice: Api) -> None:
    upload = upload_begin(alice, b"x")
    part_send(alice, upload, 1, b"x")
    assert uploads_expire() == 0
    Upload.objects.update(expires_at=db_now() - timedelta(seconds=1))
    late = alice.post(f"/uploads/{upload['id']}/complete")
    assert late.json()["code"] == "UPLOAD_NOT_RECEIVING"
    assert uploads_expire() == 1
    assert uploads_expire() == 0
    assert alice.get(f"/uploads/{upload['id']}").json()["state"] == "expired"


BAD = {
    "empty file": ({"size_bytes": 0}, 422, "EMPTY_FILE"),
    "negative size": ({"size_bytes": -1}, 422, "VALIDATION_FAILED"),
    "too large": ({"size_bytes": 10 * 1024**3 + 1}, 413, "FILE_TOO_LARGE"),
    "absurdly large": ({"size_bytes": 10**18}, 422, "VALIDATION_FAILED"),
    "short digest": ({"sha256": "abc"}, 422, "VALIDATION_FAILED"),
    "digest of other letters": ({"sha256": "g" * 64}, 422, "VALIDATION_FAILED"),
    "no name": ({"filename": ""}, 422, "VALIDATION_FAILED"),
    "only folders": ({"filename": "../../"}, 422, "FILENAME_INVALID"),
    "only dots": ({"filename": ".."}, 422, "FILENAME_INVALID"),
    "only invisible": ({"filename": "\u202e\u200b"}, 422, "FILENAME_INVALID"),
    "4 MB name": ({"filename": "x" * 900_000}, 422, "VALIDATION_FAILED"),
    "unknown purpose": ({"purpose": "virus"}, 422, "VALIDATION_FAILED"),
    "model name with a line break": ({"model_name": "a\nb"}, 422, "VALIDATION_FAILED"),
}


@pytest.mark.parametrize(("change", "status", "code"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_uploaded_is_said_before_a_byte_is_sent(
    alice: Api, change: dict[str, Any], status: int, code: str
) -> None:
    body = {"filename": "model.onnx", "size_bytes": 1, "sha256": "0" * 64} | change
    response = alice.post("/uploads", body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert Upload.objects.count() == 0


NAMES = {
    "../../etc/passwd": "passwd",
    "C:\\models\\net.onnx": "net.onnx",
    "/tmp/net.onnx": "net.onnx",
    "exe\u202exnno.net": "exexnno.net",
    "a\x00b\r\nc\x1b[31m.onnx": None,
    'quo"te<x>|?.onnx': "quo_te_x___.onnx",
    "ünïcode 模型.onnx": "ünïcode 模型.onnx",
    "x" * 300 + ".onnx": "x" * 195 + ".onnx",
    "模" * 300 + ".onnx": "模" * 65 + ".onnx",
    ".hidden": "hidden",
    "trailing. . ": "trailing",
}


@pytest.mark.parametrize(("sent", "shown"), NAMES.items(), ids=[ascii(n[:20]) for n in NAMES])
def test_a_files_name_is_made_harmless(alice: Api, sent: str, shown: str | None) -> None:
    body = {"filename": sent, "size_bytes": 1, "sha256": "0" * 64}
    response = alice.post("/uploads", body)
    if shown is None:
        assert response.status_code == 400
        return
    assert response.json()["filename"] == shown
    key = Upload.objects.get(pk=response.json()["id"]).storage_key
    assert key.isascii()
    assert ".." not in key


def test_uploads_are_counted_in_parts_that_s3_takes_too() -> None:
    assert part_size_for(1, 16 * MIB) == 16 * MIB
    assert part_size_for(1, 1 * MIB) == 5 * MIB
    big = 3 * 1024**4
    assert -(-big // part_size_for(big, 16 * MIB)) <= 10_000
    cut = Cut(10, 4)
    assert (cut.count, [cut.size_of(n) for n in (1, 2, 3)]) == (3, [4, 4, 2])


@pytest.mark.django_db(transaction=True)
def test_of_many_completions_at_once_one_makes_the_version() -> None:
    alice = cast_make().alice
    upload = upload_begin(alice, b"model", purpose="model")
    part_send(alice, upload, 1, b"model")
    answers: list[tuple[int, Any]] = []
    start = threading.Barrier(4)

    def complete() -> None:
        api = api_signed_in(alice.user, alice.workspace)
        start.wait()
        response = api.post(f"/uploads/{upload['id']}/complete")
        answers.append((response.status_code, response.json().get("version_id")))
        connections.close_all()

    threads = [threading.Thread(target=complete) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [status for status, _ in answers] == [200] * 4
    assert len({version for _, version in answers}) == 1
    assert ModelVersion.objects.count() == 1
    assert Dataset.objects.count() == 0
