"""The passes by name; a pass's library is imported only when it runs."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from optimizers.passes.base import Pass
from optimizers.spec.errors import WhetstoneFailure

NAMES = ("ort_static_int8", "nncf_int8")
CALIBRATED = frozenset(NAMES)


def pass_of(name: str) -> Pass:
    """The pass; BACKEND_MISSING where this engine has none of that name."""
    if name not in NAMES:
        raise WhetstoneFailure("BACKEND_MISSING", f"This engine has no pass called {name[:60]!r}.")
    return cast(Pass, import_module(f"optimizers.passes.{name}").apply)
