"""Start real servers for tests, wait until they answer, and stop exactly those again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class NotInstalled(RuntimeError):
    """A server that the tests need is not on this machine; the message says how to get it."""


def free_port() -> int:
    """A TCP port on 127.0.0.1 that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(ready: Callable[[], bool], *, what: str, seconds: float = 30.0) -> None:
    """Poll `ready` every 20 ms; raises TimeoutError naming `what` when it stays false."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} was not ready after {seconds:.0f} s")
        time.sleep(0.02)


def accepts_connections(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def child_process(
    command: Sequence[str | Path],
    *,
    log: Path,
    environment: Mapping[str, str] | None = None,
    folder: Path = ROOT,
    stop_signal: signal.Signals = signal.SIGTERM,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `command` in its own process group, output to `log`; the whole group is gone afterwards."""
    with log.open("ab") as output:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield child
    finally:
        stop_group(child, stop_signal)


def stop_group(child: subprocess.Popen[bytes], stop_signal: signal.Signals = signal.SIGTERM) -> None:
    """Ask the child's group to stop; after ten seconds kill what is left of it."""
    for sign, patience in ((stop_signal, 10.0), (signal.SIGKILL, 10.0)):
        try:
            os.killpg(child.pid, sign)
        except ProcessLookupError:
            break
        try:
            child.wait(patience)
        except subprocess.TimeoutExpired:
            continue
    child.wait(1)


def wait_for_port(child: subprocess.Popen[bytes], port: int, *, log: Path, seconds: float = 30.0) -> None:
    """Wait until the child listens; an early exit raises with the end of its log."""

    def listening() -> bool:
        if child.poll() is not None:
            tail = log.read_text(errors="replace")[-2000:]
            raise RuntimeError(f"{child.args!r} ended with {child.returncode}:\n{tail}")
        return accepts_connections(port)

    wait_until(listening, what=f"port {port}", seconds=seconds)
