"""What OpenVINO can do here; read without importing it."""

from __future__ import annotations

from optimizers.backends.base import Capabilities
from optimizers.spec.names import Precision

CAPABILITIES = Capabilities(
    name="openvino",
    title="OpenVINO",
    distribution="openvino",
    precisions=(Precision.FP32, Precision.BF16, Precision.INT8),
    passes=("nncf_int8",),
    max_opset=28,
    note="CPU. bf16 only where the processor has it; fp32 is forced, since its default is bf16 there.",
)
