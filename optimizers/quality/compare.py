"""Outputs against the uploaded model's, on the same inputs: errors, cosine, top-1, and the verdict.

    fp32        pass    max_rel <= 1e-3
                differs cosine >= 0.999
    bf16, fp16  pass    max_rel <= 0.05 and cosine >= 0.999 and top1 >= 0.99
                differs cosine >= 0.99
    int8        pass    max_rel <= 0.25 and cosine >= 0.99 and top1 >= 0.95
                differs cosine >= 0.9
    all         fail    otherwise, or where an output's shape is another one

`max_rel` is the largest error of an output over the largest magnitude of the uploaded model's, over all
samples: an element near zero does not make a good artifact look bad. For an output between 0 and 1 (from a
sigmoid or softmax) that magnitude counts as 1 at least. Where such an output stays below FAINT on every
input, as a detector's does on inputs without objects, its direction is noise: the error alone decides, by
half of `max_rel` for pass and five times that for differs, and the note says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from optimizers.quality.classes import OutputTraits
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.measurement import Quality
from optimizers.spec.names import Precision, Verdict
from optimizers.text import safe_name

if TYPE_CHECKING:
    from optimizers.backends.base import Array

    Outputs = Mapping[str, Array]
    Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

TOLERANCES: Mapping[Precision, Mapping[str, float]] = {
    Precision.FP32: {"max_rel": 1e-3, "differs_cosine": 0.999},
    Precision.BF16: {"max_rel": 0.05, "cosine": 0.999, "top1": 0.99, "differs_cosine": 0.99},
    Precision.FP16: {"max_rel": 0.05, "cosine": 0.999, "top1": 0.99, "differs_cosine": 0.99},
    Precision.INT8: {"max_rel": 0.25, "cosine": 0.99, "top1": 0.95, "differs_cosine": 0.9},
}
FAINT = 0.1
FAINT_NOTE = "outputs are near zero on these inputs; upload sample data for a closer look"


@dataclass
class _Output:
    """One output over all samples."""

    bounded: bool
    max_abs: float = 0.0
    scale: float = 0.0
    cosine: float = 1.0

    @property
    def max_rel(self) -> float:
        scale = max(self.scale, 1.0) if self.bounded else self.scale
        return self.max_abs / scale if scale else (0.0 if self.max_abs == 0 else float("inf"))

    @property
    def faint(self) -> bool:
        return self.bounded and self.scale < FAINT


@dataclass
class Comparison:
    """Collects pairs of outputs; the worst of each figure over all of them counts."""

    traits: OutputTraits = field(default_factory=OutputTraits)
    rows: int = 0
    same_rows: int = 0
    reference_non_finite: bool = False
    mismatch: str = ""
    batches: list[int] = field(default_factory=list)
    outputs: dict[str, _Output] = field(default_factory=dict)

    def add(self, reference: Outputs, outputs: Outputs, batch: int) -> None:
        """Compare one query's outputs. Raises OUTPUT_NON_FINITE where only the artifact has NaN or inf."""
        if batch not in self.batches:
            self.batches.append(batch)
        for name, wanted in reference.items():
            given = outputs.get(name)
            if given is None or given.shape != wanted.shape:
                shape = (
                    "is missing"
                    if given is None
                    else f"has shape {list(given.shape)}, not {list(wanted.shape)}"
                )
                self.mismatch = f"output '{safe_name(name, 60)}' {shape}"
            elif wanted.size and wanted.dtype.kind in "fiub":
                self._add(name, np.asarray(wanted, dtype=np.float64), np.asarray(given, dtype=np.float64))

    def _add(self, name: str, wanted: Floats, given: Floats) -> None:
        if not np.isfinite(wanted).all():
            self.reference_non_finite = True
            return
        if not np.isfinite(given).all():
            raise WhetstoneFailure("OUTPUT_NON_FINITE", output=safe_name(name))
        found = self.outputs.setdefault(name, _Output(name in self.traits.bounded))
        found.max_abs = max(found.max_abs, float(np.abs(given - wanted).max()))
        found.scale = max(found.scale, float(np.abs(wanted).max()))
        found.cosine = min(found.cosine, _cosine(wanted, given))
        if name in self.traits.classes and wanted.ndim >= 1:
            same = wanted.argmax(axis=-1) == given.argmax(axis=-1)
            self.rows += int(np.size(same))
            self.same_rows += int(np.sum(same))

    def quality(self, precision: Precision, *, deterministic: bool, note: str = "") -> Quality:
        """The verdict by the precision's tolerances."""
        tolerance = TOLERANCES[precision]
        found = self.outputs.values()
        top1 = self.same_rows / self.rows if self.rows else None
        verdict, why = self._verdict(tolerance, top1, deterministic=deterministic)
        return Quality(
            verdict=verdict,
            max_abs=max((each.max_abs for each in found), default=None),
            max_rel=max((each.max_rel for each in found), default=None),
            cosine=min((each.cosine for each in found), default=None),
            top1=top1,
            tolerance=tolerance,
            batch_sizes=tuple(self.batches),
            note="; ".join(part for part in (why, note) if part),
        )

    def _verdict(
        self, tolerance: Mapping[str, float], top1: float | None, *, deterministic: bool
    ) -> tuple[Verdict, str]:
        if not deterministic:
            return Verdict.NOT_COMPARABLE, "the model draws random numbers"
        if self.mismatch:
            return Verdict.FAIL, self.mismatch
        if self.reference_non_finite:
            return Verdict.NOT_COMPARABLE, "the uploaded model itself gives NaN or infinity"
        if not self.outputs:
            return Verdict.NOT_COMPARABLE, "no output is numeric"
        verdicts = [_output_verdict(each, tolerance) for each in self.outputs.values()]
        if top1 is not None and top1 < tolerance.get("top1", 0.0):
            verdicts.append(Verdict.DIFFERS)
        faint = FAINT_NOTE if any(each.faint and each.max_abs for each in self.outputs.values()) else ""
        for verdict in (Verdict.FAIL, Verdict.DIFFERS):
            if verdict in verdicts:
                return verdict, faint or ("the answers are others" if verdict is Verdict.FAIL else "")
        return Verdict.PASS, faint


def _output_verdict(found: _Output, tolerance: Mapping[str, float]) -> Verdict:
    if found.faint:
        allowed = tolerance["max_rel"] / 2
        if found.max_rel <= allowed:
            return Verdict.PASS
        return Verdict.DIFFERS if found.max_rel <= 5 * allowed else Verdict.FAIL
    if found.max_rel <= tolerance["max_rel"] and found.cosine >= tolerance.get("cosine", -1.0):
        return Verdict.PASS
    return Verdict.DIFFERS if found.cosine >= tolerance["differs_cosine"] else Verdict.FAIL


def _cosine(wanted: Floats, given: Floats) -> float:
    a, b = wanted.ravel(), given.ravel()
    norms = float(np.linalg.norm(a)) * float(np.linalg.norm(b))
    if norms == 0.0:
        return 1.0 if not a.any() and not b.any() else 0.0
    return min(1.0, float(a @ b) / norms)
