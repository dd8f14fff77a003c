"""Feeds for a model at bound sizes: repeatable from the job's seed, or taken from sample data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from optimizers.formats.onnx.facts import DTYPES, ModelFacts
from optimizers.formats.onnx.sizes import dims_of, real_inputs, signature
from optimizers.inputs.limits import MAX_INPUT_BYTES
from optimizers.inputs.ranges import Range, input_ranges
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.model import TensorSpec
from optimizers.text import safe_name

if TYPE_CHECKING:
    from optimizers.backends.base import Array

MAX_RANK = 16


@dataclass(frozen=True)
class InputMaker:
    """Makes feeds. `sizes` binds every dynamic axis; `batch_dims` are those that carry the batch.

    `samples` holds the user's arrays by input, [N, ...]; inputs that it lacks are generated.
    """

    specs: tuple[TensorSpec, ...]
    sizes: Mapping[str, int]
    batch_dims: frozenset[str]
    ranges: Mapping[str, Range]
    seed: int
    samples: Mapping[str, Array] = field(default_factory=dict)

    @property
    def batch_axes(self) -> dict[str, int]:
        """Per input the axis that carries the batch, where it is dynamic."""
        return {
            spec.name: axis
            for spec in self.specs
            for axis, size in enumerate(spec.shape)
            if size in self.batch_dims
        }

    @property
    def bound_batch(self) -> int:
        """Items per query at the bound sizes: the batch axis, or the first axis that all inputs share."""
        if self.batch_dims:
            return max(self.sizes[name] for name in self.batch_dims)
        first = {self.shape(spec)[0] for spec in self.specs if len(spec.shape) >= 2}
        return first.pop() if len(first) == 1 and all(len(s.shape) >= 2 for s in self.specs) else 1

    def shape(self, spec: TensorSpec, batch: int | None = None) -> tuple[int, ...]:
        """The input's shape at the bound sizes, or with another batch."""
        return tuple(
            axis
            if isinstance(axis, int)
            else (batch if batch and axis in self.batch_dims else self.sizes[axis])
            for axis in spec.shape
        )

    def shapes(self, batch: int | None = None) -> dict[str, tuple[int, ...]]:
        return {spec.name: self.shape(spec, batch) for spec in self.specs}

    def feeds(self, index: int, batch: int | None = None) -> dict[str, Array]:
        """The `index`-th set of inputs: the same for every process with the same seed."""
        feeds: dict[str, Array] = {}
        for position, spec in enumerate(self.specs):
            shape = self.shape(spec, batch)
            if spec.name in self.samples:
                feeds[spec.name] = self._taken(spec, shape, index)
            else:
                source = np.random.default_rng([self.seed, index, position])
                feeds[spec.name] = generated(spec.dtype, shape, self.ranges[spec.name], source)
        return feeds

    def _taken(self, spec: TensorSpec, shape: tuple[int, ...], index: int) -> Array:
        """Consecutive samples, going round, stacked along the batch axis where they are single items."""
        data = self.samples[spec.name]
        if data.shape[1:] == shape:
            return np.ascontiguousarray(data[index % len(data)])
        axis = self.batch_axes.get(spec.name, 0)
        count = shape[axis]
        rows = [data[(index * count + offset) % len(data)] for offset in range(count)]
        if data.ndim == len(shape) + 1:  # each sample is a batch of one
            return np.ascontiguousarray(np.concatenate(rows, axis=axis))
        return np.ascontiguousarray(np.stack(rows, axis=axis))


def generated(dtype: str, shape: tuple[int, ...], limits: Range, source: np.random.Generator) -> Array:
    """One array within its range."""
    if limits.kind == "normal":
        wide = source.standard_normal(shape, dtype=np.float64 if dtype == "float64" else np.float32)
        return np.ascontiguousarray(wide.astype(dtype, copy=False))
    if limits.kind == "value":
        return np.full(shape, limits.low, dtype=dtype)
    return source.integers(limits.low, limits.high, shape, dtype=np.int64).astype(dtype)


def input_maker(
    path: Path,
    model: ModelFacts,
    dims: Mapping[str, int],
    seed: int,
    *,
    memory_bytes: int,
    sample_data: Path | None = None,
) -> InputMaker:
    """Bind the axes and check that inputs can be made, before anything is allocated.

    Raises INPUT_UNSUPPORTED, INPUT_SHAPE_NEEDED, INPUT_SHAPE_INVALID, EMPTY_INPUT, INPUT_TOO_LARGE or
    SAMPLE_DATA_INVALID.
    """
    values = real_inputs(model.main)
    specs = signature(values)
    known = dims_of(model.main)
    _check_kinds(specs, sampled=sample_data is not None)
    missing = [dim.name for dim in known if dim.name not in dims]
    if missing:
        named = ", ".join(safe_name(name, 60) for name in missing)
        raise WhetstoneFailure("INPUT_SHAPE_NEEDED", f"Dynamic axes have no size: {named}.", axes=named)
    sizes = {dim.name: dims[dim.name] for dim in known}
    ranges = input_ranges(path, model, [value for value in values if value.dtype in DTYPES])
    batch = frozenset(dim.name for dim in known if dim.is_batch)
    maker = InputMaker(specs, sizes, batch, ranges, seed)
    _check_sizes(maker, memory_bytes)
    if sample_data is None:
        return maker
    from optimizers.inputs.sample_data import load_samples

    return InputMaker(specs, sizes, batch, ranges, seed, load_samples(sample_data, maker, memory_bytes))


def _check_kinds(specs: tuple[TensorSpec, ...], *, sampled: bool) -> None:
    if not specs:
        return
    for spec in specs:
        shown = f"'{safe_name(spec.name, 80)}' of type {spec.dtype}"
        if spec.dtype in ("sequence", "map", "optional", "sparse"):
            raise WhetstoneFailure(
                "INPUT_UNSUPPORTED", f"Inputs like {shown} cannot be fed.", "Use tensor inputs."
            )
        if not _numpy_has(spec.dtype) or (spec.dtype.startswith("complex") and not sampled):
            raise WhetstoneFailure("INPUT_UNSUPPORTED", f"No input can be made for {shown}.")


def _numpy_has(dtype: str) -> bool:
    try:
        np.dtype(dtype)
    except TypeError:
        return False
    return dtype != "string"


def _check_sizes(maker: InputMaker, memory_bytes: int) -> None:
    limit = min(MAX_INPUT_BYTES, memory_bytes // 4)
    total = 0
    for name, size in maker.sizes.items():
        if size < 0:
            raise WhetstoneFailure("INPUT_SHAPE_INVALID", f"Axis '{safe_name(name, 60)}' cannot be {size}.")
    for spec in maker.specs:
        shape = maker.shape(spec)
        if len(shape) > MAX_RANK:
            raise WhetstoneFailure(
                "INPUT_UNSUPPORTED", f"'{safe_name(spec.name, 80)}' has {len(shape)} axes."
            )
        if 0 in shape:
            raise WhetstoneFailure("EMPTY_INPUT", f"Input '{safe_name(spec.name, 80)}' has a size of zero.")
        total += math.prod(shape) * np.dtype(spec.dtype).itemsize
    if total > limit:
        message = f"The inputs would take {total:,} bytes; {limit:,} are allowed."
        raise WhetstoneFailure("INPUT_TOO_LARGE", message, bytes=total, limit=limit)
