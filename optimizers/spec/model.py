"""What an uploaded model is: its signature, its operators, and what was found wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from optimizers.spec.names import Severity


@dataclass(frozen=True)
class TensorSpec:
    """One input or output.

    `shape` holds an int per fixed axis and a name per dynamic one; an axis that the file leaves
    unnamed is called `<tensor>.<index>`. `dtype` uses numpy's names (`float32`, `int64`, ...).
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]


@dataclass(frozen=True)
class Dim:
    """A dynamic axis to bind before a run. `suggested` is a size that the graph allows."""

    name: str
    used_by: tuple[str, ...]
    suggested: int
    is_batch: bool


@dataclass(frozen=True)
class Finding:
    """One thing worth telling about a model; an `error` rejects it."""

    code: str
    severity: Severity
    message: str
    hint: str = ""
    where: str = ""


@dataclass(frozen=True)
class ModelDescription:
    """`flops` counts a multiply-add as two operations at the sizes in `flops_at`; None when an operator
    could not be counted. `parameters` counts elements of initializers, `parameter_bytes` their storage."""

    format: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    operators: Mapping[str, int]
    nodes: int
    parameters: int
    parameter_bytes: int
    size_bytes: int
    dims: tuple[Dim, ...]
    precision: str
    deterministic: bool
    ir_version: int | None = None
    opsets: Mapping[str, int] = field(default_factory=dict)
    producer: str = ""
    flops: int | None = None
    flops_at: Mapping[str, int] = field(default_factory=dict)
