"""An ONNX model that was checked: where its file lies and what was found in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from optimizers.formats.onnx.checks import check_facts
from optimizers.formats.onnx.external import check_external
from optimizers.formats.onnx.facts import ModelFacts, each_tensor
from optimizers.formats.onnx.walk import walk


@dataclass(frozen=True)
class CheckedModel:
    """`data_files` are external data, relative to the model's folder; `size_bytes` counts them too."""

    path: Path
    facts: ModelFacts
    data_files: tuple[str, ...]
    size_bytes: int


def check_statically(path: Path) -> CheckedModel:
    """Walk and check the file and its external data, on bytes alone; raises WhetstoneFailure."""
    facts = walk(path)
    check_facts(facts)
    data = tuple(sorted(check_external(each_tensor(facts), path.parent)))
    size = facts.size_bytes + sum((path.parent / name).stat().st_size for name in data)
    return CheckedModel(path, facts, data, size)
