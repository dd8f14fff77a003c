"""Uploads through the public interface, as a client would make them."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import urlsplit

from tests.factories.accounts import Api


def upload_begin(api: Api, data: bytes, **changes: Any) -> dict[str, Any]:
    body = {
        "filename": "model.onnx",
        "size_bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "purpose": "dataset",
    }
    response = api.post("/uploads", body | changes)
    assert response.status_code == 201, response.content
    answer: dict[str, Any] = response.json()
    return answer


def part_send(api: Api, upload: dict[str, Any], number: int, data: bytes) -> Any:
    """PUTs one part's bytes to its own link."""
    signed = api.post(f"/uploads/{upload['id']}/parts", {"part_numbers": [number]}).json()["parts"][0]
    return api.client.put(urlsplit(signed["url"]).path, data, content_type="application/octet-stream")


def upload_whole(api: Api, data: bytes, **changes: Any) -> dict[str, Any]:
    """Begins, sends every part and completes; the completed upload."""
    upload = upload_begin(api, data, **changes)
    size = upload["part_size"]
    for number in range(1, upload["part_count"] + 1):
        assert part_send(api, upload, number, data[(number - 1) * size : number * size]).status_code == 200
    response = api.post(f"/uploads/{upload['id']}/complete")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer
