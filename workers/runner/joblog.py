"""The job's log for people: the engine's lines with their stage, then what it printed past its channel."""

from __future__ import annotations

import re
from pathlib import Path

from optimizers.spec.job import ChildEvent

LOG_LIMIT = 2 << 20
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|\u2028|\u2029|[\u202a-\u202e\u2066-\u2069]")


class JobLog:
    """Bounded, without control characters and without this machine's folders."""

    def __init__(self, path: Path, hide: Path) -> None:
        self.path = path
        self._hide = str(hide)
        self._file = path.open("w", encoding="utf-8")
        self._left = LOG_LIMIT

    def event(self, event: ChildEvent) -> None:
        if event.kind != "progress" or event.message:
            at = "" if event.seconds is None else f"{event.seconds:9.3f} "
            self.line(f"{at}{event.stage or '-'} {event.kind} {event.message}".rstrip())

    def line(self, text: str) -> None:
        if self._left <= 0:
            return
        clean = _CONTROL.sub("?", text.replace(self._hide, "").replace("\n", " "))[:4000] + "\n"
        self._left -= len(clean.encode(errors="replace"))
        self._file.write(clean if self._left > 0 else "The log ends here: it has reached its limit.\n")

    def printed(self, path: Path, limit: int = 256 << 10) -> None:
        """The start of what a process printed."""
        with path.open("rb") as file:
            text = file.read(limit).decode(errors="replace")
        for line in text.splitlines():
            self.line(f"  {line}")

    def close(self) -> None:
        self._file.close()
