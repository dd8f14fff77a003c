"""An OpenVINO compiled model with one reused request, or a queue of them where throughput is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from optimizers.backends.base import LoadRequest
from optimizers.backends.openvino.compile import apply_environment, configuration, read_bound
from optimizers.jobs.failures import library_errors
from optimizers.spec.errors import WhetstoneFailure

if TYPE_CHECKING:
    from optimizers.backends.base import Array, Feeds

_TITLE = "OpenVINO"
_COMPUTE = {
    "Convolution", "Deconvolution", "FullyConnected", "MatMul", "RNNSeq", "RNNCell", "LSTMSequence",
    "GroupConvolution", "ScaledDotProductAttention",
}  # fmt: skip
_NAMES = {"f32": "fp32", "bf16": "bf16", "f16": "fp16", "i8": "int8", "u8": "int8"}
_NOT_WORK = {"Const", "Input", "Output", "Reorder", "Reshape"}


class OpenVinoSession:
    """Compiled for exactly the shapes of the request."""

    def __init__(self, request: LoadRequest) -> None:
        apply_environment(request.recipe)
        with library_errors(_TITLE, compiling=True):
            import openvino

            core = openvino.Core()
            model = read_bound(core, request.artifact, request.shapes, {})
            config = configuration(request.recipe, len(request.target.cores), saturate=request.saturate)
            self._compiled: Any = core.compile_model(model, "CPU", config)
            self._request: Any = self._compiled.create_infer_request()
            self._tensor = openvino.Tensor
        _check_kernels(self._compiled, str(request.recipe.options.get("instruction_set", "")))
        self._saturate = request.saturate
        self._outputs = [_name(port) for port in self._compiled.outputs]
        self._inputs = {_name(port, request.shapes): port for port in self._compiled.inputs}
        self._queue: Any = None
        self._kept: list[Any] = []

    @property
    def precision_effective(self) -> str:
        """What the executed graph says: int8 where any product runs in it, else what most products run in."""
        counts = executed_precisions(self._compiled)
        return "int8" if counts.get("int8") else max(counts, key=lambda name: counts[name], default="fp32")

    @property
    def device_effective(self) -> str:
        devices = self._compiled.get_property("EXECUTION_DEVICES")
        return ",".join(str(device).lower() for device in devices)

    def run(self, feeds: Feeds) -> dict[str, Array]:
        with library_errors(_TITLE, compiling=False):
            tensors = {port: feeds[name] for name, port in self._inputs.items()}
            results = self._request.infer(tensors)
            return {name: np.array(results[port]) for name, port in zip(self._outputs, results, strict=True)}

    def bound(self, feeds: Feeds) -> Callable[[], object]:
        """The inputs are set once and their memory shared, as in OpenVINO's benchmark_app."""
        with library_errors(_TITLE, compiling=False):
            if self._saturate:
                return self._queued(feeds)
            self._set(self._request, feeds)
        infer = self._request.infer
        return lambda: infer(share_outputs=True)

    def _set(self, request: Any, feeds: Feeds) -> None:
        for name, port in self._inputs.items():
            tensor = self._tensor(feeds[name], shared_memory=True)
            self._kept.append(tensor)
            request.set_tensor(port, tensor)

    def _queued(self, feeds: Feeds) -> Callable[[], object]:
        """Starting blocks until a request is idle, so the calls come as fast as the results do."""
        import openvino

        self._queue = openvino.AsyncInferQueue(self._compiled)
        for request in self._queue:
            self._set(request, feeds)
        start = self._queue.start_async
        return lambda: start()

    def finish(self) -> None:
        if self._queue is not None:
            self._queue.wait_all()


def executed_precisions(compiled: Any) -> Counter[str]:
    """How many executed operators ran in each precision: the products, or all work where there is none."""
    products: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for op in compiled.get_runtime_model().get_ordered_ops():
        info = op.get_rt_info()
        kind, precision = _text(info, "layerType"), _NAMES.get(_text(info, "runtimePrecision"))
        if precision is None or kind in _NOT_WORK:
            continue
        (products if kind in _COMPUTE else others)[precision] += 1
    return products or others


def _check_kernels(compiled: Any, instruction_set: str) -> None:
    """The kernels must be those that were asked for: the variable comes too late once the library is in."""
    if instruction_set != "avx2":
        return
    for op in compiled.get_runtime_model().get_ordered_ops():
        info = op.get_rt_info()
        if _text(info, "layerType") in _COMPUTE and "avx512" in _text(info, "primitiveType"):
            raise WhetstoneFailure(
                "COMPILE_ERROR", "OpenVINO did not take the instruction set that was asked for."
            )


def _text(info: Any, key: str) -> str:
    return str(info[key].astype(str)) if key in info else ""


def _name(port: Any, wanted: Any = ()) -> str:
    """A port can have several names; the model's own is the one that the signature has."""
    names = sorted(port.get_names())
    return next((name for name in names if name in wanted), names[0] if names else "")
