"""The real web process: gunicorn with threads, real sockets, a hostile or unlucky client."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.servers.processes import ROOT, child_process, free_port, wait_for_port

MIB = 1024**2
MAKE_TOKEN = """
from whetstone.accounts.models import User
from whetstone.accounts.services import token_create, workspace_create
user = User.objects.create_user("alice@example.com", None)
workspace = workspace_create(name="Alice", owner=user)
print(token_create(workspace=workspace, user=user, name="t", lifetime=None).text)
"""


@dataclass(frozen=True)
class Web:
    port: int
    pid: int
    token: str

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, json.loads(data) if data else None

    def memory_bytes(self) -> int:
        """Resident memory of the worker, which is the only child of the arbiter."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        status = Path(f"/proc/{children[0]}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    port = free_port()
    environment = {
        "WHETSTONE_EMBEDDED": "1",
        "WHETSTONE_DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "WHETSTONE_DATA_DIR": str(folder),
        "WHETSTONE_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
    }
    manage = [sys.executable, str(ROOT / "manage.py")]
    whole = {**os.environ, **environment}
    subprocess.run([*manage, "migrate", "-v0"], env=whole, check=True, timeout=120)
    made = subprocess.run(
        [*manage, "shell", "-v0", "-c", MAKE_TOKEN], env=whole, check=True, capture_output=True, text=True
    )
    options = ["-k", "gthread", "--threads", "4", "-w", "1", "-b", f"127.0.0.1:{port}"]
    command = [sys.executable, "-m", "gunicorn", "whetstone.config.wsgi", *options]
    log = folder / "web.log"
    with child_process(command, log=log, environment=environment) as child:
        wait_for_port(child, port, log=log)
        web = Web(port, child.pid, made.stdout.split()[-1])
        assert web.send("GET", "/health/ready") == (200, {"status": "ok"})
        yield web


def begin(web: Web, size: int) -> tuple[str, list[str]]:
    body = {"filename": "a.bin", "size_bytes": size, "sha256": "0" * 64, "purpose": "dataset"}
    _, upload = web.send("POST", "/api/v1/uploads", body)
    numbers = list(range(1, upload["part_count"] + 1))
    _, links = web.send("POST", f"/api/v1/uploads/{upload['id']}/parts", {"part_numbers": numbers})
    return upload["id"], [urlsplit(link["url"]).path for link in links["parts"]]


def test_a_hundred_megabytes_of_json_are_refused_fast_and_take_no_memory(web: Web) -> None:
    before = web.memory_bytes()
    head = (
        f"POST /api/v1/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {web.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {100 * MIB}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as client:
        started = time.perf_counter()
        client.sendall(head.encode() + b'{"name":"')
        answer = client.recv(4096)
        assert time.perf_counter() - started < 0.1
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"application/problem+json" in answer
    assert web.memory_bytes() - before < 50 * MIB
    assert web.send("GET", "/health/live")[0] == 200


def test_a_part_is_stored_as_it_was_sent_and_the_connection_lives_on(web: Web) -> None:
    data = secrets.token_bytes(16 * MIB + 12_345)
    upload, paths = begin(web, len(data))
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)
    for number, path in enumerate(paths):
        piece = data[number * 16 * MIB : (number + 1) * 16 * MIB]
        connection.request("PUT", path, piece)
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"")
    _, done = web.send("POST", f"/api/v1/uploads/{upload}/complete")
    _, dataset = web.send("GET", f"/api/v1/datasets/{done['dataset_id']}")
    connection.request(
        "GET",
        f"/api/v1/artifacts/{dataset['artifact_id']}/download",
        headers={"Authorization": f"Bearer {web.token}"},
    )
    response = connection.getresponse()
    response.read()
    connection.request("GET", urlsplit(response.headers["Location"]).path)
    got = connection.getresponse().read()
    assert hashlib.sha256(got).digest() == hashlib.sha256(data).digest()


def test_two_requests_sent_at_once_are_told_apart(web: Web) -> None:
    _, paths = begin(web, 5)
    head = f"PUT {paths[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n12345"
    second = "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as client:
        client.sendall((head + second).encode())
        answer = b""
        while piece := client.recv(65536):
            answer += piece
    assert answer.count(b"HTTP/1.1 200") == 2
    assert b'{"status": "ok"}' in answer


def test_a_client_that_dies_in_a_part_leaves_it_missing_and_can_send_it_again(web: Web) -> None:
    upload, paths = begin(web, 4 * MIB)
    head = f"PUT {paths[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {4 * MIB}\r\n\r\n"
    for sent in (0, 1, MIB, 4 * MIB - 1):
        with socket.create_connection(("127.0.0.1", web.port), timeout=10) as client:
            client.sendall(head.encode() + b"x" * sent)
        time.sleep(0.1)
        assert web.send("GET", f"/api/v1/uploads/{upload}")[1]["received_parts"] == []
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)
    connection.request("PUT", paths[0], b"x" * 4 * MIB)
    assert connection.getresponse().status == 200
    assert web.send("GET", f"/api/v1/uploads/{upload}")[1]["received_parts"] == [1]


def test_a_body_without_a_length_is_refused(web: Web) -> None:
    _, paths = begin(web, 5)
    head = f"PUT {paths[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as client:
        client.sendall(head.encode() + b"5\r\n12345\r\n0\r\n\r\n")
        answer = client.recv(4096)
    assert answer.startswith(b"HTTP/1.1 411")
    assert b"LENGTH_REQUIRED" in answer


def test_stalled_clients_do_not_keep_others_from_completing(web: Web) -> None:
    upload, paths = begin(web, 5)
    head = f"PUT {paths[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n"
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as stalled:
        stalled.sendall(head.encode() + b"12")
        time.sleep(0.2)
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)
        connection.request("PUT", paths[0], b"12345")
        assert connection.getresponse().status == 200
        status, done = web.send("POST", f"/api/v1/uploads/{upload}/complete")
        assert (status, done["state"]) == (200, "completed")


def test_256_mebibytes_through_three_lanes_take_little_memory(web: Web) -> None:
    size = 256 * MIB
    _, paths = begin(web, size)
    before, peak, stop = web.memory_bytes(), [0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.02):
            peak[0] = max(peak[0], web.memory_bytes())

    def lane(own: list[str]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)
        piece = bytes(16 * MIB)
        for path in own:
            connection.request("PUT", path, piece)
            assert connection.getresponse().read() == b""

    watcher = threading.Thread(target=watch)
    watcher.start()
    lanes = [threading.Thread(target=lane, args=(paths[n::3],)) for n in range(3)]
    for thread in lanes:
        thread.start()
    for thread in lanes:
        thread.join()
    stop.set()
    watcher.join()
    assert peak[0] - before < 100 * MIB
