"""Child processes that end with their parent, whatever ends it, and that are stopped as groups."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1
STOP_SECONDS = 15.0
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Service:
    """One process of the platform; its output goes to `log`."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path


class ServiceDied(Exception):
    """A service ended by itself. The message names it and shows the end of its log."""


def _end_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Supervisor:
    """Starts services, notices when one dies, and stops them all in reverse order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: list[tuple[Service, subprocess.Popen[bytes]]] = []

    def start(self, service: Service) -> None:
        service.log.parent.mkdir(parents=True, exist_ok=True)
        with service.log.open("ab") as output:
            child = subprocess.Popen(
                list(service.command),
                cwd=self._folder,
                env=dict(service.environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        self._running.append((service, child))

    def check(self) -> None:
        """Raises ServiceDied when any service has ended."""
        for service, child in self._running:
            code = child.poll()
            if code is not None:
                tail = service.log.read_text(errors="replace").strip().splitlines()[-12:]
                raise ServiceDied(
                    f"{service.name} ended with {code}. The end of {service.log}:\n" + "\n".join(tail)
                )

    def wait_for(self, ready: Callable[[], bool], *, what: str, seconds: float = 60.0) -> None:
        """Polls `ready`; raises ServiceDied when a service ends first or the time is over."""
        end = time.monotonic() + seconds
        while not ready():
            self.check()
            if time.monotonic() > end:
                raise ServiceDied(f"{what} was not ready after {seconds:.0f} seconds; see the logs.")
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """Asks every group to stop, last started first; kills what is left after 15 seconds."""
        for _, child in reversed(self._running):
            _signal_group(child, signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        for _, child in reversed(self._running):
            with suppress(subprocess.TimeoutExpired):
                child.wait(max(0.1, end - time.monotonic()))
            _signal_group(child, signal.SIGKILL)
            child.wait()
        self._running.clear()


def _signal_group(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):
        return


def port_is_free(port: int) -> bool:
    """Whether 127.0.0.1:port can be bound now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def port_answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0
