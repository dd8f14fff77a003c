"""From bytes to facts, without the onnx library: bounded in depth, nodes and fields, nothing copied.

Field numbers are those of onnx.proto (IR version 14). A field that is not listed is skipped by its length;
one of the wrong wire type makes the file NOT_A_MODEL or MALFORMED.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from optimizers.formats.onnx.facts import (
    FunctionFacts,
    GraphFacts,
    ModelFacts,
    NodeFacts,
    TensorFacts,
    ValueFacts,
)
from optimizers.formats.onnx.wire import (
    BYTES,
    VARINT,
    Buffer,
    WireError,
    count_varints,
    fields,
    packed_varints,
    signed,
    text,
)
from optimizers.spec.errors import WhetstoneFailure

T = TypeVar("T")

MAX_DEPTH = 32
MAX_NODES = 100_000
MAX_FIELDS = 10_000_000
MAX_INTS_KEPT = 16
_TOP_LEVEL = {1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26}
_TYPE_KINDS = {1: "tensor", 4: "sequence", 5: "map", 8: "sparse", 9: "optional"}
# Typed data fields of TensorProto: float, int32, int64, double, uint64; strings are counted one by one.
_FIXED_WIDTH = {4: 4, 10: 8}
_VARINT_FIELDS = {5, 7, 11}


@contextmanager
def opened(path: Path) -> Iterator[Buffer]:
    """The file's bytes, mapped and read-only."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        view = memoryview(mapped)
        try:
            yield view
        finally:
            view.release()


def walk(path: Path) -> ModelFacts:
    """Read a model file's structure; raises NOT_A_MODEL, TRUNCATED, MALFORMED, NESTING_TOO_DEEP,
    GRAPH_TOO_LARGE or NO_GRAPH."""
    with opened(path) as buffer:
        return _Walker(buffer).model()


