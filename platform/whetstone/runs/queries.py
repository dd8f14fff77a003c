"""Reads of runs, workspace first. Another workspace's run or job is NotFound. Every list is a constant
number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Min, Model, QuerySet

from optimizers.spec.codec import from_json
from optimizers.spec.measurement import MeasurePlan
from whetstone.accounts.models import Workspace
from whetstone.core.errors import BadRequest, NotFound
from whetstone.core.ids import is_id
from whetstone.core.pagination import Page, page_of
from whetstone.registry.models import Artifact, Dataset, ModelVersion
from whetstone.runs.domain import OPEN_JOB, JobState, planned_seconds, seconds_left
from whetstone.runs.models import Job, JobEvent, Measurement, Run

RowT = TypeVar("RowT", bound=Model)


@dataclass(frozen=True, slots=True)
class TargetName:
    id: str
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class RunView:
    """`counts`: jobs by state. `seconds_left`: a guess, None for a run that has ended."""

    run: Run
    counts: dict[str, int]
    targets: list[TargetName]
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class JobView:
    job: Job
    artifacts: list[Artifact] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)


def version_get(workspace: Workspace, version_id: str) -> ModelVersion:
    return _one(ModelVersion.objects.filter(model__workspace=workspace).select_related("model"), version_id)


def dataset_get(workspace: Workspace, dataset_id: str) -> Dataset:
    return _one(Dataset.objects.filter(workspace=workspace), dataset_id)


def run_get(workspace: Workspace, run_id: str) -> Run:
    return _one(Run.objects.filter(workspace=workspace).select_related("version__model"), run_id)


def run_view(workspace: Workspace, run_id: str) -> RunView:
    return _run_views([run_get(workspace, run_id)])[0]


def runs_page(
    workspace: Workspace,
    *,
    cursor: str | None,
    limit: int,
    version_id: str | None = None,
    model_id: str | None = None,
    state: str | None = None,
) -> Page[RunView]:
    """Three queries, newest first."""
    rows = Run.objects.filter(workspace=workspace).select_related("version__model")
    if version_id:
        rows = rows.filter(version_id=version_id)
    if model_id:
        rows = rows.filter(version__model_id=model_id)
    if state:
        rows = rows.filter(state=state)
    page = page_of(rows, cursor=cursor, limit=limit)
    return Page(_run_views(page.items), page.next_cursor)


def _run_views(runs: Sequence[Run]) -> list[RunView]:
    spent = ExpressionWrapper(F("ended_at") - F("started_at"), output_field=DurationField())
    rows = (
        Job.objects.filter(run_id__in=[run.pk for run in runs])
        .order_by()
        .values("run_id", "state", "target_id", "target__slug", "target__name")
        .annotate(n=Count("pk"), first=Min("pk"), spent=Avg(spent))
    )
    by_run: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row["first"]):
        by_run[row["run_id"]].append(dict(row))
    return [_run_view(run, by_run[run.pk]) for run in runs]


def _run_view(run: Run, rows: list[dict[str, Any]]) -> RunView:
    counts = dict.fromkeys(JobState.values, 0)
    waiting: dict[str, int] = defaultdict(int)
    targets: dict[str, TargetName] = {}
    for row in rows:
        counts[row["state"]] += row["n"]
        targets.setdefault(
            row["target_id"], TargetName(row["target_id"], row["target__slug"], row["target__name"])
        )
        if row["state"] in OPEN_JOB:
            waiting[row["target_id"]] += row["n"]
    left = None
    if run.ended_at is None:
        done = [row for row in rows if row["state"] == JobState.SUCCEEDED and row["spent"]]
        finished = [row["spent"].total_seconds() for row in done for _ in range(row["n"])]
        plan = planned_seconds(from_json(MeasurePlan, run.plan["measure"]))
        left = seconds_left(waiting=waiting.values(), finished_seconds=finished, planned_seconds=plan)
    return RunView(run, counts, list(targets.values()), left)


def job_get(workspace: Workspace, job_id: str) -> Job:
    return _one(Job.objects.filter(workspace=workspace).select_related("target").defer("report"), job_id)


def job_view(workspace: Workspace, job_id: str) -> JobView:
    """With its measurements."""
    job = job_get(workspace, job_id)
    measurements = list(Measurement.objects.filter(job=job).order_by("pk"))
    return JobView(job, _artifacts([job.pk])[job.pk], measurements)


def jobs_page(workspace: Workspace, run_id: str, *, cursor: str | None, limit: int) -> Page[JobView]:
    """A run's jobs in the order of trying, baselines first; without measurements."""
    run = run_get(workspace, run_id)
    rows = Job.objects.filter(run=run).select_related("target").defer("report")
    if cursor:
        if not is_id(cursor):
            raise BadRequest("CURSOR_INVALID")
        rows = rows.filter(pk__gt=cursor)
    found = list(rows.order_by("pk")[: limit + 1])
    shown, more = found[:limit], len(found) > limit
    artifacts = _artifacts([job.pk for job in shown])
    views = [JobView(job, artifacts[job.pk]) for job in shown]
    return Page(views, shown[-1].pk if more else None)


def events_after(job: Job, *, after: int, limit: int) -> list[JobEvent]:
    """In the order of happening; `after` is the last `seq` that the reader has."""
    return list(JobEvent.objects.filter(job=job, seq__gt=after).order_by("seq")[:limit])


def _artifacts(job_ids: Iterable[str]) -> dict[str, list[Artifact]]:
    found: dict[str, list[Artifact]] = defaultdict(list)
    for artifact in Artifact.objects.filter(created_by_job_id__in=list(job_ids)).order_by("pk"):
        found[artifact.created_by_job_id or ""].append(artifact)
    return found


def _one(rows: QuerySet[RowT, RowT], key: str) -> RowT:
    found = rows.filter(pk=key[:60]).first()
    if found is None:
        raise NotFound()
    return found
