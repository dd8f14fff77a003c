"""The static checks: everything that can be refused from the facts, before any library sees the file.

Order: versions, functions, sizes after expansion, types and shapes, tensors' data, then names and cycles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from optimizers.formats.onnx.facts import (
    DTYPES,
    FunctionFacts,
    GraphFacts,
    ModelFacts,
    NodeFacts,
    TensorFacts,
    ValueFacts,
    each_graph,
    each_node,
    each_tensor,
    normal_domain,
)
from optimizers.formats.onnx.walk import MAX_NODES
from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_name

MAX_IR_VERSION = 14
MAX_OPSET = 28
MAX_ELEMENTS = 1 << 48
STANDARD_DOMAINS = ("", "ai.onnx.ml")
# Contrib operators that engines write themselves when they fuse or quantize.
ENGINE_DOMAINS = ("com.microsoft",)


def check_facts(model: ModelFacts) -> None:
    """Raise the first thing that is wrong."""
    _versions(model)
    _expansion(model)
    _domains(model)
    for graph in each_graph(model.main):
        for value in (*graph.inputs, *graph.outputs):
            _shape(value)
    _typed_inputs(model.main)
    for tensor in each_tensor(model):
        check_tensor(tensor)
    _wiring(model.main, ())
    for function in model.functions:
        body = GraphFacts(nodes=function.nodes, inputs=[ValueFacts(name) for name in function.inputs])
        _wiring(body, ())


def _versions(model: ModelFacts) -> None:
    if model.ir_version is not None and model.ir_version > MAX_IR_VERSION:
        message = f"The model has IR version {model.ir_version}; up to {MAX_IR_VERSION} can be read."
        raise WhetstoneFailure("IR_TOO_NEW", message, ir_version=model.ir_version, maximum=MAX_IR_VERSION)
    used = {normal_domain(node.domain) for node in each_node(model.main.nodes)}
    if not model.opsets or ("" in used and "" not in model.opsets):
        raise WhetstoneFailure("NO_OPSET")
    opset = model.opsets.get("", 1)
    if opset > MAX_OPSET or opset < 1:
        message = f"The model uses opset {opset}; the engines here read 1 to {MAX_OPSET}."
        raise WhetstoneFailure("OPSET_UNSUPPORTED", message, opset=opset, maximum=MAX_OPSET)


def _expansion(model: ModelFacts) -> None:
    """Nodes after all functions are expanded, by a product that is remembered per function."""
    functions = {function.key: function for function in model.functions}
    sizes: dict[tuple[str, str, str], int] = {}
    for function in model.functions:
        _size_of(function, functions, sizes)
    total = _size(model.main.nodes, sizes)
    if total > MAX_NODES:
        message = f"The graph has more than {MAX_NODES:,} nodes once its functions are expanded."
        raise WhetstoneFailure("GRAPH_TOO_LARGE", message)


def _size_of(
    root: FunctionFacts,
    functions: dict[tuple[str, str, str], FunctionFacts],
    sizes: dict[tuple[str, str, str], int],
) -> None:
    """Fill `sizes` for `root` and what it calls; a stack of its own, since calls can be deep."""
    open_now: set[tuple[str, str, str]] = set()
    stack = [(root, False)]
    while stack:
        function, ready = stack.pop()
        key = function.key
        if ready:
            sizes[key] = _size(function.nodes, sizes)
            open_now.discard(key)
        elif key not in sizes:
            if key in open_now:
                raise WhetstoneFailure(
                    "FUNCTION_CYCLE", f"Function '{safe_name(function.name, 80)}' calls itself."
                )
            open_now.add(key)
            stack.append((function, True))
            callees = {node.callee for node in each_node(function.nodes)} & functions.keys()
            if callees & open_now:
                raise WhetstoneFailure(
                    "FUNCTION_CYCLE", f"Function '{safe_name(function.name, 80)}' calls itself."
                )
            stack += [(functions[callee], False) for callee in callees if callee not in sizes]


def _size(nodes: list[NodeFacts], sizes: dict[tuple[str, str, str], int]) -> int:
    return sum(1 + sizes.get(node.callee, 0) for node in each_node(nodes))


def _domains(model: ModelFacts) -> None:
    known = {function.key[:2] for function in model.functions}
    bodies = [model.main.nodes, *(function.nodes for function in model.functions)]
    for nodes in bodies:
        for node in each_node(nodes):
            domain = normal_domain(node.domain)
            if domain in STANDARD_DOMAINS or domain in ENGINE_DOMAINS or (domain, node.op) in known:
                continue
            where = f"{safe_name(domain, 80)}.{safe_name(node.op, 80)}"
            message = f"Node '{safe_name(node.name, 80)}' uses the custom operator {where}."
            raise WhetstoneFailure(
                "CUSTOM_OP_UNSUPPORTED", message, operator=where, node=safe_name(node.name)
            )


def _typed_inputs(graph: GraphFacts) -> None:
    for value in (*graph.inputs, *graph.outputs):
        if not value.kind:
            raise WhetstoneFailure("MISSING_TYPE", f"'{safe_name(value.name, 80)}' has no type.")
        if value.kind == "tensor" and value.dtype not in DTYPES:
            raise _unknown_dtype(value.name, value.dtype)
    initialized = {tensor.name for tensor in graph.initializers}
    for value in graph.inputs:
        if value.kind == "tensor" and value.shape is None and value.name not in initialized:
            raise WhetstoneFailure("MISSING_TYPE", f"Input '{safe_name(value.name, 80)}' has no shape.")


def _unknown_dtype(name: str, dtype: int) -> WhetstoneFailure:
    message = f"'{safe_name(name, 80)}' has data type {dtype}, which ONNX does not define."
    return WhetstoneFailure("UNKNOWN_DTYPE", message, dtype=dtype)


def _shape(value: ValueFacts) -> None:
    fixed = [dim for dim in value.shape or () if isinstance(dim, int)]
    if any(dim < -1 for dim in fixed):
        raise WhetstoneFailure("BAD_SHAPE", f"'{safe_name(value.name, 80)}' has a negative size.")
    if math.prod(abs(dim) for dim in fixed if dim) >= 1 << 62:
        raise WhetstoneFailure("BAD_SHAPE", f"'{safe_name(value.name, 80)}' is too large to be real.")


def check_tensor(tensor: TensorFacts) -> None:
    """Data type, dimensions and, for data inside the file, that data and dimensions agree."""
    name = safe_name(tensor.name or "a constant", 80)
    if tensor.dtype not in DTYPES:
        raise _unknown_dtype(tensor.name or "a constant", tensor.dtype)
    if any(dim < 0 for dim in tensor.dims):
        raise WhetstoneFailure("BAD_SHAPE", f"Tensor '{name}' has a negative size.")
    if tensor.elements > MAX_ELEMENTS:
        raise WhetstoneFailure("BAD_SHAPE", f"Tensor '{name}' has {tensor.elements:.3g} elements.")
    if tensor.is_external:
        return
    if tensor.raw is not None:
        has, wants = tensor.raw[1] - tensor.raw[0], tensor.size_bytes
    else:
        has, wants = sum(tensor.counts.values()), _typed_count(tensor)
        if any(number != _typed_field(tensor.dtype) for number, count in tensor.counts.items() if count):
            raise WhetstoneFailure("DATA_SIZE_MISMATCH", f"Tensor '{name}' keeps its data in a wrong field.")
    if has != wants or (tensor.raw is not None and DTYPES[tensor.dtype][0] == "string"):
        unit = "bytes" if tensor.raw is not None else "values"
        message = f"Tensor '{name}' has {has:,} {unit} of data; its shape needs {wants:,}."
        raise WhetstoneFailure("DATA_SIZE_MISMATCH", message)


def _typed_field(dtype: int) -> int:
    """The field of TensorProto that holds this type's values when raw_data does not."""
    name = DTYPES[dtype][0]
    fields = {"float32": 4, "complex64": 4, "float64": 10, "complex128": 10, "int64": 7, "string": 6}
    return fields.get(name, 11 if name in ("uint32", "uint64") else 5)


