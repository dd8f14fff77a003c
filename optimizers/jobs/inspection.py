"""An `inspect` job: is this a model, what is in it, and can the engines here run it?"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

from optimizers.backends.registry import capabilities_by_name
from optimizers.formats.onnx.describe import describe, findings_of
from optimizers.formats.onnx.library import check_with_library
from optimizers.formats.onnx.model import CheckedModel
from optimizers.formats.opening import open_model
from optimizers.inputs.limits import MAX_INPUT_BYTES
from optimizers.jobs.run import Workplace
from optimizers.spec.errors import CATALOG, WhetstoneFailure
from optimizers.spec.job import FileRef, JobReport
from optimizers.spec.model import Finding, ModelDescription
from optimizers.spec.names import Severity, Stage


def inspection(place: Workplace) -> JobReport:
    """Description and findings; raises the code that rejects the model."""
    job = place.job
    path = place.inputs / job.model.path
    with place.progress.stage(Stage.INSPECT):
        _check_bytes(path, job.model)
        model = open_model(path, place.output, job.limits.output_bytes)
        place.progress.report(0.3, "the bytes are in order")
        check_with_library(model.path, model.facts)
        place.progress.report(0.6, "the graph is in order")
        described, findings = examine(model)
    return JobReport(
        job_id=job.job_id,
        description=described,
        findings=findings,
        stages=tuple(place.progress.times),
    )


def examine(model: CheckedModel) -> tuple[ModelDescription, tuple[Finding, ...]]:
    """What is in a model that passed every check, and what no engine or no input can serve."""
    described = describe(model.path, model.facts, model.size_bytes)
    for spec in described.inputs:
        fixed = math.prod(axis for axis in spec.shape if isinstance(axis, int))
        if fixed > MAX_INPUT_BYTES:
            raise WhetstoneFailure(
                "INPUT_TOO_LARGE", f"An input has {fixed:,} elements; no run could hold it."
            )
    return described, findings_of(model.path, model.facts, described) + _engine_findings(described)


def _engine_findings(described: ModelDescription) -> tuple[Finding, ...]:
    """A remark per engine that reads no opset as new as the model's."""
    opset = described.opsets.get("", 1)
    kind = CATALOG["OPSET_UNSUPPORTED"]
    return tuple(
        Finding(
            kind.code,
            Severity.WARNING,
            f"{each.title} reads opsets up to {each.max_opset}.",
            kind.hint,
            each.name,
        )
        for each in capabilities_by_name().values()
        if each.max_opset is not None and opset > each.max_opset
    )


def _check_bytes(path: Path, stated: FileRef) -> None:
    """The file must be the one that was uploaded. An empty hash means that nobody stated one."""
    if not stated.sha256 or not path.is_file():
        return
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != stated.sha256:
        raise WhetstoneFailure("CHECKSUM_MISMATCH")
