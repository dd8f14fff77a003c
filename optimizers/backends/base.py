"""What a backend is: at most six methods, and capabilities that are readable without its library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from optimizers.spec.host import TargetSpec
from optimizers.spec.names import Precision
from optimizers.spec.recipe import Recipe

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]
    Feeds = Mapping[str, Array]


@dataclass(frozen=True)
class Capabilities:
    """`max_opset` of the default ONNX domain. A simulated backend opens no model and times nothing."""

    name: str
    title: str
    distribution: str
    precisions: tuple[Precision, ...]
    passes: tuple[str, ...] = ()
    max_opset: int | None = None
    simulated: bool = False
    note: str = ""


@dataclass(frozen=True)
class CompileRequest:
    """`model` is what the passes left; `shapes` are the bound sizes of every input at `batch_axes`' batch 1.

    `batch_axes` maps an input to the axis that carries the batch, where that axis is dynamic.
    """

    model: Path
    recipe: Recipe
    output: Path
    target: TargetSpec
    shapes: Mapping[str, tuple[int, ...]]
    batch_axes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Compiled:
    """`path` is what a session opens. `deploy` is the one file to hand out; None where that is the upload."""

    path: Path
    deploy: Path | None = None


@dataclass(frozen=True)
class LoadRequest:
    """Open `artifact` for inputs of exactly these `shapes`. `saturate` asks for throughput over latency."""

    artifact: Path
    recipe: Recipe
    target: TargetSpec
    shapes: Mapping[str, tuple[int, ...]]
    saturate: bool = False


class Session(Protocol):
    """A loaded artifact.

    `run` gives outputs by name. `bound` returns a call that runs the same feeds again and does nothing
    else, for timed regions; it may return before the work is done, so `finish` waits for all of it.
    """

    @property
    def precision_effective(self) -> str: ...

    @property
    def device_effective(self) -> str: ...

    def run(self, feeds: Feeds) -> dict[str, Array]: ...

    def bound(self, feeds: Feeds) -> Callable[[], object]: ...

    def finish(self) -> None: ...


class Backend(Protocol):
    """An inference library behind one door.

    `check` imports the library and raises PRECISION_UNSUPPORTED and its like before any work is done.
    `saturates` says whether
    loading for throughput differs from loading for latency on that target.
    """

    @property
    def capabilities(self) -> Capabilities: ...

    def check(self, recipe: Recipe, target: TargetSpec) -> None: ...

    def compile(self, request: CompileRequest) -> Compiled: ...

    def load(self, request: LoadRequest) -> Session: ...

    def saturates(self, target: TargetSpec) -> bool: ...
