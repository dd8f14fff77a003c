"""Static int8 for ONNX Runtime: QDQ, unsigned activations, signed weights per channel, MinMax.

Unsigned activations because signed ones are two to three times slower on x86 (ONNX Runtime's quantization
guide says so too). Models without convolutions quantize only matrix products with constant weights.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from optimizers.formats.onnx.facts import each_node
from optimizers.formats.onnx.walk import walk
from optimizers.jobs.failures import library_errors
from optimizers.passes.base import PassRequest
from optimizers.spec.errors import WhetstoneFailure

_LIBRARY = "ONNX Runtime's quantizer"
_PER_CHANNEL_OPSET = 13
_QUANTIZABLE = {"Conv", "ConvTranspose", "MatMul", "Gemm"}


def apply(request: PassRequest) -> Path:
    """The quantized model's file; NOTHING_TO_QUANTIZE where no operator came out quantized."""
    operators = {node.op for node in each_node(request.facts.main.nodes)}
    if not operators & _QUANTIZABLE or operators & {"QuantizeLinear", "QLinearConv", "QLinearMatMul"}:
        raise WhetstoneFailure("NOTHING_TO_QUANTIZE")
    logging.getLogger().setLevel(logging.ERROR)
    with library_errors(_LIBRARY, compiling=True):
        prepared = _prepare(request)
        quantized = request.output / "quantized.onnx"
        _quantize(request, prepared, quantized, operators)
    prepared.unlink(missing_ok=True)
    if not any(node.op == "QuantizeLinear" for node in each_node(walk(quantized).main.nodes)):
        raise WhetstoneFailure("NOTHING_TO_QUANTIZE")
    return quantized


def _prepare(request: PassRequest) -> Path:
    """Fold constants and fuse, at an opset that has quantization per channel."""
    import onnx
    from onnxruntime.quantization.shape_inference import quant_pre_process

    source = request.model
    if request.facts.opsets.get("", 1) < _PER_CHANNEL_OPSET:
        raised = onnx.version_converter.convert_version(onnx.load(str(source)), _PER_CHANNEL_OPSET)
        source = request.output / "raised.onnx"
        onnx.save(raised, str(source))
    prepared = request.output / "preprocessed.onnx"
    try:
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
    except Exception:
        # ONNX's inference can fail on a model that runs well; the optimized graph alone is enough.
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True, skip_onnx_shape=True)
    if source != request.model:
        source.unlink()
    return prepared


def _quantize(request: PassRequest, prepared: Path, quantized: Path, operators: set[str]) -> None:
    from onnxruntime.quantization import CalibrationMethod, QuantFormat, QuantType, quantize_static

    unsigned = request.options.get("activation", "uint8") == "uint8"
    convolutional = bool(operators & {"Conv", "ConvTranspose"})
    options: dict[str, Any] = {} if convolutional else {
        "op_types_to_quantize": ["MatMul", "Gemm"], "extra_options": {"MatMulConstBOnly": True}
    }  # fmt: skip
    quantize_static(
        str(prepared),
        str(quantized),
        _reader(request.calibration),
        quant_format=QuantFormat.QDQ,
        per_channel=bool(request.options.get("per_channel", True)),
        activation_type=QuantType.QUInt8 if unsigned else QuantType.QInt8,
        weight_type=QuantType.QInt8,
        calibrate_method=CalibrationMethod.MinMax,
        **options,
    )


def _reader(feeds: tuple[Mapping[str, Any], ...]) -> Any:
    """A calibration reader over the feeds; its base class is only known once the library is imported."""
    from onnxruntime.quantization import CalibrationDataReader

    class Reader(CalibrationDataReader):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            self._left: Iterator[Mapping[str, Any]] = iter(feeds)

        def get_next(self) -> Mapping[str, Any] | None:
            return next(self._left, None)

    return Reader()
