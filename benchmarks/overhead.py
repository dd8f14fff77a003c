"""A run through the platform against the same jobs through `python -m optimizers` directly."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from benchmarks.common import Figure, demo_model, tell
from optimizers.search.recipes import builtin_recipes
from optimizers.spec.codec import dumps, loads
from optimizers.spec.host import Probe, TargetSpec
from optimizers.spec.job import FileRef, JobSpec, Limits
from optimizers.spec.measurement import PLANS
from optimizers.spec.names import JobKind, Profile
from optimizers.spec.recipe import Recipe, fingerprint
from tests.servers.processes import ROOT, free_port


def platform_run(data: Path) -> tuple[float, dict[str, int], list[tuple[str, int]]]:
    """Seconds from the run's creation to its end, its axes, and (recipe fingerprint, cores) of each job."""
    command = [sys.executable, str(ROOT / "manage.py"), "up", "--demo", "--once", "--port", str(free_port())]
    subprocess.run([*command, "--data-dir", str(data)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    with sqlite3.connect(data / "whetstone.sqlite3") as database:
        created, ended, dims = database.execute("select created_at, ended_at, dims from runs_run").fetchone()
        jobs = database.execute(
            "select recipe_fingerprint, json_array_length(t.cores) from runs_job j "
            "join fleet_target t on t.id = j.target_id where j.state = 'succeeded' order by j.id"
        ).fetchall()
    seconds = (datetime.fromisoformat(ended) - datetime.fromisoformat(created)).total_seconds()
    return seconds, json.loads(dims), jobs


def specs(dims: dict[str, int], jobs: list[tuple[str, int]], folder: Path) -> Iterator[JobSpec]:
    model = folder / "model.onnx"
    model.write_bytes(demo_model().read_bytes())
    recipes = {fingerprint(recipe): recipe for recipe in builtin_recipes()}
    probe = subprocess.run(
        [sys.executable, "-m", "optimizers", "probe"], cwd=ROOT, check=True, capture_output=True
    )
    targets = {len(target.cores): target for target in loads(Probe, probe.stdout).targets}
    sha256 = subprocess.run(["sha256sum", model], check=True, capture_output=True, text=True).stdout.split()[
        0
    ]
    file = FileRef(model.name, model.name, sha256, model.stat().st_size)
    for number, (recipe, cores) in enumerate(jobs):
        yield job_spec(f"job_{number}", file, dims, recipes[recipe], targets[cores])


def job_spec(name: str, model: FileRef, dims: dict[str, int], recipe: Recipe, target: TargetSpec) -> JobSpec:
    limits = Limits(600.0, 8 << 30, 4 << 30)
    plan = PLANS[Profile.QUICK]
    return JobSpec(name, JobKind.OPTIMIZE, model, limits, dims, recipe, target, plan)


def direct_seconds(jobs: list[JobSpec], folder: Path) -> float:
    """The same two processes per job that the runner starts, one after the other."""
    start = time.monotonic()
    for spec in jobs:
        (folder / "job.json").write_text(dumps(spec), encoding="utf-8")
        for phase in ("prepare", "measure"):
            command = [sys.executable, "-m", "optimizers", "run", "job.json", "--out", spec.job_id]
            environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
            subprocess.run([*command, "--phase", phase], cwd=folder, env=environment, check=True)
    return time.monotonic() - start


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="whetstone-bench-") as name:
        folder = Path(name)
        through, dims, jobs = platform_run(folder / "data")
        direct = direct_seconds(list(specs(dims, jobs, folder)), folder)
    note = f"{through:.1f} s against {direct:.1f} s, {len(jobs)} jobs"
    return [tell(Figure("platform_overhead", through / direct, "x", at_most=1.10, note=note))]


if __name__ == "__main__":
    sys.exit(not all(figure.reached for figure in figures()))
