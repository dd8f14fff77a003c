"""The engine's process: started in a session of its own, ended with all that it started."""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

from optimizers.spec.names import Phase
from workers.runner.frames import FrameReader
from workers.runner.settings import ROOT

_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "WHETSTONE_FAKE_BACKEND", "TZ")
# Killing a parent makes its children ours: each round goes one generation down.
_ROUNDS = 20
_LIBC = ctypes.CDLL(None, use_errno=True)


def adopt_orphans() -> None:
    """Grandchildren whose parent ends become this process's children, where they are found and killed."""
    _LIBC.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _die_with_parent() -> None:
    _LIBC.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def engine_environment(folder: Path, nonce: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Only what an engine needs: no credential, no address, no home of ours."""
    passed = {name: environment[name] for name in _PASSED_ON if name in environment}
    return passed | {
        "HOME": str(folder),
        "TMPDIR": str(folder / "tmp"),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        "PYTHONSAFEPATH": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONFAULTHANDLER": "1",
        "ORT_DISABLE_TELEMETRY": "1",
        "WHETSTONE_EVENT_NONCE": nonce,
    }


class Engine:
    """One phase of one job. `folder` holds job.json and inputs; `log` gets what the process prints."""

    def __init__(self, folder: Path, output: Path, phase: Phase, log: Path) -> None:
        adopt_orphans()
        nonce = secrets.token_hex(16)
        self._before = _own_children()
        self._seen: set[psutil.Process] = set()
        reader, writer = os.pipe()
        command = [sys.executable, "-P", "-m", "optimizers", "run", str(folder / "job.json")]
        command += ["--out", str(output), "--phase", str(phase), "--events-fd", str(writer)]
        try:
            with log.open("wb") as printed:
                self._process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=engine_environment(folder, nonce, os.environ),
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=subprocess.STDOUT,
                    pass_fds=(writer,),
                    start_new_session=True,
                    preexec_fn=_die_with_parent,
                )
        except BaseException:
            os.close(reader)
            raise
        finally:
            os.close(writer)
        self.events = FrameReader(reader, nonce)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._process.poll()

    def memory_bytes(self) -> int:
        """Resident memory of the process and of all that it started."""
        total = 0
        for process in self._tree():
            with suppress(psutil.Error):
                total += process.memory_info().rss
        return total

    def end(self) -> None:
        """Kill what is left: the group, its descendants in other groups, and orphans among them."""
        left = self._tree()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for process in left | self._seen:
            with suppress(psutil.Error):
                process.kill()
        self._process.wait()
        for _ in range(_ROUNDS):
            if not (orphans := _own_children() - self._before):
                break
            for orphan in orphans:
                for process in (*_descendants(orphan), orphan):
                    with suppress(psutil.Error):
                        process.kill()
            psutil.wait_procs(orphans, timeout=5)
        self.events.close()

    def _tree(self) -> set[psutil.Process]:
        with suppress(psutil.Error):
            root = psutil.Process(self._process.pid)
            tree = {root, *_descendants(root)}
            self._seen |= tree - {root}
            return tree | (_own_children() - self._before)
        return set()


def _descendants(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def _own_children() -> set[psutil.Process]:
    return set(psutil.Process().children())
