"""The whole platform, as `manage.py up` starts it, and a real browser in front of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.servers.processes import ROOT, child_process, free_port, wait_until

CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    return {"executable_path": "/usr/bin/chromium", "args": CHROMIUM_OPTIONS}


@pytest.fixture(scope="session")
def platform_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a platform of its own, with real engines, empty; stopped afterwards."""
    folder: Path = tmp_path_factory.mktemp("platform")
    port, log = free_port(), folder / "up.log"
    command = [sys.executable, ROOT / "manage.py", "up", "--port", str(port), "--data-dir", folder / "data"]
    with child_process(command, log=log) as server:
        url = f"http://127.0.0.1:{port}"

        def ready() -> bool:
            assert server.poll() is None, log.read_text(errors="replace")[-3000:]
            try:
                return httpx.get(f"{url}/health/ready", timeout=2).status_code == 200
            except httpx.HTTPError:
                return False

        wait_until(ready, what="the platform", seconds=60)
        yield url
