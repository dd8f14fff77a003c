"""An ONNX Runtime session, and what it really runs in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from optimizers.backends.base import LoadRequest
from optimizers.backends.onnxruntime.compile import session_options
from optimizers.formats.onnx.facts import ModelFacts, each_node
from optimizers.formats.onnx.walk import walk
from optimizers.jobs.failures import library_errors
from optimizers.spec.errors import WhetstoneFailure

if TYPE_CHECKING:
    from optimizers.backends.base import Array, Feeds

_TITLE = "ONNX Runtime"
INT8_OPS = {
    "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "QGemm", "MatMulIntegerToFloat",
    "DynamicQuantizeMatMul", "DynamicQuantizeLSTM", "QAttention", "QLinearConvTranspose",
}  # fmt: skip


class OrtSession:
    """Graph optimization is off here: the artifact was optimized when it was compiled."""

    def __init__(self, request: LoadRequest) -> None:
        with library_errors(_TITLE, compiling=True):
            import onnxruntime

            options = session_options(len(request.target.cores))
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            self._session: Any = onnxruntime.InferenceSession(
                str(request.artifact), options, providers=["CPUExecutionProvider"]
            )
        provider = self._session.get_providers()[0]
        if provider != "CPUExecutionProvider":
            raise WhetstoneFailure(
                "DEVICE_NOT_EFFECTIVE", f"ONNX Runtime runs on {provider}, not on the CPU."
            )
        self._names = [output.name for output in self._session.get_outputs()]
        self._artifact = request.artifact

    @property
    def precision_effective(self) -> str:
        """int8 where the graph multiplies in int8; fp16 weights are widened to fp32 on a CPU."""
        return effective_precision(walk(self._artifact))

    @property
    def device_effective(self) -> str:
        return "cpu"

    def run(self, feeds: Feeds) -> dict[str, Array]:
        with library_errors(_TITLE, compiling=False):
            values = self._session.run(self._names, dict(feeds))
        pairs = zip(self._names, values, strict=True)
        return {name: value for name, value in pairs if isinstance(value, np.ndarray)}

    def bound(self, feeds: Feeds) -> Callable[[], object]:
        run, names, values = self._session.run, self._names, dict(feeds)
        return lambda: run(names, values)

    def finish(self) -> None:
        """Every call is done when it returns."""


def effective_precision(model: ModelFacts) -> str:
    """From the operators of the graph that the session executes."""
    operators = {node.op for node in each_node(model.main.nodes)}
    return "int8" if operators & INT8_OPS else "fp32"
