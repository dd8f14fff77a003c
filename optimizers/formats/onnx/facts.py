"""What the walk over the bytes found: plain facts, no tensor data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

# TensorProto.DataType -> (numpy's name, bits per element, 0 for strings)
DTYPES: dict[int, tuple[str, int]] = {
    1: ("float32", 32),
    2: ("uint8", 8),
    3: ("int8", 8),
    4: ("uint16", 16),
    5: ("int16", 16),
    6: ("int32", 32),
    7: ("int64", 64),
    8: ("string", 0),
    9: ("bool", 8),
    10: ("float16", 16),
    11: ("float64", 64),
    12: ("uint32", 32),
    13: ("uint64", 64),
    14: ("complex64", 64),
    15: ("complex128", 128),
    16: ("bfloat16", 16),
    17: ("float8e4m3fn", 8),
    18: ("float8e4m3fnuz", 8),
    19: ("float8e5m2", 8),
    20: ("float8e5m2fnuz", 8),
    21: ("uint4", 4),
    22: ("int4", 4),
    23: ("float4e2m1", 4),
    24: ("float8e8m0", 8),
    25: ("uint2", 2),
    26: ("int2", 2),
}


@dataclass(slots=True)
class TensorFacts:
    """An initializer or an attribute's tensor. `raw` is the span of raw_data in the file; `counts` the
    elements in the typed data fields by field number, `spans` where those lie when packed; `external`
    the keys of external_data as given."""

    name: str = ""
    dtype: int = 0
    dims: tuple[int, ...] = ()
    raw: tuple[int, int] | None = None
    counts: dict[int, int] = field(default_factory=dict)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    external: list[tuple[str, str]] = field(default_factory=list)
    is_external: bool = False

    @property
    def elements(self) -> int:
        total = 1
        for dim in self.dims:
            total *= dim
        return total

    @property
    def size_bytes(self) -> int:
        _, bits = DTYPES.get(self.dtype, ("", 0))
        return (self.elements * bits + 7) // 8


@dataclass(slots=True)
class ValueFacts:
    """A graph's input or output. `dtype` is 0 and `shape` None where the file says nothing."""

    name: str
    dtype: int = 0
    shape: tuple[int | str | None, ...] | None = None
    kind: str = ""


@dataclass(slots=True)
class NodeFacts:
    op: str = ""
    domain: str = ""
    name: str = ""
    overload: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    ints: dict[str, int] = field(default_factory=dict)
    tensors: dict[str, TensorFacts] = field(default_factory=dict)
    graphs: list[GraphFacts] = field(default_factory=list)

    @property
    def callee(self) -> tuple[str, str, str]:
        return (normal_domain(self.domain), self.op, self.overload)


@dataclass(slots=True)
class GraphFacts:
    name: str = ""
    nodes: list[NodeFacts] = field(default_factory=list)
    inputs: list[ValueFacts] = field(default_factory=list)
    outputs: list[ValueFacts] = field(default_factory=list)
    initializers: list[TensorFacts] = field(default_factory=list)
    sparse_names: list[str] = field(default_factory=list)


@dataclass(slots=True)
class FunctionFacts:
    domain: str = ""
    name: str = ""
    overload: str = ""
    inputs: list[str] = field(default_factory=list)
    nodes: list[NodeFacts] = field(default_factory=list)
    opsets: dict[str, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        return (normal_domain(self.domain), self.name, self.overload)


@dataclass(slots=True)
class ModelFacts:
    """`size_bytes` is the model file's alone."""

    size_bytes: int
    ir_version: int | None = None
    producer: str = ""
    opsets: dict[str, int] = field(default_factory=dict)
    graph: GraphFacts | None = None
    functions: list[FunctionFacts] = field(default_factory=list)

    @property
    def main(self) -> GraphFacts:
        assert self.graph is not None, "checked right after the walk"
        return self.graph


def normal_domain(domain: str) -> str:
    return "" if domain == "ai.onnx" else domain


def each_node(nodes: list[NodeFacts]) -> Iterator[NodeFacts]:
    """Every node, those of subgraphs too."""
    for node in nodes:
        yield node
        for graph in node.graphs:
            yield from each_node(graph.nodes)


def each_graph(graph: GraphFacts) -> Iterator[GraphFacts]:
    yield graph
    for node in graph.nodes:
        for inner in node.graphs:
            yield from each_graph(inner)


def each_tensor(model: ModelFacts) -> Iterator[TensorFacts]:
    """Every tensor with data: initializers of all graphs, tensors in attributes, functions' too."""
    for graph in each_graph(model.main):
        yield from graph.initializers
    nodes = each_node(model.main.nodes)
    for node in nodes:
        yield from node.tensors.values()
    for function in model.functions:
        for node in each_node(function.nodes):
            yield from node.tensors.values()
            for graph in node.graphs:
                yield from graph.initializers