def _typed_count(tensor: TensorFacts) -> int:
    name, bits = DTYPES[tensor.dtype]
    if name.startswith("complex"):
        return 2 * tensor.elements
    if bits in (2, 4):
        per = 8 // bits
        return (tensor.elements + per - 1) // per
    return tensor.elements


def _wiring(graph: GraphFacts, outer: tuple[set[str], ...]) -> None:
    """Every input is produced before it is read; tells a cycle from a name that nothing produces."""
    known = {value.name for value in graph.inputs}
    known |= {tensor.name for tensor in graph.initializers} | set(graph.sparse_names)
    scopes = (*outer, known)
    for node in graph.nodes:
        for name in node.inputs:
            if name and not any(name in scope for scope in scopes):
                raise _missing(graph, node, name)
        for inner in node.graphs:
            _wiring(inner, scopes)
        known.update(node.outputs)
    for value in graph.outputs:
        if value.name and not any(value.name in scope for scope in scopes):
            raise WhetstoneFailure(
                "DANGLING_INPUT", f"Nothing produces the output '{safe_name(value.name, 80)}'."
            )


def _missing(graph: GraphFacts, node: NodeFacts, name: str) -> WhetstoneFailure:
    shown, tensor = safe_name(node.name or node.op, 80), safe_name(name, 80)
    produced = {output for each in graph.nodes for output in each.outputs}
    if name not in produced:
        message = f"Node '{shown}' reads '{tensor}', which nothing produces."
        return WhetstoneFailure("DANGLING_INPUT", message, node=shown, tensor=tensor)
    stuck = _unsortable(graph.nodes)
    if stuck is not None:
        return WhetstoneFailure(
            "GRAPH_CYCLE", f"Node '{safe_name(stuck.name or stuck.op, 80)}' is part of a cycle."
        )
    return WhetstoneFailure(
        "INVALID_GRAPH", f"Node '{shown}' stands before the one that produces '{tensor}'."
    )


def _unsortable(nodes: list[NodeFacts]) -> NodeFacts | None:
    """A node on a cycle, or None where some order works (Kahn's algorithm)."""
    producer = {output: index for index, node in enumerate(nodes) for output in node.outputs if output}
    needs = [{producer[name] for name in _reads(node) if name in producer} for node in nodes]
    users: dict[int, list[int]] = {}
    for index, needed in enumerate(needs):
        for each in needed:
            users.setdefault(each, []).append(index)
    waiting = [len(needed) for needed in needs]
    ready = [index for index, count in enumerate(waiting) if count == 0]
    while ready:
        for user in users.get(ready.pop(), ()):
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    return next((nodes[index] for index, count in enumerate(waiting) if count > 0), None)


def _reads(node: NodeFacts) -> Iterable[str]:
    yield from node.inputs
    for graph in node.graphs:
        for inner in each_node(graph.nodes):
            yield from inner.inputs
