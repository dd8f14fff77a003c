"""How the consuming process tells its pool processes to stop: the end of a pipe that they all inherit.

It also reads as "stop" when the consuming process is killed: nobody then holds the other end.
"""

from __future__ import annotations

import os
import select
from contextlib import suppress


class StopPipe:
    """Made before the pool is forked."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        self._told = False

    def asked(self) -> bool:
        return self._told or bool(select.select([self._reader], [], [], 0)[0])

    def ask(self) -> None:
        """In the consuming process: everybody. In a pool process: itself."""
        self._told = True
        with suppress(OSError):
            os.close(self._writer)

    def forked(self) -> None:
        """In a new pool process: let go of the writing end."""
        with suppress(OSError):
            os.close(self._writer)
