"""What this machine is, and which shares of it can be measured."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

from optimizers.backends.registry import backend_infos
from optimizers.spec.host import HostFingerprint, Probe, TargetSpec

_LIBRARIES = ("numpy", "onnx", "onnxruntime", "openvino", "nncf")


def probe() -> Probe:
    """The fingerprint, the targets and the backends of this machine; imports no inference library."""
    return Probe(fingerprint=host_fingerprint(), targets=local_targets(), backends=backend_infos())


def host_fingerprint() -> HostFingerprint:
    """Stable across starts: nothing that changes while the machine does not."""
    cpu = _cpuinfo()
    return HostFingerprint(
        cpu_model=cpu.get("model name", platform.processor() or "unknown"),
        cpu_flags=tuple(sorted(cpu.get("flags", cpu.get("Features", "")).split())),
        architecture=platform.machine(),
        logical_cores=os.cpu_count() or 1,
        physical_cores=_physical_cores(),
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        kernel=platform.release(),
        operating_system=_operating_system(),
        python=platform.python_version(),
        libraries={name: version for name in _LIBRARIES if (version := library_version(name))},
    )


def library_version(distribution: str) -> str | None:
    """The installed version, read from the metadata without importing the library."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def local_targets() -> tuple[TargetSpec, ...]:
    """One core, and all cores that this process may use where there are more."""
    cores = tuple(sorted(os.sched_getaffinity(0)))
    one = TargetSpec("cpu-1", "1 core", cores[-1:], description=f"Pinned to core {cores[-1]}")
    if len(cores) == 1:
        return (one,)
    slug, name = f"cpu-{len(cores)}", f"{len(cores)} cores"
    return (one, TargetSpec(slug, name, cores, description="All cores of this machine"))


def _cpuinfo() -> dict[str, str]:
    """The first processor's block of /proc/cpuinfo."""
    facts: dict[str, str] = {}
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return facts
    for line in text.split("\n\n", 1)[0].splitlines():
        key, _, value = line.partition(":")
        facts[key.strip()] = value.strip()
    return facts


def _physical_cores() -> int:
    siblings = set()
    for path in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list"):
        try:
            siblings.add(path.read_text().strip())
        except OSError:
            continue
    return len(siblings) or os.cpu_count() or 1


def _operating_system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()
