"""OpenVINO behind the common door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optimizers.backends.base import Capabilities, Compiled, CompileRequest, LoadRequest, Session
from optimizers.backends.openvino.capabilities import CAPABILITIES
from optimizers.backends.openvino.compile import apply_environment, compile_artifact
from optimizers.jobs.failures import library_errors
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.host import TargetSpec
from optimizers.spec.names import Precision
from optimizers.spec.recipe import Recipe

if TYPE_CHECKING:
    from optimizers.backends.base import Backend


class OpenVinoBackend:
    @property
    def capabilities(self) -> Capabilities:
        return CAPABILITIES

    def check(self, recipe: Recipe, target: TargetSpec) -> None:
        """Ask the plugin itself: without bf16 instructions it would run in fp32 and say nothing."""
        if recipe.precision not in CAPABILITIES.precisions:
            raise WhetstoneFailure(
                "PRECISION_UNSUPPORTED", f"OpenVINO is not offered in {recipe.precision} here."
            )
        apply_environment(recipe)
        with library_errors("OpenVINO", compiling=True):
            import openvino
        capabilities = openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        if recipe.precision is Precision.BF16 and "BF16" not in capabilities:
            raise WhetstoneFailure("PRECISION_UNSUPPORTED", "This processor has no bf16 instructions.")

    def compile(self, request: CompileRequest) -> Compiled:
        return compile_artifact(request)

    def load(self, request: LoadRequest) -> Session:
        from optimizers.backends.openvino.session import OpenVinoSession

        return OpenVinoSession(request)

    def saturates(self, target: TargetSpec) -> bool:
        """Several requests at once only help where there are several cores."""
        return len(target.cores) > 1


def backend() -> Backend:
    return OpenVinoBackend()
