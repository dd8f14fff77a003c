"""Start the engine as a child process with a wall-clock limit, read its events, and take its report.

The platform's runner has a supervisor of its own; this one serves a person at a terminal.
"""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from optimizers.jobs.events import NONCE_VARIABLE
from optimizers.jobs.prepared import REPORT
from optimizers.spec.codec import CodecError, loads
from optimizers.spec.errors import Failure, failure
from optimizers.spec.job import JobReport, Limits
from optimizers.spec.names import Phase

_ROOT = Path(__file__).resolve().parent.parent.parent
_MAX_LINE = 1 << 16
_SIGNAL_CODES = {signal.SIGXCPU: "TIME_LIMIT", signal.SIGKILL: "MEMORY_LIMIT"}


def child_run(
    job_file: Path, output: Path, phase: Phase, limits: Limits, say: Callable[[str], None]
) -> JobReport:
    """The child's report, or one with the failure that its end amounts to. Ends its whole process group."""
    nonce = secrets.token_hex(16)
    reader, writer = os.pipe()
    environment = {**os.environ, NONCE_VARIABLE: nonce}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
    arguments = [sys.executable, "-m", "optimizers", "run", str(job_file.resolve())]
    arguments += ["--out", str(output.resolve()), "--phase", str(phase), "--events-fd", str(writer)]
    (output / REPORT).unlink(missing_ok=True)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, not a path of ours
        process = subprocess.Popen(
            arguments,
            stdin=nothing,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(writer,),
            env=environment,
            start_new_session=True,
        )
    os.close(writer)
    # Two processes in a row share the budget of `all`.
    budget = limits.wall_seconds * (2 if phase is Phase.ALL else 1) + 5
    try:
        in_time = _follow(reader, process, time.monotonic() + budget, nonce, say)
    finally:
        _end(process)
        os.close(reader)
    return _report(job_file, output, process.returncode, in_time=in_time)


def _follow(
    reader: int, process: subprocess.Popen[bytes], deadline: float, nonce: str, say: Callable[[str], None]
) -> bool:
    """Pass on what the child says until it closes its pipe or ends; False where the deadline came first."""
    pending = b""
    with selectors.DefaultSelector() as selector:
        selector.register(reader, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if not selector.select(timeout=min(left, 0.5)):
                if process.poll() is not None:
                    return True
                continue
            data = os.read(reader, _MAX_LINE)
            if not data:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=max(0.0, deadline - time.monotonic()))
                return process.poll() is not None
            *lines, pending = (pending + data).split(b"\n")
            pending = pending[-_MAX_LINE:]
            for line in lines:
                _tell(line, nonce, say)
    return False


def _tell(line: bytes, nonce: str, say: Callable[[str], None]) -> None:
    try:
        frame = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(frame, dict) or frame.get("nonce") != nonce:
        return
    if frame.get("kind") == "stage_started":
        say(str(frame.get("stage")))
    elif frame.get("kind") == "progress":
        fraction = frame.get("fraction")
        say(
            f"{frame.get('stage')} {fraction:.0%}" if isinstance(fraction, float) else str(frame.get("stage"))
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    """Nothing that the child started may outlive it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _report(job_file: Path, output: Path, code: int, *, in_time: bool) -> JobReport:
    try:
        return loads(JobReport, (output / REPORT).read_bytes())
    except (OSError, CodecError):
        return JobReport(job_file.stem.removeprefix("job-"), failure=_failure(code, in_time=in_time))


def _failure(code: int, *, in_time: bool) -> Failure:
    if not in_time:
        return failure("TIME_LIMIT")
    if code >= 0:
        return failure("ENGINE_FAULT", f"The engine ended with code {code} and left no report.")
    name = signal.Signals(-code).name
    return failure(
        _SIGNAL_CODES.get(signal.Signals(-code), "CRASHED"), f"The engine process ended by {name}."
    )
