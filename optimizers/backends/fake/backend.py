"""The fake backend behind the common door, plus what only a simulated one has: `load_simulated`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optimizers.backends.base import Capabilities, Compiled, CompileRequest, LoadRequest, Session
from optimizers.backends.fake.capabilities import CAPABILITIES
from optimizers.backends.fake.compile import compile_artifact
from optimizers.backends.fake.session import FakeSession
from optimizers.spec.host import TargetSpec
from optimizers.spec.recipe import Recipe

if TYPE_CHECKING:
    from optimizers.backends.base import Backend


class FakeBackend:
    """See `compile` for the options that a recipe may set."""

    @property
    def capabilities(self) -> Capabilities:
        return CAPABILITIES

    def check(self, recipe: Recipe, target: TargetSpec) -> None:
        """Everything is supported."""

    def compile(self, request: CompileRequest) -> Compiled:
        return compile_artifact(request)

    def load(self, request: LoadRequest) -> Session:
        raise NotImplementedError("a simulated backend is loaded with load_simulated")

    def load_simulated(self, request: LoadRequest) -> FakeSession:
        return FakeSession(request)

    def saturates(self, target: TargetSpec) -> bool:
        return False


def backend() -> Backend:
    return FakeBackend()
