"""The machine that a result is valid on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from optimizers.spec.codec import dumps
from optimizers.spec.names import Device


@dataclass(frozen=True)
class HostFingerprint:
    """Figures are only compared between equal hosts. `libraries` maps a distribution to its version."""

    cpu_model: str
    cpu_flags: tuple[str, ...]
    architecture: str
    logical_cores: int
    physical_cores: int
    memory_bytes: int
    kernel: str
    operating_system: str
    python: str
    libraries: Mapping[str, str] = field(default_factory=dict)


def fingerprint_hash(host: HostFingerprint) -> str:
    """Sixteen hex digits over everything above; the same on every start of an unchanged machine."""
    return hashlib.sha256(dumps(host).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class TargetSpec:
    """A share of a host: the logical cores a job is pinned to."""

    slug: str
    name: str
    cores: tuple[int, ...]
    device: Device = Device.CPU
    description: str = ""


@dataclass(frozen=True)
class BackendInfo:
    """What `probe` says of one backend; `version` is None where its library is not installed."""

    name: str
    version: str | None
    precisions: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class Probe:
    """The answer of `python -m optimizers probe`."""

    fingerprint: HostFingerprint
    targets: tuple[TargetSpec, ...]
    backends: tuple[BackendInfo, ...]
