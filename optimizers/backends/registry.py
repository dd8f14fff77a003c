"""The backends by name. Listing them imports no inference library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module, metadata
from typing import cast

from optimizers.backends.base import Backend, Capabilities
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.host import BackendInfo

NAMES = ("onnxruntime", "openvino", "fake")


def backend_of(name: str) -> Backend:
    """The backend, its library not yet imported; BACKEND_MISSING where it is unknown or not installed."""
    if name not in NAMES:
        raise WhetstoneFailure("BACKEND_MISSING", f"This engine has no backend called {name[:60]!r}.")
    capabilities = capabilities_of(name)
    if _version(capabilities) is None:
        raise WhetstoneFailure("BACKEND_MISSING", f"{capabilities.title} is not installed on this host.")
    make = cast(Callable[[], Backend], import_module(f"optimizers.backends.{name}.backend").backend)
    return make()


def capabilities_of(name: str) -> Capabilities:
    """What a backend can do, whether or not its library is installed."""
    return cast(Capabilities, import_module(f"optimizers.backends.{name}.capabilities").CAPABILITIES)


def capabilities_by_name() -> Mapping[str, Capabilities]:
    return {name: capabilities_of(name) for name in NAMES}


def backend_infos() -> tuple[BackendInfo, ...]:
    """For `probe`: every real backend with its version, None where its library is missing."""
    listed = [capabilities_of(name) for name in NAMES]
    return tuple(
        BackendInfo(each.name, _version(each), tuple(str(p) for p in each.precisions), each.note)
        for each in listed
        if not each.simulated
    )


def _version(capabilities: Capabilities) -> str | None:
    if not capabilities.distribution:
        return "built-in"
    try:
        return metadata.version(capabilities.distribution)
    except metadata.PackageNotFoundError:
        return None
