"""What the engine says while it works: framed JSON lines on a pipe, and the time each stage took.

A frame is a ChildEvent with the job's nonce and a growing `seq`. Whatever libraries print, from Python or
from C, is caught at the file descriptors and sent as `log` events: it never reaches the report.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from optimizers.spec.codec import to_json
from optimizers.spec.job import ChildEvent, StageTime
from optimizers.spec.names import Stage
from optimizers.text import safe_name

LINE_LIMIT = 2000
CAPTURE_LIMIT = 1 << 20
NONCE_VARIABLE = "WHETSTONE_EVENT_NONCE"
SEQ_VARIABLE = "WHETSTONE_EVENT_SEQ"


class Channel:
    """The pipe to whoever started this process; without a descriptor or a nonce it says nothing."""

    def __init__(self, descriptor: int | None, nonce: str, first_seq: int = 0) -> None:
        # A copy of its own, so that catching what is printed to descriptors 1 and 2 never catches frames.
        self._descriptor = os.dup(descriptor) if descriptor is not None and nonce else None
        self._nonce = nonce
        self._lock = threading.Lock()
        self.seq = first_seq

    def send(self, event: ChildEvent) -> None:
        """Write one frame; a reader that has gone away is no reason to stop the work."""
        with self._lock:
            if self._descriptor is None:
                return
            self.seq += 1
            frame = {"nonce": self._nonce, "seq": self.seq, **_fields(event)}
            data = json.dumps(frame, separators=(",", ":")).encode() + b"\n"
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError:
                self._descriptor = None


def _fields(event: ChildEvent) -> Mapping[str, object]:
    document = to_json(replace(event, message=event.message[:LINE_LIMIT]))
    assert isinstance(document, dict)
    return document


def channel_from_environment(descriptor: int | None, environment: Mapping[str, str]) -> Channel:
    """The channel that `--events-fd` and the nonce in the environment describe."""
    first = environment.get(SEQ_VARIABLE, "0")
    return Channel(descriptor, environment.get(NONCE_VARIABLE, ""), int(first) if first.isdecimal() else 0)


class Progress:
    """Stages, progress and log lines of one engine process."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._started = time.monotonic()
        self.times: list[StageTime] = []
        self.stage_name = ""

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[None]:
        """Announce a stage and keep its seconds, also when it fails."""
        self.stage_name, begin = str(stage), time.monotonic()
        self._send("stage_started")
        try:
            yield
        finally:
            seconds = time.monotonic() - begin
            self.times.append(StageTime(self.stage_name, round(seconds, 4)))
            self._send("stage_finished", f"{seconds:.2f} s", 1.0)

    def report(self, fraction: float, message: str = "") -> None:
        """How far the present stage is, 0 to 1."""
        self._send("progress", message, min(max(fraction, 0.0), 1.0))

    def log(self, line: str) -> None:
        self._send("log", safe_name(line, LINE_LIMIT))

    def _send(self, kind: str, message: str = "", fraction: float | None = None) -> None:
        seconds = round(time.monotonic() - self._started, 3)
        self._channel.send(ChildEvent(kind, self.stage_name, message, fraction, seconds))


@contextmanager
def captured_output(progress: Progress) -> Iterator[None]:
    """Turn what is written to descriptors 1 and 2 into log events until the block ends.

    After CAPTURE_LIMIT bytes the rest is read and dropped, so that a writer never blocks.
    """
    reader, writer = os.pipe()
    saved = os.dup(1), os.dup(2)
    _flush()
    os.dup2(writer, 1)
    os.dup2(writer, 2)
    os.close(writer)
    thread = threading.Thread(target=_forward, args=(reader, progress), daemon=True)
    thread.start()
    try:
        yield
    finally:
        _flush()
        os.dup2(saved[0], 1)
        os.dup2(saved[1], 2)
        for descriptor in saved:
            os.close(descriptor)
        thread.join(timeout=2.0)  # a grandchild may still hold the pipe open


def _flush() -> None:
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()


def _forward(reader: int, progress: Progress) -> None:
    left, pending = CAPTURE_LIMIT, b""
    while chunk := os.read(reader, 65536):
        if left <= 0:
            continue
        left -= len(chunk)
        *lines, pending = (pending + chunk).split(b"\n")
        pending = pending[-LINE_LIMIT * 4 :]
        for line in lines:
            if text := line.decode(errors="replace").strip():
                progress.log(text)
        if left <= 0:
            progress.log("more output was dropped after 1 MiB")
    if left > 0 and pending.strip():
        progress.log(pending.decode(errors="replace").strip())
    os.close(reader)
