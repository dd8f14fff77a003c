"""Post-training int8 through NNCF, on OpenVINO's form of the model. Runs offline: telemetry stays off."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from optimizers.formats.onnx.facts import each_node
from optimizers.jobs.failures import library_errors
from optimizers.passes.base import PassRequest
from optimizers.spec.errors import WhetstoneFailure

_TRANSFORMER = {"Softmax", "MatMul", "ReduceMean"}


def apply(request: PassRequest) -> Path:
    """The quantized model as OpenVINO IR; NOTHING_TO_QUANTIZE where no operator came out quantized."""
    os.environ["NNCF_CI"] = "1"  # NNCF's own switch that keeps it from sending telemetry
    with library_errors("NNCF", compiling=True):
        import nncf
        import openvino

        from optimizers.backends.openvino.compile import read_bound

        logging.getLogger("nncf").setLevel(logging.ERROR)
        operators = {node.op for node in each_node(request.facts.main.nodes)}
        if operators & {"QuantizeLinear", "QLinearConv", "QLinearMatMul"}:
            raise WhetstoneFailure("NOTHING_TO_QUANTIZE")
        model = read_bound(openvino.Core(), request.model, request.shapes, request.batch_axes)
        like_bert = operators >= _TRANSFORMER and "Conv" not in operators
        preset = str(request.options.get("preset", "performance")).upper()
        quantized = nncf.quantize(
            model,
            nncf.Dataset(list(request.calibration)),
            subset_size=len(request.calibration),
            preset=nncf.QuantizationPreset[preset],
            model_type=nncf.ModelType.TRANSFORMER if like_bert else None,
        )
        if not any(op.get_type_name() == "FakeQuantize" for op in quantized.get_ops()):
            raise WhetstoneFailure("NOTHING_TO_QUANTIZE")
        path = request.output / "quantized.xml"
        openvino.save_model(quantized, str(path), compress_to_fp16=False)
    return path
