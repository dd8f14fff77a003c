"""The local folder under several writers at once."""

from __future__ import annotations

import hashlib
import secrets
import threading
from pathlib import Path

import pytest

from whetstone.core.storage.body import ReadInto
from whetstone.core.storage.local import LocalStorage, UploadGone, WrongBytes

PART = 3 * 1024**2
KEY = "ws/ws_1/uploads/upl_1/model.onnx"


@pytest.fixture
def store(tmp_path: Path) -> LocalStorage:
    return LocalStorage(root=tmp_path, base_url="http://127.0.0.1")


def reader(data: bytes, *, step: int = 700_001) -> ReadInto:
    """A client that sends `data` in pieces and hangs up after it."""
    at = 0

    def read_into(view: memoryview) -> int:
        nonlocal at
        piece = data[at : at + min(step, len(view))]
        view[: len(piece)] = piece
        at += len(piece)
        return len(piece)

    return read_into


def test_parts_written_at_once_lie_where_they_belong(store: LocalStorage) -> None:
    data = secrets.token_bytes(4 * PART + 5)
    multipart = store.multipart_start(KEY, size=len(data), part_size=PART)
    threads = [
        threading.Thread(
            target=store.part_write, args=(multipart, n, reader(data[(n - 1) * PART : n * PART]))
        )
        for n in (1, 2, 3, 4, 5, 3, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    parts = store.parts_list(KEY, multipart)
    assert [part.number for part in parts] == [1, 2, 3, 4, 5]
    store.multipart_complete(KEY, multipart, parts)
    assert hashlib.sha256(b"".join(store.open(KEY))).digest() == hashlib.sha256(data).digest()


def test_a_client_that_hangs_up_leaves_the_part_missing(store: LocalStorage) -> None:
    multipart = store.multipart_start(KEY, size=PART, part_size=PART)
    store.part_write(multipart, 1, reader(b"a" * PART))
    assert store.parts_list(KEY, multipart)
    with pytest.raises(WrongBytes):
        store.part_write(multipart, 1, reader(b"b" * (PART - 1)))
    assert store.parts_list(KEY, multipart) == []


def test_a_part_still_arriving_at_completion_cannot_change_the_file(store: LocalStorage) -> None:
    good = b"a" * PART
    multipart = store.multipart_start(KEY, size=PART, part_size=PART)
    store.part_write(multipart, 1, reader(good))
    half_way, go_on = threading.Event(), threading.Event()
    seen: list[BaseException] = []

    def slow(view: memoryview) -> int:
        if half_way.is_set():
            assert go_on.wait(5)
        half_way.set()
        view[:10] = b"b" * 10
        return 10

    def send() -> None:
        try:
            store.part_write(multipart, 1, slow)
        except UploadGone as gone:
            seen.append(gone)

    thread = threading.Thread(target=send)
    parts = store.parts_list(KEY, multipart)
    thread.start()
    assert half_way.wait(5)
    store.multipart_complete(KEY, multipart, parts)
    before = b"".join(store.open(KEY))
    go_on.set()
    thread.join(5)
    assert len(seen) == 1
    assert b"".join(store.open(KEY)) == before


def test_a_stated_size_takes_no_room(store: LocalStorage, tmp_path: Path) -> None:
    store.multipart_start(KEY, size=10 * 1024**4, part_size=1024**3)
    used = sum(path.stat().st_blocks * 512 for path in tmp_path.rglob("*") if path.is_file())
    assert used < 100_000


def test_wrong_bytes_leave_nothing(store: LocalStorage, tmp_path: Path) -> None:
    sha256 = hashlib.sha256(b"right").hexdigest()
    for sent in (b"wrong", b"righ", b""):
        with pytest.raises(WrongBytes):
            store.object_write(KEY, 5, sha256, reader(sent))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    store.object_write(KEY, 5, sha256, reader(b"right"))
    assert store.stat(KEY) == 5
