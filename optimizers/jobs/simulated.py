"""Jobs of the fake backend: the same files and report as a real job, in milliseconds and without numpy."""

from __future__ import annotations

from optimizers.backends.base import CompileRequest, LoadRequest
from optimizers.backends.fake.backend import FakeBackend
from optimizers.backends.fake.compile import ARTIFACT, misbehave
from optimizers.host import host_fingerprint
from optimizers.jobs.prepared import Prepared, prepared_read, prepared_write, produced_file
from optimizers.jobs.run import Workplace
from optimizers.metrics.cpu import peak_memory_bytes
from optimizers.metrics.summary import measurement_of
from optimizers.scenarios.samples import Samples, samples_file_name, samples_write
from optimizers.spec.host import TargetSpec
from optimizers.spec.job import JobReport, ProducedFile
from optimizers.spec.measurement import Measurement, MeasurePlan, Quality
from optimizers.spec.names import ArtifactKind, Scenario, Stage, Verdict
from optimizers.spec.recipe import Recipe

_SAME = Quality(Verdict.PASS, 0.0, 0.0, 1.0, 1.0, {"max_rel": 1e-3}, (1,), "simulated")


def prepare_simulated(place: Workplace, recipe: Recipe, target: TargetSpec) -> None:
    """Leave a fake artifact and prepared.json, or misbehave as the recipe says."""
    with place.progress.stage(Stage.COMPILE):
        place.progress.report(0.5, "pretending")
        compiled = FakeBackend().compile(
            CompileRequest(place.inputs / place.job.model.path, recipe, place.output, target, {})
        )
    with place.progress.stage(Stage.VERIFY):
        produced = produced_file(compiled.path, ArtifactKind.OPTIMIZED_MODEL)
    prepared = Prepared(
        job_id=place.job.job_id,
        artifact=ARTIFACT,
        artifact_size_bytes=produced.size_bytes,
        precision_effective=str(recipe.options.get("precision_effective", recipe.precision)),
        quality=_SAME,
        compile_s=0.01,
        batch_sizes=(1, 2, 4, 8, 16, 32),
        files=() if recipe.is_baseline else (produced,),
        stages=tuple(place.progress.times),
    )
    prepared_write(place.output, prepared)


def measure_simulated(place: Workplace, recipe: Recipe, target: TargetSpec, plan: MeasurePlan) -> JobReport:
    """Report the samples that follow from the recipe's fingerprint."""
    prepared = prepared_read(place.output)
    with place.progress.stage(Stage.BENCHMARK):
        misbehave(recipe.options, "measure", place.output)
        session = FakeBackend().load_simulated(LoadRequest(place.output / ARTIFACT, recipe, target, {}))
        taken = [session.samples(Scenario.SINGLE_STREAM, 1, plan)]
        taken += [session.samples(Scenario.OFFLINE, batch, plan) for batch in plan.batch_sizes]
        kept = [_keep(place, samples, plan, target) for samples in taken]
    return JobReport(
        job_id=place.job.job_id,
        findings=prepared.findings,
        precision_effective=session.precision_effective,
        device_effective=session.device_effective,
        quality=prepared.quality,
        measurements=tuple(measured for measured, _ in kept),
        artifact_size_bytes=prepared.artifact_size_bytes,
        load_ms=1.0,
        first_inference_ms=kept[0][0].latency_max_ms,
        compile_s=prepared.compile_s,
        peak_memory_bytes=peak_memory_bytes(),
        fingerprint=host_fingerprint(),
        files=prepared.files + tuple(file for _, file in kept),
        stages=prepared.stages + tuple(place.progress.times),
    )


def _keep(
    place: Workplace, samples: Samples, plan: MeasurePlan, target: TargetSpec
) -> tuple[Measurement, ProducedFile]:
    path = place.output / samples_file_name(samples)
    samples_write(path, samples)
    return measurement_of(samples, plan, target, path.name), produced_file(path, ArtifactKind.RAW_SAMPLES)
