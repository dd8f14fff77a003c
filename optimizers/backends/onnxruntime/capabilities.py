"""What ONNX Runtime can do here; read without importing it."""

from __future__ import annotations

from optimizers.backends.base import Capabilities
from optimizers.spec.names import Precision

CAPABILITIES = Capabilities(
    name="onnxruntime",
    title="ONNX Runtime",
    distribution="onnxruntime",
    precisions=(Precision.FP32, Precision.INT8),
    passes=("ort_static_int8",),
    max_opset=28,
    note="CPU. fp16 gives nothing on a CPU and is not offered.",
)
