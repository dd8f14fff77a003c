"""Floating-point operations of one inference, a multiply-add as two, at bound sizes.

Counted: convolutions, matrix products and recurrent layers, which hold nearly all of the work; element-wise
operators are left out, as is usual. Shapes come from ONNX's own inference. None where the shape of a
counted operator stays unknown, or work sits in a loop or in an operator with no known formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_BIG = 1 << 16
_NO_FORMULA = {
    "Einsum",
    "Attention",
    "MultiHeadAttention",
    "GroupQueryAttention",
    "DeformConv",
    "LinearAttention",
}
Shape = tuple[int, ...]
Shapes = Mapping[str, Shape]


class _Uncountable(Exception):
    pass


def flops_of(path: Path, dims: Mapping[str, int], names: Mapping[str, tuple[int | str, ...]]) -> int | None:
    """Operations with inputs bound: `names` maps an input to its axes as in the signature."""
    import onnx

    model = onnx.load(str(path), load_external_data=False)
    _forget_weights(model.graph)
    for value in model.graph.input:
        axes = names.get(value.name)
        if axes is not None:
            _bind(value, tuple(dims.get(axis, -1) if isinstance(axis, str) else axis for axis in axes))
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    try:
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
        return _graph_flops(inferred.graph, {})
    except (_Uncountable, onnx.shape_inference.InferenceError, RuntimeError, ValueError):
        return None


def _forget_weights(graph: Any) -> None:
    """Drop the data of large weights: shapes are all that inference needs, and a copy is made of the rest."""
    for tensor in graph.initializer:
        if len(tensor.raw_data) > _BIG:
            tensor.ClearField("raw_data")
            tensor.data_location = 0
        if len(tensor.float_data) > _BIG:
            tensor.ClearField("float_data")


def _bind(value: Any, sizes: Shape) -> None:
    for dim, size in zip(value.type.tensor_type.shape.dim, sizes, strict=False):
        dim.ClearField("dim_param")
        dim.dim_value = size


def _graph_flops(graph: Any, outer: Shapes) -> int:
    shapes = dict(outer)
    for tensor in graph.initializer:
        shapes[tensor.name] = tuple(tensor.dims)
    for value in (*graph.input, *graph.value_info, *graph.output):
        shape = value.type.tensor_type.shape
        if value.type.tensor_type.HasField("shape") and all(d.HasField("dim_value") for d in shape.dim):
            shapes[value.name] = tuple(d.dim_value for d in shape.dim)
    for node in graph.node:
        _constant_shape(node, shapes)
    return sum(_node_flops(node, shapes) for node in graph.node)


def _constant_shape(node: Any, shapes: dict[str, Shape]) -> None:
    if node.op_type == "Constant":
        for attribute in node.attribute:
            if attribute.HasField("t"):
                shapes[node.output[0]] = tuple(attribute.t.dims)


def _node_flops(node: Any, shapes: Shapes) -> int:
    inner = [a.g for a in node.attribute if a.HasField("g")]
    if inner:
        counts = [_graph_flops(graph, shapes) for graph in inner]
        if node.op_type != "If" and any(counts):
            raise _Uncountable  # a loop's number of turns is not known
        return max(counts)
    if node.op_type in _NO_FORMULA:
        raise _Uncountable
    count = _FORMULAS.get(node.op_type)
    return count(node, shapes) if count else 0


def _known(shapes: Shapes, name: str) -> Shape:
    shape = shapes.get(name)
    if shape is None or any(size < 0 for size in shape):
        raise _Uncountable
    return shape


def _convolution(weight: int) -> Callable[[Any, Shapes], int]:
    """2 x output elements x input channels of a group x kernel."""

    def count(node: Any, shapes: Shapes) -> int:
        kernel = _known(shapes, node.input[weight])
        return 2 * math.prod(_known(shapes, node.output[0])) * math.prod(kernel[1:])

    return count


def _transposed(node: Any, shapes: Shapes) -> int:
    """Each input element meets every weight of its channel once: W is [in, out / group, kernel...]."""
    kernel = _known(shapes, node.input[1])
    return 2 * math.prod(_known(shapes, node.input[0])) * math.prod(kernel[1:])


def _product(left: int) -> Callable[[Any, Shapes], int]:
    """2 x output elements x the inner size, which is the last axis of the left side."""

    def count(node: Any, shapes: Shapes) -> int:
        inner = _known(shapes, node.input[left])[-1]
        return 2 * math.prod(_known(shapes, node.output[0])) * inner

    return count


def _gemm(node: Any, shapes: Shapes) -> int:
    transposed = any(a.name == "transA" and a.i for a in node.attribute)
    left = _known(shapes, node.input[0])
    return 2 * math.prod(_known(shapes, node.output[0])) * left[0 if transposed else 1]


def _recurrent(node: Any, shapes: Shapes) -> int:
    """2 x steps x batch x the weights W and R (all directions)."""
    steps, batch = _known(shapes, node.input[0])[:2]
    weights = math.prod(_known(shapes, node.input[1])) + math.prod(_known(shapes, node.input[2]))
    return 2 * steps * batch * weights


_FORMULAS: Mapping[str, Callable[[Any, Shapes], int]] = {
    "Conv": _convolution(1),
    "FusedConv": _convolution(1),
    "ConvInteger": _convolution(1),
    "QLinearConv": _convolution(3),
    "ConvTranspose": _transposed,
    "MatMul": _product(0),
    "FusedMatMul": _product(0),
    "MatMulInteger": _product(0),
    "QLinearMatMul": _product(0),
    "Gemm": _gemm,
    "LSTM": _recurrent,
    "GRU": _recurrent,
    "RNN": _recurrent,
}
