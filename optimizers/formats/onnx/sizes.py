"""Dynamic axes: their names, which is the batch, and a size to suggest that the graph most likely allows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from optimizers.formats.onnx.facts import DTYPES, GraphFacts, ValueFacts
from optimizers.spec.model import Dim, TensorSpec

_UNNAMED = re.compile(r"^(\?|-1|none|unk|unknown|dynamic)?$", re.I)
_BATCH = re.compile(r"batch|^(n|b|bs|nb)$", re.I)
_SEQUENCE = re.compile(r"seq|len|time|frame|sample|token|steps?$|point", re.I)
_AUDIO = re.compile(r"audio|wav|samples|pcm|signal", re.I)
_STATE = re.compile(r"state|hidden|cell|^[hc]\d*$|^[hc][n0]$", re.I)
_CHANNELS = (1, 3, 4)

SEQUENCE, AUDIO, CHUNK, CLASSIFY, DETECT, LINE_HEIGHT, LINE_WIDTH = 128, 16000, 512, 224, 320, 48, 320


@dataclass(frozen=True)
class _Axis:
    value: ValueFacts
    index: int
    name: str


def signature(values: list[ValueFacts]) -> tuple[TensorSpec, ...]:
    """Inputs or outputs with every dynamic axis named; -1 and "?" count as unnamed."""
    return tuple(
        TensorSpec(
            value.name,
            DTYPES[value.dtype][0] if value.kind == "tensor" else value.kind,
            tuple(_axis_name(value, index) for index in range(len(value.shape or ()))),
        )
        for value in values
    )


def _axis_name(value: ValueFacts, index: int) -> int | str:
    size = (value.shape or ())[index]
    if isinstance(size, int) and size >= 0:
        return size
    if isinstance(size, str) and not _UNNAMED.match(size):
        return size
    return f"{value.name}.{index}"


def real_inputs(graph: GraphFacts) -> list[ValueFacts]:
    """The inputs to feed: old files list initializers among the inputs too."""
    initialized = {tensor.name for tensor in graph.initializers} | set(graph.sparse_names)
    return [value for value in graph.inputs if value.name not in initialized]


def dims_of(graph: GraphFacts) -> tuple[Dim, ...]:
    """One Dim per distinct name, in order of appearance."""
    axes: dict[str, list[_Axis]] = {}
    for value in real_inputs(graph):
        for index in range(len(value.shape or ())):
            name = _axis_name(value, index)
            if isinstance(name, str):
                axes.setdefault(name, []).append(_Axis(value, index, name))
    return tuple(_dim(name, found, graph) for name, found in axes.items())


def _dim(name: str, axes: list[_Axis], graph: GraphFacts) -> Dim:
    is_batch = any(_is_batch(axis) for axis in axes)
    suggested = 1 if is_batch else _suggested(axes[0], graph)
    return Dim(name, tuple(dict.fromkeys(axis.value.name for axis in axes)), suggested, is_batch)


def _is_batch(axis: _Axis) -> bool:
    shape = axis.value.shape or ()
    named = not axis.name.startswith(axis.value.name + ".")
    if named and _BATCH.search(axis.name):
        return True
    if named and _SEQUENCE.search(axis.name):
        return False
    if axis.index == 0:
        return len(shape) >= 2
    # A recurrent state is [layers, batch, features].
    fixed = len(shape) == 3 and isinstance(shape[0], int) and isinstance(shape[2], int)
    return axis.index == 1 and fixed and bool(_STATE.search(axis.value.name))


def _suggested(axis: _Axis, graph: GraphFacts) -> int:
    shape, dtype = axis.value.shape or (), DTYPES.get(axis.value.dtype, ("", 0))[0]
    if _AUDIO.search(axis.name) or (len(shape) <= 2 and _AUDIO.search(axis.value.name)):
        return AUDIO
    if "float" in dtype and len(shape) == 2:
        return CHUNK
    image = _image_axes(axis.value)
    if image and axis.index in image and not _SEQUENCE.search(axis.name):
        return _image_size(axis, image, graph)
    return SEQUENCE


def _image_axes(value: ValueFacts) -> tuple[int, int] | None:
    """The axes of height and width of an image batch, NCHW or NHWC."""
    shape = value.shape or ()
    if len(shape) != 4:
        return None
    if shape[3] in _CHANNELS and shape[1] not in _CHANNELS:
        return (1, 2)
    return (2, 3)


def _image_size(axis: _Axis, image: tuple[int, int], graph: GraphFacts) -> int:
    """A text line where height is small or outputs are [batch, steps, classes]; a classifier's 224 where they
    are [batch, classes]; 320, a multiple of every usual stride, otherwise."""
    shape = axis.value.shape or ()
    other = shape[image[1] if axis.index == image[0] else image[0]]
    is_height = axis.index == image[0]
    outputs = [value.shape or () for value in graph.outputs]
    reads_lines = any(len(out) == 3 and isinstance(out[2], int) and out[2] > 16 for out in outputs)
    if isinstance(other, int) and other > 0 and not is_height and other <= 64:
        return LINE_WIDTH
    if isinstance(other, int) and other > 0:
        return other
    if reads_lines:
        return LINE_HEIGHT if is_height else LINE_WIDTH
    if outputs and all(len(out) == 2 for out in outputs):
        return CLASSIFY
    return DETECT