class _Walker:
    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._fields = 0
        self._nodes = 0

    def model(self) -> ModelFacts:
        size = len(self._buffer)
        found = ModelFacts(size)
        try:
            for number, wire, value, end in fields(self._buffer, 0, size):
                if number not in _TOP_LEVEL:
                    raise WireError(f"field {number}")
                self._model_field(found, number, wire, value, end)
        except WireError as error:
            raise self._refusal(found, error) from None
        if found.graph is None:
            if found.ir_version is None and not found.opsets:
                raise WhetstoneFailure("NOT_A_MODEL")
            raise WhetstoneFailure("NO_GRAPH")
        return found

    def _refusal(self, found: ModelFacts, error: WireError) -> WhetstoneFailure:
        """TRUNCATED where the file reads as ONNX up to a top-level field that is longer than the file."""
        size = len(self._buffer)
        started = found.ir_version is not None and found.ir_version < 1000
        if started and error.needed is not None and error.needed > size:
            message = f"The file has {size:,} bytes; the model in it says it has at least {error.needed:,}."
            return WhetstoneFailure("TRUNCATED", message, size_bytes=size, declared_bytes=error.needed)
        if started:
            return WhetstoneFailure("MALFORMED", f"The file is no valid protobuf message: {error}.")
        return WhetstoneFailure("NOT_A_MODEL", "The bytes are those of no known model format.")

    def _model_field(self, found: ModelFacts, number: int, wire: int, value: int, end: int) -> None:
        if number == 1 and wire == VARINT:
            found.ir_version = signed(value)
        elif number in (1, 5) or (wire != BYTES):
            if wire != VARINT:
                raise WireError(f"field {number} of the model has wire type {wire}")
        elif number in (2, 3):
            found.producer = f"{found.producer} {text(self._buffer, value, min(end, value + 512))}".strip()
        elif number == 7:
            if found.graph is not None:
                raise WhetstoneFailure("INVALID_GRAPH", "The file holds two graphs in one model.")
            found.graph = self.graph(value, end, 1)
        elif number == 8:
            self._opset(found.opsets, value, end)
        elif number == 25:
            found.functions.append(self.function(value, end))

    def _each(self, at: int, end: int, handlers: dict[int, Callable[[int, int, int], None]]) -> None:
        """Call the handler of each known field with (wire type, value or start, end)."""
        for number, wire, value, stop in fields(self._buffer, at, end):
            self._fields += 1
            if self._fields > MAX_FIELDS:
                raise WhetstoneFailure("GRAPH_TOO_LARGE", f"The file has more than {MAX_FIELDS:,} fields.")
            handler = handlers.get(number)
            if handler is not None:
                handler(wire, value, stop)

    def _text(self, wire: int, at: int, end: int) -> str:
        if wire != BYTES:
            raise WireError("a name is no text")
        return text(self._buffer, at, end)

    def _opset(self, opsets: dict[str, int], at: int, end: int) -> None:
        domain, version = "", 0
        for number, wire, value, stop in fields(self._buffer, at, end):
            if number == 1:
                domain = self._text(wire, value, stop)
            elif number == 2 and wire == VARINT:
                version = signed(value)
        opsets["" if domain == "ai.onnx" else domain] = version

    def graph(self, at: int, end: int, depth: int) -> GraphFacts:
        if depth > MAX_DEPTH:
            raise WhetstoneFailure("NESTING_TOO_DEEP", f"Subgraphs are nested more than {MAX_DEPTH} deep.")
        found = GraphFacts()

        def sparse(wire: int, start: int, stop: int) -> None:
            found.sparse_names.append(self._sparse(start, stop).name)

        def named(wire: int, start: int, stop: int) -> None:
            found.name = self._text(wire, start, stop)

        self._each(at, end, {
            1: lambda w, a, e: found.nodes.append(self._nested(w, a, e, self.node, depth)),
            2: named,
            5: lambda w, a, e: found.initializers.append(self._nested(w, a, e, self.tensor, depth)),
            11: lambda w, a, e: found.inputs.append(self._nested(w, a, e, self.value, depth)),
            12: lambda w, a, e: found.outputs.append(self._nested(w, a, e, self.value, depth)),
            15: sparse,
        })  # fmt: skip
        return found

    @staticmethod
    def _nested(wire: int, at: int, end: int, read: Callable[[int, int, int], T], depth: int) -> T:
        if wire != BYTES:
            raise WireError("a message is expected")
        return read(at, end, depth)

    def node(self, at: int, end: int, depth: int) -> NodeFacts:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise WhetstoneFailure("GRAPH_TOO_LARGE", f"The graph has more than {MAX_NODES:,} nodes.")
        found = NodeFacts()
        for number, wire, value, stop in fields(self._buffer, at, end):
            self._fields += 1
            if number == 1:
                found.inputs.append(self._text(wire, value, stop))
            elif number == 2:
                found.outputs.append(self._text(wire, value, stop))
            elif number == 3:
                found.name = self._text(wire, value, stop)
            elif number == 4:
                found.op = self._text(wire, value, stop)
            elif number == 5 and wire == BYTES:
                self._attribute(found, value, stop, depth)
            elif number == 7:
                found.domain = self._text(wire, value, stop)
            elif number == 8:
                found.overload = self._text(wire, value, stop)
        return found

    def _attribute(self, node: NodeFacts, at: int, end: int, depth: int) -> None:
        name = ""
        tensors: list[TensorFacts] = []
        number_found: int | None = None
        for number, wire, value, stop in fields(self._buffer, at, end):
            self._fields += 1
            if number == 1:
                name = self._text(wire, value, stop)
            elif number == 3 and wire == VARINT:
                number_found = signed(value)
            elif number in (5, 10) and wire == BYTES:
                tensors.append(self.tensor(value, stop, depth))
            elif number in (6, 11) and wire == BYTES:
                node.graphs.append(self.graph(value, stop, depth + 1))
            elif number in (22, 23) and wire == BYTES:
                tensors.append(self._sparse(value, stop))
        if number_found is not None and len(node.ints) < MAX_INTS_KEPT:
            node.ints[name] = number_found
        for index, tensor in enumerate(tensors):
            node.tensors[name if index == 0 else f"{name}[{index}]"] = tensor

    def tensor(self, at: int, end: int, depth: int = 0) -> TensorFacts:
        found = TensorFacts()
        dims: list[int] = []
        for number, wire, value, stop in fields(self._buffer, at, end):
            self._fields += 1
            if number == 1:
                dims += [value] if wire == VARINT else packed_varints(self._buffer, value, stop)
            elif number == 2 and wire == VARINT:
                found.dtype = signed(value)
            elif number == 8:
                found.name = self._text(wire, value, stop)
            elif number == 9 and wire == BYTES:
                found.raw = (value, stop)
            elif number == 13 and wire == BYTES:
                found.external.append(self._pair(value, stop))
            elif number == 14 and wire == VARINT:
                found.is_external = value == 1
            else:
                self._typed_data(found, number, wire, value, stop)
        found.dims = tuple(signed(dim) for dim in dims)
        return found

    def _typed_data(self, found: TensorFacts, number: int, wire: int, value: int, stop: int) -> None:
        """Count the elements in float_data and its like; packed and unpacked forms both."""
        if number in _FIXED_WIDTH:
            count = (stop - value) // _FIXED_WIDTH[number] if wire == BYTES else 1
        elif number in _VARINT_FIELDS:
            count = count_varints(self._buffer, value, stop) if wire == BYTES else 1
        elif number == 6:
            count = 1
        else:
            return
        found.counts[number] = found.counts.get(number, 0) + count
        if wire == BYTES:
            found.spans[number] = (value, stop)

    def _pair(self, at: int, end: int) -> tuple[str, str]:
        key = value_text = ""
        for number, wire, value, stop in fields(self._buffer, at, end):
            if number == 1:
                key = self._text(wire, value, stop)
            elif number == 2:
                value_text = self._text(wire, value, stop)
        return key, value_text

    def _sparse(self, at: int, end: int) -> TensorFacts:
        """The values of a sparse tensor: they carry its name."""
        found = TensorFacts()
        for number, wire, value, stop in fields(self._buffer, at, end):
            if number == 1 and wire == BYTES:
                found = self.tensor(value, stop)
        return found

    def value(self, at: int, end: int, depth: int = 0) -> ValueFacts:
        found = ValueFacts("")
        for number, wire, value, stop in fields(self._buffer, at, end):
            if number == 1:
                found.name = self._text(wire, value, stop)
            elif number == 2 and wire == BYTES:
                self._type(found, value, stop)
        return found

    def _type(self, found: ValueFacts, at: int, end: int) -> None:
        for number, wire, value, stop in fields(self._buffer, at, end):
            if number not in _TYPE_KINDS or wire != BYTES:
                continue
            found.kind = _TYPE_KINDS[number]
            if number != 1:
                continue
            for inner, inner_wire, inner_value, inner_stop in fields(self._buffer, value, stop):
                if inner == 1 and inner_wire == VARINT:
                    found.dtype = signed(inner_value)
                elif inner == 2 and inner_wire == BYTES:
                    found.shape = self._shape(inner_value, inner_stop)

    def _shape(self, at: int, end: int) -> tuple[int | str | None, ...]:
        shape: list[int | str | None] = []
        for number, wire, value, stop in fields(self._buffer, at, end):
            if number == 1 and wire == BYTES:
                shape.append(self._dim(value, stop))
        return tuple(shape)

    def _dim(self, at: int, end: int) -> int | str | None:
        size: int | str | None = None
        for number, wire, value, stop in fields(self._buffer, at, end):
            if number == 1 and wire == VARINT:
                size = signed(value)
            elif number == 2:
                size = self._text(wire, value, stop) or None
        return size

    def function(self, at: int, end: int) -> FunctionFacts:
        found = FunctionFacts()
        for number, wire, value, stop in fields(self._buffer, at, end):
            self._fields += 1
            if number == 1:
                found.name = self._text(wire, value, stop)
            elif number == 4:
                found.inputs.append(self._text(wire, value, stop))
            elif number == 7 and wire == BYTES:
                found.nodes.append(self.node(value, stop, 1))
            elif number == 9 and wire == BYTES:
                self._opset(found.opsets, value, stop)
            elif number == 10:
                found.domain = self._text(wire, value, stop)
            elif number == 13:
                found.overload = self._text(wire, value, stop)
        return found
