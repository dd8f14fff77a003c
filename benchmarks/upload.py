"""1 GiB through the API on loopback: rate against `cp`, growth of the web process, 10 kills and resumes."""

from __future__ import annotations

import hashlib
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.common import Figure, Platform, platform_up, tell

GIB = 1024**3
LANES = 3
KILLS = 10


class Killed(Exception):
    """The client has gone: nothing of it is left but the upload's id."""


@dataclass
class Sender:
    """Sends parts in LANES lanes; with `kill_after`, stops dead inside a part after that many bytes."""

    api: httpx.Client
    path: Path
    upload: dict[str, Any]
    kill_after: int | None = None
    sent: int = 0
    numbers: list[int] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, numbers: list[int]) -> None:
        for start in range(0, len(numbers), 100):
            chunk = {"part_numbers": numbers[start : start + 100]}
            answer = self.api.post(f"/uploads/{self.upload['id']}/parts", json=chunk)
            parts = answer.raise_for_status().json()["parts"]
            with ThreadPoolExecutor(LANES) as lanes:
                list(lanes.map(self._part, parts))

    def _part(self, part: dict[str, Any]) -> None:
        with self.lock:
            self.numbers.append(part["part_number"])
        size = self.upload["part_size"]
        offset = (part["part_number"] - 1) * size
        length = min(size, self.upload["size_bytes"] - offset)
        headers = {**part["headers"], "Content-Length": str(length)}
        content = self._bytes(offset, length)
        httpx.request(
            part["method"], part["url"], content=content, headers=headers, timeout=120
        ).raise_for_status()

    def _bytes(self, offset: int, length: int) -> Any:
        with self.path.open("rb") as stream:
            stream.seek(offset)
            while length:
                data = stream.read(min(1 << 20, length))
                length -= len(data)
                with self.lock:
                    self.sent += len(data)
                    if self.kill_after is not None and self.sent > self.kill_after:
                        raise Killed
                yield data


def start(api: httpx.Client, path: Path, sha256: str) -> dict[str, Any]:
    body = {"filename": path.name, "size_bytes": path.stat().st_size, "sha256": sha256}
    upload: dict[str, Any] = api.post("/uploads", json=body).raise_for_status().json()
    return upload


def web_memory(platform: Platform) -> int:
    """Resident bytes of the web processes."""
    children = psutil.Process(platform.pid).children(recursive=True)
    return sum(child.memory_info().rss for child in children if "gunicorn" in " ".join(child.cmdline()))


def peak_while(platform: Platform, work: Callable[[], None]) -> int:
    peak, done = 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.is_set():
            peak = max(peak, web_memory(platform))
            time.sleep(0.05)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        work()
    finally:
        done.set()
        thread.join()
    return peak


def rate_and_memory(
    platform: Platform, api: httpx.Client, path: Path, sha256: str, folder: Path
) -> list[Figure]:
    begin = time.monotonic()
    shutil.copyfile(path, folder / "copy")
    copied = time.monotonic() - begin
    (folder / "copy").unlink()
    upload = start(api, path, sha256)
    before = web_memory(platform)
    begin = time.monotonic()

    def work() -> None:
        Sender(api, path, upload).send(list(range(1, upload["part_count"] + 1)))
        api.post(f"/uploads/{upload['id']}/complete", json={}).raise_for_status()

    growth = peak_while(platform, work) - before
    taken = time.monotonic() - begin
    note = f"{path.stat().st_size / taken / 1e6:.0f} MB/s, cp {path.stat().st_size / copied / 1e6:.0f} MB/s"
    return [
        tell(Figure("upload_rate_over_cp", copied / taken, "x", at_least=0.5, note=note)),
        tell(Figure("web_memory_growth_mb", growth / 1e6, "MB", at_most=100)),
    ]


def kill_and_resume(api: httpx.Client, path: Path, sha256: str) -> Figure:
    """The most parts that a resumed upload sends again, over KILLS random points."""
    chance = random.Random(1)
    worst = 0
    for _ in range(KILLS):
        upload = start(api, path, sha256)
        every = list(range(1, upload["part_count"] + 1))
        first = Sender(api, path, upload, kill_after=int(chance.uniform(0.02, 0.98) * path.stat().st_size))
        with suppress(Killed, httpx.HTTPError):
            first.send(every)
        received = set(api.get(f"/uploads/{upload['id']}").json()["received_parts"])
        second = Sender(api, path, upload)
        second.send([number for number in every if number not in received])
        api.post(f"/uploads/{upload['id']}/complete", json={}).raise_for_status()
        worst = max(worst, len(set(first.numbers) & set(second.numbers)))
    return tell(
        Figure("parts_sent_again", worst, "parts", at_most=LANES, note=f"{KILLS} kills, {LANES} lanes")
    )


def figures() -> list[Figure]:
    with (
        tempfile.TemporaryDirectory(prefix="whetstone-bench-") as name,
        platform_up(Path(name) / "data") as platform,
    ):
        folder, small = Path(name), Path(name) / "small.onnx"
        path = folder / "large.onnx"
        block = random.Random(0).randbytes(1 << 20)
        with path.open("wb") as stream:
            for _ in range(GIB >> 20):
                stream.write(block)
        with small.open("wb") as stream:
            for _ in range(160):
                stream.write(block)
        with platform.client() as api:
            found = rate_and_memory(platform, api, path, digest(path), folder)
            return [*found, kill_and_resume(api, small, digest(small))]


def digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


if __name__ == "__main__":
    sys.exit(not all(figure.reached for figure in figures()))
