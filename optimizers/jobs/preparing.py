"""`prepare` for a real backend: check, convert, optimize, compile, and compare with the uploaded model."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from optimizers.backends.base import Backend, Compiled, CompileRequest, LoadRequest, Session
from optimizers.formats.onnx.describe import RANDOM_OPS
from optimizers.formats.onnx.facts import each_node
from optimizers.formats.onnx.model import CheckedModel
from optimizers.formats.opening import open_model
from optimizers.inputs.maker import InputMaker, input_maker
from optimizers.jobs.prepared import Prepared, prepared_write, produced_file
from optimizers.jobs.run import Workplace
from optimizers.passes.base import PassRequest
from optimizers.passes.registry import pass_of
from optimizers.quality.classes import output_traits
from optimizers.quality.compare import Comparison
from optimizers.search.recipes import AS_UPLOADED
from optimizers.spec.errors import CATALOG, WhetstoneFailure
from optimizers.spec.host import TargetSpec
from optimizers.spec.measurement import Quality
from optimizers.spec.model import Finding
from optimizers.spec.names import ArtifactKind, Precision, Severity, Stage
from optimizers.spec.recipe import Recipe

if TYPE_CHECKING:
    from optimizers.backends.base import Array

CALIBRATION_SAMPLES = 16
CALIBRATION_FIRST = 1000
COMPARED_SAMPLES = 4
SECOND_BATCH = 2


@dataclass(frozen=True)
class Preparation:
    """One job's constant parts."""

    place: Workplace
    backend: Backend
    recipe: Recipe
    target: TargetSpec
    model: CheckedModel
    maker: InputMaker

    def load(self, backend: Backend, recipe: Recipe, path: Path, batch: int | None = None) -> Session:
        return backend.load(LoadRequest(path, recipe, self.target, self.maker.shapes(batch)))


def prepare_real(place: Workplace, backend: Backend, recipe: Recipe, target: TargetSpec) -> None:
    """Leave the artifact and prepared.json."""
    job, progress = place.job, place.progress
    with progress.stage(Stage.CONVERT):
        backend.check(recipe, target)
        model = open_model(place.inputs / job.model.path, place.output, job.limits.output_bytes)
        sample = place.inputs / job.sample_data.path if job.sample_data else None
        maker = input_maker(
            model.path,
            model.facts,
            job.dims,
            job.seed,
            memory_bytes=job.limits.memory_bytes,
            sample_data=sample,
        )
    work = Preparation(place, backend, recipe, target, model, maker)
    begin = time.monotonic()
    compiled = _compile(work, _passes(work))
    compile_s = time.monotonic() - begin
    with progress.stage(Stage.VERIFY):
        effective, quality, batches, findings = _verify(work, compiled)
    files = (produced_file(compiled.deploy, ArtifactKind.OPTIMIZED_MODEL),) if compiled.deploy else ()
    prepared = Prepared(
        job_id=job.job_id,
        artifact=str(compiled.path.relative_to(place.output)) if compiled.deploy else None,
        artifact_size_bytes=files[0].size_bytes if files else model.size_bytes,
        precision_effective=effective,
        quality=quality,
        compile_s=round(compile_s, 4),
        batch_sizes=batches,
        findings=findings,
        files=files,
        stages=tuple(progress.times),
    )
    prepared_write(place.output, prepared)


def _passes(work: Preparation) -> Path:
    """Apply the recipe's passes in order; the model's file after the last one."""
    path = work.model.path
    if not work.recipe.passes:
        return path
    with work.place.progress.stage(Stage.OPTIMIZE):
        feeds = tuple(work.maker.feeds(CALIBRATION_FIRST + index) for index in range(CALIBRATION_SAMPLES))
        for step in work.recipe.passes:
            if step.name not in work.backend.capabilities.passes:
                raise WhetstoneFailure(
                    "COMPILE_ERROR", f"{step.name} does not go with {work.recipe.backend}."
                )
            path = pass_of(step.name)(
                PassRequest(
                    model=path,
                    output=work.place.output,
                    facts=work.model.facts,
                    options=step.options,
                    calibration=feeds,
                    shapes=work.maker.shapes(),
                    batch_axes=work.maker.batch_axes,
                )
            )
    return path


