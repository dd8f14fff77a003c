"""What a pass gets and gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from optimizers.formats.onnx.facts import ModelFacts
from optimizers.spec.recipe import Scalar

if TYPE_CHECKING:
    from optimizers.backends.base import Array


@dataclass(frozen=True)
class PassRequest:
    """`model` is a file; the result goes into `output`. `calibration` are feeds, by input name, at the bound
    sizes; `shapes` and `batch_axes` as in CompileRequest."""

    model: Path
    output: Path
    facts: ModelFacts
    options: Mapping[str, Scalar]
    calibration: tuple[Mapping[str, Array], ...]
    shapes: Mapping[str, tuple[int, ...]]
    batch_axes: Mapping[str, int]


Pass = Callable[[PassRequest], Path]
