"""The comparison at the terminal, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from optimizers.spec.codec import to_json
from optimizers.spec.host import TargetSpec
from optimizers.spec.job import JobReport
from optimizers.spec.measurement import Measurement
from optimizers.spec.model import ModelDescription
from optimizers.spec.names import Scenario, Status, Verdict
from optimizers.spec.recipe import Recipe
from optimizers.text import safe_name

Rows = Sequence[tuple[Recipe, JobReport]]


def single_stream_of(report: JobReport) -> Measurement | None:
    return next((m for m in report.measurements if m.scenario is Scenario.SINGLE_STREAM), None)


def best_throughput_of(report: JobReport) -> Measurement | None:
    offline = [m for m in report.measurements if m.scenario is Scenario.OFFLINE]
    return max(offline, key=lambda m: m.throughput_per_s, default=None)


def fastest(rows: Rows) -> tuple[Recipe, float] | None:
    """The recipe with the lowest p50 among those that give the same answers, and its speed-up."""
    baseline = next((single_stream_of(report) for recipe, report in rows if recipe.is_baseline), None)
    best: tuple[float, Recipe] | None = None
    for recipe, report in rows:
        single = single_stream_of(report)
        same = report.quality is not None and report.quality.verdict is Verdict.PASS
        if single and same and (best is None or single.latency_ms.p50 < best[0]):
            best = (single.latency_ms.p50, recipe)
    if best is None or baseline is None:
        return None
    return best[1], baseline.latency_ms.p50 / best[0]


def print_json(described: ModelDescription, rows: Rows) -> None:
    """One object: the description, and per recipe its id and report."""
    found = fastest(rows)
    document: dict[str, object] = {
        "description": to_json(described),
        "results": [{"recipe": recipe.id, "report": to_json(report)} for recipe, report in rows],
        "fastest": {"recipe": found[0].id, "speedup": round(found[1], 3)} if found else None,
    }
    print(json.dumps(document, indent=2))


def print_table(described: ModelDescription, target: TargetSpec, rows: Rows) -> None:
    """The table, what failed and why, and which recipe is fastest with the same answers."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    sizes = ", ".join(f"{safe_name(name, 40)}={size}" for name, size in described.flops_at.items())
    table = Table(title=Text(f"{target.name}{f' · {sizes}' if sizes else ''}"), title_justify="left")
    for title in ("recipe", "ran in", "answers", "max abs"):
        table.add_column(title, justify="right" if title == "max abs" else "left")
    for title in ("p50 ms", "p95 ms", "speed-up", "items/s", "batch", "memory", "size", "load ms"):
        table.add_column(title, justify="right")
    baseline = next((single_stream_of(report) for recipe, report in rows if recipe.is_baseline), None)
    for recipe, report in rows:
        table.add_row(*_cells(recipe, report, baseline))
    console.print(table)
    for recipe, report in rows:
        for note in _notes(report):
            console.print(Text(f"{recipe.label}: {note}"), soft_wrap=True)
    found = fastest(rows)
    if found is None:
        console.print("No recipe gave the uploaded model's answers.")
    elif found[0].is_baseline:
        console.print("Nothing was faster than the model as uploaded with the same answers.")
    else:
        console.print(f"Fastest with the same answers: {found[0].label}, {found[1]:.2f}x.")


def _cells(recipe: Recipe, report: JobReport, baseline: Measurement | None) -> list[str]:
    single, best = single_stream_of(report), best_throughput_of(report)
    if report.failure is not None or single is None:
        code = report.failure.code if report.failure else "no result"
        return [recipe.label, "-", code, *["-"] * 9]
    quality = report.quality
    mark = "" if single.status is Status.VALID else " *"
    return [
        recipe.label,
        report.precision_effective or "-",
        str(quality.verdict) if quality else "-",
        _figure(quality.max_abs if quality else None, "{:.1e}"),
        f"{single.latency_ms.p50:.3g}{mark}",
        _figure(single.latency_ms.p95, "{:.3g}"),
        f"{baseline.latency_ms.p50 / single.latency_ms.p50:.2f}x" if baseline else "-",
        _figure(best.throughput_per_s if best else None, "{:.4g}"),
        str(best.batch_size) if best else "-",
        _megabytes(report.peak_memory_bytes),
        _megabytes(report.artifact_size_bytes),
        _figure(report.load_ms, "{:.0f}"),
    ]


def _figure(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def _megabytes(value: int | None) -> str:
    return "-" if value is None else f"{value / 1e6:.1f} MB"


def _notes(report: JobReport) -> list[str]:
    if report.failure is not None:
        return [f"{report.failure.code}: {report.failure.message} {report.failure.hint}"]
    notes = [f"{finding.message}" for finding in report.findings]
    if report.quality is not None and report.quality.note:
        notes.append(report.quality.note)
    single = single_stream_of(report)
    if single is not None and single.status is not Status.VALID:
        notes.append(f"* {single.status}: {single.status_reason}")
    return notes
