"""ONNX Runtime behind the common door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optimizers.backends.base import Capabilities, Compiled, CompileRequest, LoadRequest, Session
from optimizers.backends.onnxruntime.capabilities import CAPABILITIES
from optimizers.backends.onnxruntime.compile import compile_artifact
from optimizers.jobs.failures import library_errors
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.host import TargetSpec
from optimizers.spec.recipe import Recipe

if TYPE_CHECKING:
    from optimizers.backends.base import Backend


class OnnxRuntimeBackend:
    @property
    def capabilities(self) -> Capabilities:
        return CAPABILITIES

    def check(self, recipe: Recipe, target: TargetSpec) -> None:
        if recipe.precision not in CAPABILITIES.precisions:
            raise WhetstoneFailure(
                "PRECISION_UNSUPPORTED", f"ONNX Runtime is not offered in {recipe.precision} here."
            )
        with library_errors("ONNX Runtime", compiling=True):
            import onnxruntime  # noqa: F401 - so that load time is that of the artifact alone

    def compile(self, request: CompileRequest) -> Compiled:
        return compile_artifact(request)

    def load(self, request: LoadRequest) -> Session:
        from optimizers.backends.onnxruntime.session import OrtSession

        return OrtSession(request)

    def saturates(self, target: TargetSpec) -> bool:
        return False


def backend() -> Backend:
    return OnnxRuntimeBackend()
