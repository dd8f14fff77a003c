"""What is in a model that passed its checks, and what is worth telling about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from optimizers.formats.onnx.facts import (
    DTYPES,
    ModelFacts,
    TensorFacts,
    each_node,
    each_tensor,
    normal_domain,
)
from optimizers.formats.onnx.sizes import dims_of, real_inputs, signature
from optimizers.spec.errors import CATALOG
from optimizers.spec.model import Finding, ModelDescription
from optimizers.spec.names import Severity
from optimizers.text import safe_name

RANDOM_OPS = {
    "RandomNormal",
    "RandomUniform",
    "RandomNormalLike",
    "RandomUniformLike",
    "Multinomial",
    "Bernoulli",
}
QUANTIZED_OPS = {
    "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul",
    "ConvInteger", "MatMulInteger", "QGemm", "MatMulNBits",
}  # fmt: skip
_PRECISIONS = {
    "float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float64": "fp64", "int8": "int8",
    "uint8": "int8",
}  # fmt: skip


def describe(path: Path, model: ModelFacts, size_bytes: int) -> ModelDescription:
    """The description; FLOPs at the suggested sizes. Shape inference runs here, so only after the checks."""
    from optimizers.formats.onnx.flops import flops_of

    described = describe_facts(model, size_bytes)
    sizes = {dim.name: dim.suggested for dim in described.dims}
    flops = flops_of(path, sizes, {spec.name: spec.shape for spec in described.inputs})
    return replace(described, flops=flops, flops_at=sizes)


def describe_facts(model: ModelFacts, size_bytes: int) -> ModelDescription:
    """The description from the facts alone: no library, no FLOPs."""
    graph = model.main
    weights = list(_weights(model))
    operators = Counter(_operator(normal_domain(node.domain), node.op) for node in each_node(graph.nodes))
    return ModelDescription(
        format="onnx",
        inputs=signature(real_inputs(graph)),
        outputs=signature(graph.outputs),
        operators=dict(sorted(operators.items())),
        nodes=operators.total(),
        parameters=sum(tensor.elements for tensor in weights),
        parameter_bytes=sum(tensor.size_bytes for tensor in weights),
        size_bytes=size_bytes,
        dims=dims_of(graph),
        precision=_precision(weights, operators.keys()),
        deterministic=not RANDOM_OPS & operators.keys(),
        ir_version=model.ir_version,
        opsets=dict(model.opsets),
        producer=safe_name(model.producer, 80),
    )


def _operator(domain: str, op: str) -> str:
    return safe_name(f"{domain}.{op}" if domain else op)


def _weights(model: ModelFacts) -> Iterable[TensorFacts]:
    """Initializers of the main graph, and constants with more than one element."""
    yield from model.main.initializers
    for node in each_node(model.main.nodes):
        yield from (tensor for tensor in node.tensors.values() if tensor.elements > 1)
        for inner in node.graphs:
            yield from inner.initializers


def _precision(weights: list[TensorFacts], operators: Iterable[str]) -> str:
    """The type of most weight bytes; int8 where the graph quantizes."""
    if QUANTIZED_OPS & set(operators):
        return "int8"
    sizes: Counter[str] = Counter()
    for tensor in weights:
        precision = _PRECISIONS.get(DTYPES[tensor.dtype][0])
        if precision:
            sizes[precision] += tensor.size_bytes
    floats = [(size, name) for name, size in sizes.items() if name != "int8"]
    return max(floats)[1] if floats else ("int8" if sizes else "fp32")


def findings_of(path: Path, model: ModelFacts, described: ModelDescription) -> tuple[Finding, ...]:
    """Warnings and remarks; none of these rejects the model."""
    from optimizers.formats.onnx.weights import non_finite

    found = []
    floats = [tensor for tensor in each_tensor(model) if tensor.elements]
    if names := non_finite(path, floats):
        found.append(_finding("NON_FINITE_WEIGHTS", Severity.WARNING, ", ".join(names[:5])))
    if not described.deterministic:
        random = ", ".join(sorted(RANDOM_OPS & described.operators.keys()))
        found.append(_finding("NONDETERMINISTIC", Severity.WARNING, random))
    if described.precision == "int8":
        found.append(_finding("ALREADY_QUANTIZED", Severity.INFO))
    empty = [spec.name for spec in described.inputs if 0 in spec.shape]
    found += [_finding("EMPTY_INPUT", Severity.WARNING, name) for name in empty]
    ranked = [spec for spec in described.inputs if len(spec.shape) >= 2]
    if ranked and not any(dim.is_batch for dim in described.dims):
        found.append(_finding("STATIC_BATCH", Severity.INFO, ranked[0].name))
    return tuple(found)


def _finding(code: str, severity: Severity, where: str = "") -> Finding:
    kind = CATALOG[code]
    return Finding(code, severity, kind.message, kind.hint, safe_name(where))