def _compile(work: Preparation, path: Path) -> Compiled:
    with work.place.progress.stage(Stage.COMPILE):
        return work.backend.compile(
            CompileRequest(
                model=path,
                recipe=work.recipe,
                output=work.place.output,
                target=work.target,
                shapes=work.maker.shapes(),
                batch_axes=work.maker.batch_axes,
            )
        )


def _verify(
    work: Preparation, compiled: Compiled
) -> tuple[str, Quality, tuple[int, ...], tuple[Finding, ...]]:
    """Effective precision, quality, the batch sizes that work, and what there is to tell."""
    from optimizers.backends.registry import backend_of

    reference_backend = backend_of(AS_UPLOADED.backend)
    reference = _reference(work, reference_backend)
    session = work.load(work.backend, work.recipe, compiled.path)
    effective = session.precision_effective
    findings = list(_precision_findings(work.recipe, effective))
    comparison = Comparison(output_traits(work.model.facts))
    bound = work.maker.bound_batch
    for index in range(COMPARED_SAMPLES):
        feeds = work.maker.feeds(index)
        comparison.add(_reference_run(work, reference, feeds), session.run(feeds), bound)
        work.place.progress.report((index + 1) / (COMPARED_SAMPLES + 1))
    del session
    batches: tuple[int, ...] = (bound,)
    note = ""
    if work.maker.batch_dims:
        batches, note, baked = _second_batch(work, compiled, reference, comparison)
        findings += baked
    deterministic = not any(node.op in RANDOM_OPS for node in each_node(work.model.facts.main.nodes))
    quality = comparison.quality(work.recipe.precision, deterministic=deterministic, note=note)
    return effective, quality, batches, tuple(findings)


def _reference(work: Preparation, backend: Backend) -> Session:
    """The uploaded model as it came. Where it is not the job's own subject, its failure has its own code."""
    try:
        return work.load(backend, AS_UPLOADED, work.model.path)
    except WhetstoneFailure as error:
        raise _baseline(work, error) from error


def _reference_run(work: Preparation, reference: Session, feeds: dict[str, Array]) -> dict[str, Array]:
    try:
        return reference.run(feeds)
    except WhetstoneFailure as error:
        raise _baseline(work, error) from error


def _baseline(work: Preparation, error: WhetstoneFailure) -> WhetstoneFailure:
    if work.recipe.is_baseline or error.failure.code in ("MEMORY_LIMIT", "TIME_LIMIT"):
        return error
    cause = error.failure
    message = f"The uploaded model itself does not run: {cause.message}"
    return WhetstoneFailure("BASELINE_FAILED", message, cause=cause.code)


def _precision_findings(recipe: Recipe, effective: str) -> tuple[Finding, ...]:
    """Say so where the engine runs in another precision than asked. A less exact one is no answer to fp32."""
    if effective == recipe.precision or (recipe.is_baseline and recipe.precision is Precision.FP32):
        return ()
    kind = CATALOG["PRECISION_NOT_EFFECTIVE"]
    message = f"Asked for {recipe.precision}, ran in {effective}."
    if recipe.precision is Precision.FP32 and effective in ("bf16", "fp16"):
        raise WhetstoneFailure(kind.code, message)
    return (Finding(kind.code, Severity.WARNING, message, kind.hint, recipe.backend),)


def _second_batch(
    work: Preparation, compiled: Compiled, reference: Session, comparison: Comparison
) -> tuple[tuple[int, ...], str, list[Finding]]:
    """Compare at another batch size too. A model that cannot take one has its batch baked in."""
    bound = work.maker.bound_batch
    other = SECOND_BATCH if bound == 1 else 1
    feeds = work.maker.feeds(COMPARED_SAMPLES, other)
    try:
        wanted = reference.run(feeds)
    except (WhetstoneFailure, MemoryError):
        kind = CATALOG["BAKED_BATCH"]
        finding = Finding(kind.code, Severity.INFO, kind.message, kind.hint)
        return (bound,), f"the uploaded model does not run at batch {other}", [finding]
    try:
        session = work.load(work.backend, work.recipe, compiled.path, other)
        given = session.run(feeds)
    except WhetstoneFailure as error:
        return (bound,), f"at batch {other} the artifact does not run: {error.failure.message}"[:300], []
    comparison.add(wanted, given, other)
    sizes = {bound, other, *(work.place.job.plan.batch_sizes if work.place.job.plan else ())}
    return tuple(sorted(sizes)), "", []
