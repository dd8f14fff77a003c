"""One contract, three stores: the local folder behind the web process, and two S3 servers."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterator
from datetime import timedelta

import httpx
import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from tests.servers.s3 import S3Server
from whetstone.core.storage import SignedRequest, Storage
from whetstone.core.storage.local import LocalStorage
from whetstone.core.storage.s3 import S3Settings, S3Storage

MIB = 1024**2
HOUR = timedelta(hours=1)


@pytest.fixture
def key() -> str:
    return f"ws/ws_test/{secrets.token_hex(8)}/model.onnx"


def send(link: SignedRequest, data: bytes | Iterator[bytes], **headers: str) -> httpx.Response:
    return httpx.request(link.method, link.url, content=data, headers={**link.headers, **headers}, timeout=30)


def send_parts(store: Storage, key: str, data: bytes, part: int, order: list[int]) -> str:
    multipart = store.multipart_start(key, size=len(data), part_size=part)
    for number in order:
        piece = data[(number - 1) * part : number * part]
        link = store.part_url(key, multipart, number, size=len(piece), expires=HOUR)
        assert send(link, piece).status_code == 200
    return multipart


class StoreContract:
    """What a `store` must do; each class below names one."""

    def test_parts_in_any_order_make_the_file(self, store: Storage, key: str) -> None:
        data = secrets.token_bytes(11 * MIB + 3)
        multipart = send_parts(store, key, data, 5 * MIB, [3, 1, 2, 1])
        parts = store.parts_list(key, multipart)
        assert [(p.number, p.size) for p in parts] == [(1, 5 * MIB), (2, 5 * MIB), (3, MIB + 3)]
        assert store.stat(key) is None
        store.multipart_complete(key, multipart, parts)
        assert store.stat(key) == len(data)
        assert b"".join(store.open(key)) == data
        assert store.parts_list(key, multipart) == []
        store.multipart_complete(key, multipart, parts)
        assert b"".join(store.open(key)) == data

    def test_a_part_of_another_size_is_refused(self, store: Storage, key: str) -> None:
        multipart = store.multipart_start(key, size=6 * MIB, part_size=5 * MIB)
        link = store.part_url(key, multipart, 2, size=MIB, expires=HOUR)
        for data in (b"x" * (MIB - 1), b"x" * (MIB + 1), b""):
            assert send(link, data).status_code >= 400
        assert store.parts_list(key, multipart) == []

    def test_an_aborted_upload_keeps_nothing(self, store: Storage, key: str) -> None:
        data = b"y" * MIB
        multipart = send_parts(store, key, data, 5 * MIB, [1])
        parts = store.parts_list(key, multipart)
        late = store.part_url(key, multipart, 1, size=MIB, expires=HOUR)
        store.multipart_abort(key, multipart)
        assert store.parts_list(key, multipart) == []
        assert send(late, data).status_code >= 400
        with pytest.raises(FileNotFoundError):
            store.multipart_complete(key, multipart, parts)
        store.multipart_abort(key, multipart)

    def test_an_object_is_put_whole_or_not_at_all(self, store: Storage, key: str) -> None:
        data = secrets.token_bytes(70_000)
        link = store.put_url(key, size=len(data), sha256=hashlib.sha256(data).hexdigest(), expires=HOUR)
        assert send(link, data[:-1]).status_code >= 400
        assert store.stat(key) is None
        assert send(link, data).status_code == 200
        assert store.stat(key) == len(data)

    def test_a_link_downloads_under_the_given_name_only(self, store: Storage, key: str) -> None:
        data = secrets.token_bytes(5_000)
        sha256 = hashlib.sha256(data).hexdigest()
        assert send(store.put_url(key, size=len(data), sha256=sha256, expires=HOUR), data).status_code == 200
        url = store.get_url(key, expires=HOUR, filename='häßlich "model".html')
        whole = httpx.get(url)
        assert (whole.status_code, whole.content) == (200, data)
        assert whole.headers["Content-Type"].startswith("application/octet-stream")
        assert whole.headers["Content-Disposition"].startswith("attachment")
        piece = httpx.get(url, headers={"Range": "bytes=10-19"})
        assert (piece.status_code, piece.content) == (206, data[10:20])
        assert httpx.get(url, headers={"Range": "bytes=5000-"}).status_code == 416
        assert httpx.delete(url).status_code >= 400

    def test_a_link_ends(self, store: Storage, key: str) -> None:
        sha256 = hashlib.sha256(b"z").hexdigest()
        put = store.put_url(key, size=1, sha256=sha256, expires=timedelta(seconds=1))
        get = store.get_url(key, expires=timedelta(seconds=1))
        time.sleep(2.1)
        assert send(put, b"z").status_code == 403
        assert httpx.get(get).status_code == 403

    def test_what_is_not_there_is_none_and_deleting_it_is_nothing(self, store: Storage, key: str) -> None:
        assert store.stat(key) is None
        store.delete(key)
        with pytest.raises(FileNotFoundError):
            next(store.open(key))

    def test_an_empty_object_can_be_stored(self, store: Storage, key: str) -> None:
        link = store.put_url(key, size=0, sha256=hashlib.sha256(b"").hexdigest(), expires=HOUR)
        assert send(link, b"").status_code == 200
        assert store.stat(key) == 0
        assert b"".join(store.open(key)) == b""


class TestFolder(StoreContract):
    """The links lead to the web process."""

    @pytest.fixture
    def store(self, live_server: LiveServer) -> Storage:
        return LocalStorage(root=settings.WHETSTONE_DATA_DIR / "files", base_url=live_server.url)


@pytest.mark.s3
class TestS3(StoreContract):
    """The links lead to the S3 server."""

    @pytest.fixture
    def store(self, s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> Storage:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", s3_server.access_key)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", s3_server.secret_key)
        endpoint = s3_server.endpoint
        return S3Storage(S3Settings(endpoint, endpoint, s3_server.bucket, s3_server.region))
