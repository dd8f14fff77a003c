"""`bench`: each recipe's prepare and measure as processes of their own, then one table.

The processes are those of the platform (`run`), so a figure here is the figure there.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from optimizers.cli.child import child_run
from optimizers.cli.inspecting import print_failure
from optimizers.cli.table import print_json, print_table
from optimizers.host import local_targets
from optimizers.search.recipes import builtin_recipes
from optimizers.spec.codec import dumps
from optimizers.spec.errors import WhetstoneFailure
from optimizers.spec.host import TargetSpec
from optimizers.spec.job import FileRef, JobReport, JobSpec, Limits
from optimizers.spec.measurement import PLANS
from optimizers.spec.model import ModelDescription
from optimizers.spec.names import JobKind, Phase, Profile
from optimizers.spec.recipe import Recipe

_OUTPUT_BYTES = 20 << 30
USAGE_ERROR = 2
Say = Callable[[str], None]


class UsageError(Exception):
    """Arguments that make no sense; the text says which."""


@dataclass(frozen=True)
class BenchPlan:
    """What is to be done, after the arguments were understood. Files are copied into `folder`."""

    folder: Path
    model: FileRef
    sample_data: FileRef | None
    recipes: tuple[Recipe, ...]
    target: TargetSpec
    profile: Profile
    limits: Limits
    dims: Mapping[str, int]


def bench_command(options: argparse.Namespace) -> int:
    """Carry out the comparison; 0 where a recipe succeeded, 1 where none did, 2 for wrong arguments."""
    with ExitStack() as stack:
        folder = options.out or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="whetstone-bench-"))
        )
        try:
            plan = _plan(options, folder)
            say = stack.enter_context(_progress(quiet=options.json))
            described = _inspect(plan, say)
            reports = _measure_all(plan, _bound(plan, described), say)
        except UsageError as error:
            print(f"error: {error}", file=sys.stderr)
            return USAGE_ERROR
        except WhetstoneFailure as error:
            print_failure(error.failure)
            return 1
    if options.json:
        print_json(described, reports)
    else:
        print_table(described, plan.target, reports)
    return 0 if any(report.failure is None for _, report in reports) else 1


def _plan(options: argparse.Namespace, folder: Path) -> BenchPlan:
    for path in (options.model, options.sample_data):
        if path is not None and not path.is_file():
            raise UsageError(f"there is no file {path}")
    folder.mkdir(parents=True, exist_ok=True)
    return BenchPlan(
        folder=folder,
        model=_take(options.model, folder),
        sample_data=_take(options.sample_data, folder) if options.sample_data else None,
        recipes=_recipes(options.recipe),
        target=_target(options.cores),
        profile=Profile(options.profile),
        limits=Limits(options.time_limit, int(options.memory_gib * (1 << 30)), _OUTPUT_BYTES),
        dims=_dims(options.dim),
    )


def _take(path: Path, folder: Path) -> FileRef:
    """Copy an input into the jobs' folder under a bare name, external data beside an .onnx too."""
    target = folder / f"input-{path.name}"
    shutil.copyfile(path, target)
    with target.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return FileRef(target.name, path.name, digest, target.stat().st_size)


def _recipes(wanted: list[str]) -> tuple[Recipe, ...]:
    """The baseline always runs: everything is compared with it."""
    known = {recipe.id: recipe for recipe in builtin_recipes()}
    for recipe_id in wanted:
        if recipe_id not in known:
            raise UsageError(f"there is no recipe {recipe_id!r}; choose from {', '.join(known)}")
    return tuple(each for each in known.values() if not wanted or each.is_baseline or each.id in wanted)


def _target(cores: str | None) -> TargetSpec:
    if cores is None:
        return local_targets()[0]
    try:
        wanted = tuple(sorted({int(core) for core in cores.split(",")}))
    except ValueError:
        raise UsageError(f"--cores takes numbers like 0,1, not {cores!r}") from None
    allowed = {core for target in local_targets() for core in target.cores}
    if not wanted or not set(wanted) <= allowed:
        raise UsageError(f"this process may use the cores {', '.join(map(str, sorted(allowed)))}")
    return TargetSpec("bench", f"cores {','.join(map(str, wanted))}", wanted)


def _dims(given: list[str]) -> dict[str, int]:
    sizes = {}
    for each in given:
        name, equals, size = each.rpartition("=")
        if not equals or not size.isdecimal() or int(size) < 1:
            raise UsageError(f"--dim takes NAME=N with N at least 1, not {each!r}")
        sizes[name] = int(size)
    return sizes


def _bound(plan: BenchPlan, described: ModelDescription) -> dict[str, int]:
    """The sizes given, the suggested ones for the rest."""
    names = [dim.name for dim in described.dims]
    for name in plan.dims:
        if name not in names:
            known = f"its dynamic axes are {', '.join(names)}" if names else "it has no dynamic axis"
            raise UsageError(f"the model has no axis {name!r}; {known}")
    return {dim.name: plan.dims.get(dim.name, dim.suggested) for dim in described.dims}


def _inspect(plan: BenchPlan, say: Say) -> ModelDescription:
    say(f"reading {plan.model.filename}")
    job = JobSpec("inspect", JobKind.INSPECT, plan.model, plan.limits)
    report = child_run(_job_file(plan, job), plan.folder / "inspect", Phase.PREPARE, plan.limits, say)
    if report.failure is not None:
        raise _Refused(report)
    assert report.description is not None
    return report.description


class _Refused(WhetstoneFailure):
    def __init__(self, report: JobReport) -> None:
        assert report.failure is not None
        self.failure = report.failure
        Exception.__init__(self, report.failure.code)


def _measure_all(plan: BenchPlan, dims: dict[str, int], say: Say) -> list[tuple[Recipe, JobReport]]:
    reports = []
    for index, recipe in enumerate(plan.recipes):

        def tell(text: str, label: str = f"[{index + 1}/{len(plan.recipes)}] {recipe.label}") -> None:
            say(f"{label}: {text}")

        job = JobSpec(
            job_id=recipe.id,
            kind=JobKind.OPTIMIZE,
            model=plan.model,
            limits=plan.limits,
            dims=dims,
            recipe=recipe,
            target=plan.target,
            plan=PLANS[plan.profile],
            sample_data=plan.sample_data,
        )
        output = plan.folder / recipe.id
        reports.append((recipe, child_run(_job_file(plan, job), output, Phase.ALL, plan.limits, tell)))
    return reports


def _job_file(plan: BenchPlan, job: JobSpec) -> Path:
    path = plan.folder / f"job-{job.job_id}.json"
    path.write_text(dumps(job), encoding="utf-8")
    return path


def _progress(*, quiet: bool) -> _Spinner:
    return _Spinner(quiet=quiet)


class _Spinner:
    """A line on standard error that says what is being done; plain lines where that is no terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def __enter__(self) -> Say:
        from rich.console import Console

        console = Console(stderr=True, quiet=self._quiet)
        self._status = console.status("") if console.is_terminal and not self._quiet else None
        if self._status is not None:
            self._status.start()
            return self._status.update
        self._last = ""
        return lambda text: self._line(console.print, text)

    def _line(self, write: Callable[[str], None], text: str) -> None:
        """Without a terminal only stages are worth a line, not every step of progress."""
        if text.split("%", 1)[0] != self._last and "%" not in text:
            self._last = text
            write(text)

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()
