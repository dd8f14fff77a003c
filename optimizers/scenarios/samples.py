"""The raw result of one scenario: every timed query, nothing discarded, and its file form."""

from __future__ import annotations

import struct
import sys
from array import array
from dataclasses import dataclass
from pathlib import Path

from optimizers.metrics.cpu import CpuShare
from optimizers.spec.names import Scenario


@dataclass(frozen=True)
class Samples:
    """`nanoseconds` per query in order. SingleStream: the time of the call. Offline: from one query's start
    to the next one's, so that their sum is the wall time, `duration_ns`, for queries that overlap too."""

    scenario: Scenario
    batch_size: int
    nanoseconds: array[int]
    duration_ns: int
    warmup_samples: int
    warmup_settled: bool
    cpu: CpuShare


def samples_file_name(samples: Samples) -> str:
    return f"samples-{samples.scenario}-b{samples.batch_size}.npy"


def samples_write(path: Path, samples: Samples) -> None:
    """Write the samples as a one-dimensional float64 `.npy` file in milliseconds (format version 1.0)."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(samples.nanoseconds)},), }}"
    padding = -(10 + len(header) + 1) % 64
    text = (header + " " * padding + "\n").encode("latin-1")
    body = array("d", (value / 1e6 for value in samples.nanoseconds))
    if sys.byteorder == "big":
        body.byteswap()
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body.tobytes())
