"""What the engine says on its event pipe, checked: it is a process that opens strangers' files.

A frame is one JSON line: a ChildEvent with this process's nonce and a `seq` that grows by one. A line that
is anything else ends the job; so does too much of it.
"""

from __future__ import annotations

import hmac
import json
import os

from optimizers.spec.codec import CodecError, from_json
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.job import ChildEvent
from optimizers.spec.names import Stage

KINDS = frozenset({"stage_started", "stage_finished", "progress", "log"})
STAGES = frozenset({"", *map(str, Stage)})
LINE_BYTES = 16 * 1024
CHUNK_BYTES = 64 * 1024
MAX_FRAMES = 20_000
MAX_BYTES = 8 * 1024 * 1024
MESSAGE_LENGTH = 2000


class FrameReader:
    """Turns what one engine process writes into its pipe into events.

    Raises WhetstoneFailure: PROTOCOL_ERROR for a line that is no frame, OUTPUT_LIMIT for a flood.
    """

    def __init__(self, descriptor: int, nonce: str) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self._nonce = nonce.encode()
        self._pending = b""
        self._seq = 0
        self._bytes = 0

    def read(self) -> list[ChildEvent]:
        """What is there now; never waits."""
        try:
            return self._feed(os.read(self.descriptor, CHUNK_BYTES))
        except BlockingIOError:
            return []

    def drain(self) -> list[ChildEvent]:
        """What is left after the process ended; a line that its end cut off is dropped."""
        events: list[ChildEvent] = []
        while True:
            try:
                data = os.read(self.descriptor, CHUNK_BYTES)
            except BlockingIOError:
                return events
            if not data:
                return events
            events += self._feed(data)

    def close(self) -> None:
        os.close(self.descriptor)

    def _feed(self, data: bytes) -> list[ChildEvent]:
        self._bytes += len(data)
        if self._bytes > MAX_BYTES:
            raise WhetstoneFailure("OUTPUT_LIMIT", bytes=self._bytes)
        *lines, self._pending = (self._pending + data).split(b"\n")
        if len(self._pending) > LINE_BYTES:
            raise _not_a_frame("a line is too long")
        return [self._frame(line) for line in lines]

    def _frame(self, line: bytes) -> ChildEvent:
        if len(line) > LINE_BYTES:
            raise _not_a_frame("a line is too long")
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            raise _not_a_frame("a line is not JSON") from None
        if not isinstance(document, dict):
            raise _not_a_frame("a line is not an object")
        nonce, seq = document.pop("nonce", ""), document.pop("seq", None)
        if not isinstance(nonce, str) or not hmac.compare_digest(nonce.encode(errors="replace"), self._nonce):
            raise _not_a_frame("the nonce is wrong")
        if type(seq) is not int or seq != self._seq + 1:
            raise _not_a_frame("a line is missing or repeated")
        self._seq = seq
        if seq > MAX_FRAMES:
            raise WhetstoneFailure("OUTPUT_LIMIT", events=seq)
        return _event(document)


def _event(document: object) -> ChildEvent:
    try:
        event = from_json(ChildEvent, document)
    except CodecError as error:
        raise _not_a_frame(f"{error.path[:60]} is wrong") from None
    fraction, seconds = event.fraction, event.seconds
    if event.kind not in KINDS or event.stage not in STAGES or len(event.message) > MESSAGE_LENGTH:
        raise _not_a_frame("an event's kind, stage or message is not allowed")
    # `not (a <= x <= b)` also catches NaN.
    if (fraction is not None and not 0 <= fraction <= 1) or (seconds is not None and not 0 <= seconds < 1e9):
        raise _not_a_frame("a number is out of range")
    return event


def _not_a_frame(problem: str) -> WhetstoneFailure:
    return WhetstoneFailure("PROTOCOL_ERROR", f"The engine's answer was not in the agreed form: {problem}.")
