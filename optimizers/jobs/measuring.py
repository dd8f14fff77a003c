"""`measure` for a real backend: load, first call, SingleStream, then Offline at each batch size."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from optimizers.backends.base import Backend, LoadRequest, Session
from optimizers.formats.onnx.walk import walk
from optimizers.formats.opening import unpacked_model
from optimizers.host import host_fingerprint
from optimizers.inputs.maker import InputMaker, input_maker
from optimizers.jobs.failures import library_errors
from optimizers.jobs.prepared import Prepared, prepared_read, produced_file
from optimizers.jobs.run import Workplace
from optimizers.metrics.cpu import peak_memory_bytes
from optimizers.metrics.summary import measurement_of
from optimizers.scenarios.loops import offline, single_stream
from optimizers.scenarios.samples import Samples, samples_file_name, samples_write
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.host import TargetSpec
from optimizers.spec.job import JobReport
from optimizers.spec.measurement import MeasurePlan
from optimizers.spec.names import ArtifactKind, Precision, Stage
from optimizers.spec.recipe import Recipe


@dataclass(frozen=True)
class Bench:
    """One measurement's constant parts."""

    place: Workplace
    backend: Backend
    recipe: Recipe
    target: TargetSpec
    plan: MeasurePlan
    prepared: Prepared
    artifact: Path
    maker: InputMaker

    def load(self, batch: int | None = None, *, saturate: bool = False) -> Session:
        shapes = self.maker.shapes(batch)
        return self.backend.load(LoadRequest(self.artifact, self.recipe, self.target, shapes, saturate))


@dataclass(frozen=True)
class _First:
    load_ms: float
    first_inference_ms: float
    precision: str
    device: str
    samples: Samples
    peak_memory: int | None


def measure_real(
    place: Workplace, backend: Backend, recipe: Recipe, target: TargetSpec, plan: MeasurePlan
) -> JobReport:
    """The job's report, with its samples on disk."""
    with place.progress.stage(Stage.BENCHMARK):
        bench = _bench(place, backend, recipe, target, plan)
        first = _single(bench)
        taken = [first.samples, *_offline(bench)]
        files = list(bench.prepared.files)
        measurements = []
        for samples in taken:
            path = place.output / samples_file_name(samples)
            samples_write(path, samples)
            files.append(produced_file(path, ArtifactKind.RAW_SAMPLES))
            measurements.append(measurement_of(samples, plan, target, path.name))
    return JobReport(
        job_id=place.job.job_id,
        findings=bench.prepared.findings,
        precision_effective=first.precision,
        device_effective=first.device,
        quality=bench.prepared.quality,
        measurements=tuple(measurements),
        artifact_size_bytes=bench.prepared.artifact_size_bytes,
        load_ms=first.load_ms,
        first_inference_ms=first.first_inference_ms,
        compile_s=bench.prepared.compile_s,
        peak_memory_bytes=first.peak_memory,
        fingerprint=host_fingerprint(),
        files=tuple(files),
        stages=bench.prepared.stages + tuple(place.progress.times),
    )


def _bench(
    place: Workplace, backend: Backend, recipe: Recipe, target: TargetSpec, plan: MeasurePlan
) -> Bench:
    job = place.job
    prepared = prepared_read(place.output)
    model = unpacked_model(place.inputs / job.model.path, place.output)
    artifact = place.output / prepared.artifact if prepared.artifact else model
    sample = place.inputs / job.sample_data.path if job.sample_data else None
    maker = input_maker(
        model, walk(model), job.dims, job.seed, memory_bytes=job.limits.memory_bytes, sample_data=sample
    )
    return Bench(place, backend, recipe, target, plan, prepared, artifact, maker)


def _single(bench: Bench) -> _First:
    """Load time excludes importing the library. Peak memory is read before any larger batch is tried."""
    bench.backend.check(bench.recipe, bench.target)  # imports the library
    feeds = bench.maker.feeds(0)
    begin = time.perf_counter_ns()
    session = bench.load()
    loaded = time.perf_counter_ns()
    call = session.bound(feeds)
    with library_errors(bench.backend.capabilities.title, compiling=False):
        start = time.perf_counter_ns()
        call()
        first = time.perf_counter_ns() - start
        samples = single_stream(call, bench.plan, bench.target.cores, bench.maker.bound_batch)
    bench.place.progress.report(0.5, f"{len(samples.nanoseconds)} queries one at a time")
    peak = peak_memory_bytes()
    effective = session.precision_effective
    if bench.recipe.precision is Precision.FP32 and effective in ("bf16", "fp16"):
        raise WhetstoneFailure("PRECISION_NOT_EFFECTIVE", f"Asked for fp32, ran in {effective}.")
    return _First((loaded - begin) / 1e6, first / 1e6, effective, session.device_effective, samples, peak)


def _offline(bench: Bench) -> list[Samples]:
    """One result per batch size: the better of one request at a time and, where it can help, many at once."""
    bound = bench.maker.bound_batch
    works = set(bench.prepared.batch_sizes)
    sizes = [size for size in bench.plan.batch_sizes if size in works] if bench.maker.batch_dims else []
    best = []
    for index, size in enumerate(sizes or [bound]):
        ways = [False, True] if bench.backend.saturates(bench.target) else [False]
        taken = [found for saturate in ways if (found := _saturated(bench, size, saturate=saturate))]
        if taken:
            best.append(max(taken, key=_rate))
        bench.place.progress.report(0.5 + 0.5 * (index + 1) / len(sizes or [bound]), f"batch {size}")
    return best


def _rate(samples: Samples) -> float:
    return samples.batch_size * len(samples.nanoseconds) / samples.duration_ns


def _saturated(bench: Bench, batch: int, *, saturate: bool) -> Samples | None:
    """None where this batch is too large for the job's memory: the smaller ones still count."""
    dynamic = batch if bench.maker.batch_dims else None
    try:
        session = bench.load(dynamic, saturate=saturate)
        call = session.bound(bench.maker.feeds(0, dynamic))
        with library_errors(bench.backend.capabilities.title, compiling=False):
            call()
            session.finish()
            return offline(call, session.finish, bench.plan.offline_seconds, bench.target.cores, batch)
    except (WhetstoneFailure, MemoryError) as error:
        limited = isinstance(error, MemoryError) or error.failure.code == "MEMORY_LIMIT"
        if not limited or batch == bench.maker.bound_batch:
            raise
        bench.place.progress.log(f"batch {batch} needs more memory than the job has; it is left out")
        return None
