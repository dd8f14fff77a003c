"""Which values an input may take, inferred from what the graph does with it.

An index into an embedding stays within its rows; a number that is compared with a constant is that constant;
an input of a one-hot stays below its depth. What stays unknown follows from the type and the name.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from optimizers.formats.onnx.facts import (
    DTYPES,
    ModelFacts,
    NodeFacts,
    TensorFacts,
    ValueFacts,
    each_graph,
    each_node,
)
from optimizers.formats.onnx.walk import opened
from optimizers.formats.onnx.wire import Buffer, signed, varint

_PASSES_ON = {
    "Cast", "Identity", "Reshape", "Unsqueeze", "Squeeze", "Transpose", "Slice", "Flatten", "Expand", "Tile",
    "Concat", "Split",
}  # fmt: skip
_MASK = re.compile(r"mask|valid", re.I)
_SEGMENT = re.compile(r"token_type|segment", re.I)
_MAX_STEPS = 200
_UNKNOWN_INTEGERS = 2


@dataclass(frozen=True)
class Range:
    """`normal`: floats, mean 0, deviation 1. `integers`: low <= x < high. `value`: always low."""

    kind: str
    low: int = 0
    high: int = 0


NORMAL = Range("normal")


def input_ranges(path: Path, model: ModelFacts, inputs: list[ValueFacts]) -> dict[str, Range]:
    """The range of each input by name. Reads small constants from the model file."""
    finder = _Finder(model)
    with opened(path) as buffer:
        return {value.name: _range_of(value, finder, buffer) for value in inputs}


def _range_of(value: ValueFacts, finder: _Finder, buffer: Buffer) -> Range:
    dtype = DTYPES[value.dtype][0]
    if "float" in dtype:
        return NORMAL
    if dtype == "bool":
        return Range("value", 1)
    found = finder.bound(value.name, buffer)
    if _MASK.search(value.name) and (found is None or found.high > 1):
        return Range("value", 1)
    if _SEGMENT.search(value.name):
        return Range("value", 0)
    if found is not None:
        return found
    if dtype in ("uint8", "int8"):
        return Range("integers", 0, 256) if dtype == "uint8" else Range("integers", -128, 128)
    return Range("integers", 0, _UNKNOWN_INTEGERS) if value.shape else Range("value", 1)


class _Finder:
    """Follows a tensor to the operators that bound its values."""

    def __init__(self, model: ModelFacts) -> None:
        self._users: dict[str, list[tuple[NodeFacts, int]]] = {}
        self._makers: dict[str, NodeFacts] = {}
        self._constants: dict[str, TensorFacts] = {}
        for graph in each_graph(model.main):
            self._constants |= {tensor.name: tensor for tensor in graph.initializers}
        for node in each_node(model.main.nodes):
            for index, name in enumerate(node.inputs):
                self._users.setdefault(name, []).append((node, index))
            self._makers |= dict.fromkeys(node.outputs, node)
            if node.op == "Constant" and "value" in node.tensors and node.outputs:
                self._constants[node.outputs[0]] = node.tensors["value"]

    def bound(self, name: str, buffer: Buffer) -> Range | None:
        """The narrowest range that an operator downstream asks for, None where none does."""
        queue, seen, ranges = [name], {name}, []
        while queue and len(seen) < _MAX_STEPS:
            for node, index in self._users.get(queue.pop(), ()):
                found = self._asks(node, index, buffer)
                if found is not None:
                    ranges.append(found)
                elif node.op in _PASSES_ON and (index == 0 or node.op == "Concat"):
                    fresh = [output for output in node.outputs if output and output not in seen]
                    seen.update(fresh)
                    queue += fresh
        return min(ranges, key=lambda found: found.high - found.low, default=None)

    def _asks(self, node: NodeFacts, index: int, buffer: Buffer) -> Range | None:
        if node.op == "Gather" and index == 1:
            dims = self._dims(node.inputs[0])
            axis = node.ints.get("axis", 0)
            return (
                Range("integers", 0, max(dims[axis], 1)) if dims and -len(dims) <= axis < len(dims) else None
            )
        if node.op == "OneHot" and index == 0 and len(node.inputs) > 1:
            depth = self._scalar(node.inputs[1], buffer)
            return Range("integers", 0, depth) if depth and depth > 0 else None
        if node.op == "Equal" and len(node.inputs) == 2:
            wanted = self._scalar(node.inputs[1 - index], buffer)
            return Range("value", wanted, wanted) if wanted else None
        return None

    def _dims(self, name: str) -> tuple[int, ...]:
        """Dimensions of a constant, also behind a DequantizeLinear, Cast or the like."""
        for _ in range(4):
            if name in self._constants:
                return self._constants[name].dims
            maker = self._makers.get(name)
            if maker is None or maker.op not in ("DequantizeLinear", "Cast", "Identity") or not maker.inputs:
                return ()
            name = maker.inputs[0]
        return ()

    def _scalar(self, name: str, buffer: Buffer) -> int | None:
        tensor = self._constants.get(name)
        return integer_of(tensor, buffer) if tensor is not None and tensor.elements == 1 else None


_FORMATS: Mapping[str, str] = {
    "int64": "<q", "int32": "<i", "uint8": "<B", "int8": "<b", "float32": "<f", "float64": "<d"
}  # fmt: skip


def integer_of(tensor: TensorFacts, buffer: Buffer) -> int | None:
    """The value of a one-element tensor that lies in the model file, None where it cannot be read so."""
    form = _FORMATS.get(DTYPES[tensor.dtype][0])
    if form is None or tensor.is_external:
        return None
    span = tensor.raw or tensor.spans.get(4) or tensor.spans.get(10)
    if span is not None and span[1] - span[0] == struct.calcsize(form):
        return int(struct.unpack(form, bytes(buffer[span[0] : span[1]]))[0])
    span = tensor.spans.get(7) or tensor.spans.get(5)
    return signed(varint(buffer, *span)[0]) if span is not None else None
