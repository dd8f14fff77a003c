"""Our p50 against a bare loop around the same session and against OpenVINO's benchmark_app, one core; and the
speed-ups of the demo's model.

Runs are interleaved and the best of each side counts: a neighbour on the machine slows a run, nothing speeds
one up.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.common import SIDE, Figure, demo_model, tell
from tests.servers.processes import ROOT

ROUNDS = 3
SECONDS = 6
RECIPES = {"ort-optimized": "onnxruntime", "openvino-f32": "openvino"}
Results = dict[str, Any]


def run(*command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout


def ours(model: Path, axes: list[str], recipes: list[str]) -> Results:
    """`python -m optimizers bench` on core 0: the report of each recipe by its id."""
    dims = [part for axis in axes for part in ("--dim", axis)]
    chosen = [part for recipe in recipes for part in ("--recipe", recipe)]
    bench = [sys.executable, "-m", "optimizers", "bench", str(model), *dims, *chosen]
    document = json.loads(run(*bench, "--cores", "0", "--profile", "standard", "--json"))
    return {row["recipe"]: row["report"] for row in document["results"]}


def axes_of(model: Path) -> list[str]:
    """The dynamic axes bound as the demo binds them: batch 1, height and width SIDE."""
    document = json.loads(run(sys.executable, "-m", "optimizers", "inspect", str(model), "--json"))
    description = document.get("description", document)
    return [f"{dim['name']}={1 if dim['is_batch'] else SIDE}" for dim in description["dims"]]


def p50(report: Results) -> float:
    single = next(m for m in report["measurements"] if m["scenario"] == "SingleStream")
    return float(single["latency_ms"]["p50"])


def bare(backend: str, model: Path) -> float:
    return float(run(sys.executable, "-m", "benchmarks.bare_loop", backend, str(model), str(SECONDS)))


def benchmark_app(model: Path) -> float:
    """OpenVINO's own tool: synchronous, one request, fp32, the latency hint's own settings on one core."""
    tool = str(Path(sys.executable).parent / "benchmark_app")
    one = ["-api", "sync", "-hint", "none", "-nireq", "1", "-nthreads", "1", "-nstreams", "1"]
    shape = ["-shape", f"[1,3,{SIDE},{SIDE}]", "-infer_precision", "f32", "-t", str(SECONDS)]
    output = run("taskset", "-c", "0", tool, "-m", str(model), "-d", "CPU", *one, *shape)
    median = re.search(r"Median:\s+([0-9.]+) ms", output)
    if median is None:
        raise SystemExit(output[-2000:])
    return float(median.group(1))


def difference(name: str, our: list[float], other: list[float]) -> Figure:
    percent = 100 * abs(min(our) / min(other) - 1)
    note = f"{min(our):.3f} ms against {min(other):.3f} ms"
    return tell(Figure(name, percent, "%", at_most=3, note=note))


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="whetstone-bench-") as folder:
        model = Path(folder) / "model.onnx"
        model.write_bytes(demo_model().read_bytes())
        axes = axes_of(model)
        our: dict[str, list[float]] = {recipe: [] for recipe in RECIPES}
        loop: dict[str, list[float]] = {recipe: [] for recipe in RECIPES}
        app: list[float] = []
        for _ in range(ROUNDS):
            reports = ours(model, axes, list(RECIPES))
            for recipe, backend in RECIPES.items():
                our[recipe].append(p50(reports[recipe]))
                loop[recipe].append(bare(backend, model))
            app.append(benchmark_app(model))
        found = [difference(f"{recipe}_p50_vs_bare_loop", our[recipe], loop[recipe]) for recipe in RECIPES]
        found.append(difference("openvino-f32_p50_vs_benchmark_app", our["openvino-f32"], app))
        return found + speedups(ours(model, axes, []))


def speedups(reports: Results) -> list[Figure]:
    """Every recipe against the model as uploaded; the best with effective fp32 has a figure to reach."""
    baseline = p50(reports["as-uploaded"])
    rows = {recipe: report for recipe, report in reports.items() if not report["failure"]}
    for recipe, report in rows.items():
        quality = report["quality"] or {}
        note = f"{report['precision_effective']}, {quality.get('verdict')}, max abs {quality.get('max_abs')}"
        tell(Figure(f"speedup_{recipe}", baseline / p50(report), "x", note=note))
    fp32 = [report for report in rows.values() if report["precision_effective"] == "fp32"]
    best = min(fp32, key=p50)
    return [
        tell(Figure("best_fp32_speedup", baseline / p50(best), "x", at_least=1.8)),
        tell(Figure("best_fp32_max_abs", best["quality"]["max_abs"], "", at_most=1e-3)),
    ]


if __name__ == "__main__":
    sys.exit(not all(figure.reached for figure in figures()))
