"""A child process of api_latency.py: finished runs with measured jobs, for the workspace of a token.

python -m benchmarks.fill TOKEN JOBS      prints the id of the last run
"""

from __future__ import annotations

import sys
from datetime import timedelta
from hashlib import sha256
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from optimizers.search.recipes import builtin_recipes  # noqa: E402
from optimizers.spec.codec import to_json  # noqa: E402
from optimizers.spec.host import HostFingerprint, fingerprint_hash  # noqa: E402
from optimizers.spec.job import JobReport  # noqa: E402
from optimizers.spec.measurement import PLANS, Percentiles, Quality  # noqa: E402
from optimizers.spec.measurement import Measurement as Result  # noqa: E402
from optimizers.spec.names import JobKind, Profile, Scenario, Status, Verdict  # noqa: E402
from optimizers.spec.recipe import Recipe, fingerprint  # noqa: E402
from whetstone.accounts.models import ApiToken, Workspace  # noqa: E402
from whetstone.core.ids import new_id  # noqa: E402
from whetstone.fleet.models import Host, Target  # noqa: E402
from whetstone.registry.models import Artifact, ModelVersion, RegisteredModel  # noqa: E402
from whetstone.runs.models import Job, Measurement, Run  # noqa: E402

HOST = HostFingerprint("Bench CPU", ("avx2",), "x86_64", 2, 2, 2**34, "6.1", "Linux", "3.11")
PER_RUN = 12


def workspace_of(token: str) -> Workspace:
    return ApiToken.objects.get(hash=sha256(token.encode()).hexdigest()).workspace


def targets() -> list[Target]:
    fields: dict[str, Any] = {"credential_hash": "bench", "fingerprint": to_json(HOST)}
    host, _ = Host.objects.get_or_create(
        name="bench", defaults={**fields, "fingerprint_hash": fingerprint_hash(HOST)}
    )
    cores = {"bench-one": [0], "bench-all": [0, 1]}
    return [
        Target.objects.get_or_create(slug=slug, defaults={"name": slug, "host": host, "cores": share})[0]
        for slug, share in cores.items()
    ]


def version_of(workspace: Workspace) -> ModelVersion:
    model = RegisteredModel.objects.create(workspace=workspace, name=new_id("bench"))
    source = Artifact.objects.create(
        workspace=workspace,
        kind="source_model",
        filename="m.onnx",
        sha256="0" * 64,
        size_bytes=1,
        storage_key=new_id("key"),
    )
    return ModelVersion.objects.create(
        model=model,
        number=1,
        state="ready",
        filename="m.onnx",
        format="onnx",
        size_bytes=1,
        sha256="0" * 64,
        source_artifact=source,
    )


def result_of(recipe: Recipe, target: Target, scenario: Scenario) -> Result:
    p50 = 5.0 + sum(map(ord, recipe.id)) % 7
    cores = tuple(target.cores)
    latency = Percentiles(p50, p50 * 1.1, p50 * 1.2, p50 * 1.4)
    return Result(
        scenario, 1, len(cores), cores, 700, 50, 4.0, latency, p50, p50, p50 * 2, 1e3 / p50, Status.VALID, ""
    )


def report_of(job: str, recipe: Recipe, results: tuple[Result, ...]) -> JobReport:
    quality = Quality(Verdict.PASS, 1e-6, 1e-6, 1.0, None)
    return JobReport(
        job,
        precision_effective=str(recipe.precision),
        device_effective="cpu",
        quality=quality,
        measurements=results,
        artifact_size_bytes=5_000_000,
        load_ms=80.0,
        first_inference_ms=9.0,
        compile_s=1.0,
        peak_memory_bytes=300_000_000,
        fingerprint=HOST,
    )


def times() -> dict[str, Any]:
    now = timezone.now()
    return {"deadline_at": now + timedelta(hours=1), "started_at": now, "ended_at": now}


def run_of(workspace: Workspace, version: ModelVersion) -> Run:
    plan = {"measure": to_json(PLANS[Profile.QUICK])}
    words = {"state": "succeeded", "profile": "quick", "objective": "latency"}
    return Run(id=new_id("run"), workspace=workspace, version=version, plan=plan, **words, **times())


def job_of(run: Run, target: Target, recipe: Recipe, results: tuple[Result, ...]) -> Job:
    job_id = new_id("job")
    return Job(
        id=job_id,
        workspace=run.workspace,
        run=run,
        version=run.version,
        kind=JobKind.OPTIMIZE,
        target=target,
        recipe=to_json(recipe),
        recipe_fingerprint=fingerprint(recipe),
        recipe_label=recipe.label,
        is_baseline=recipe.is_baseline,
        state="succeeded",
        progress=1.0,
        attempt=1,
        lease_token=1,
        report=to_json(report_of(job_id, recipe, results)),
        fingerprint_hash=fingerprint_hash(HOST),
        **times(),
    )


def measurement_of(job: Job, result: Result) -> Measurement:
    fields = {"scenario": str(result.scenario), "batch_size": 1, "data": to_json(result)}
    return Measurement(id=new_id("mea"), job=job, attempt_token=1, **fields)


def run_rows(run: Run, places: list[Target]) -> tuple[list[Job], list[Measurement]]:
    jobs: list[Job] = []
    measurements: list[Measurement] = []
    for target in places:
        for recipe in builtin_recipes():
            results = tuple(result_of(recipe, target, s) for s in (Scenario.SINGLE_STREAM, Scenario.OFFLINE))
            jobs.append(job_of(run, target, recipe, results))
            measurements += [measurement_of(jobs[-1], result) for result in results]
    return jobs, measurements


def main() -> None:
    workspace, places = workspace_of(sys.argv[1]), targets()
    version = version_of(workspace)
    left, last = int(sys.argv[2]), ""
    while left > 0:
        runs = [run_of(workspace, version) for _ in range(min(200, -(-left // PER_RUN)))]
        rows = [run_rows(run, places) for run in runs]
        Run.objects.bulk_create(runs)
        Job.objects.bulk_create([job for jobs, _ in rows for job in jobs], batch_size=500)
        Measurement.objects.bulk_create([m for _, found in rows for m in found], batch_size=1000)
        left -= sum(len(jobs) for jobs, _ in rows)
        last = runs[-1].id
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(last)


if __name__ == "__main__":
    main()
