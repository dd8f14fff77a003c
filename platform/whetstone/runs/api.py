"""Runs and jobs."""

from typing import Annotated

from ninja import Query, Router, Schema
from pydantic import Field

from optimizers.search.recipes import builtin_recipes
from optimizers.spec.recipe import Recipe, fingerprint
from whetstone.accounts.auth import ApiRequest
from whetstone.core.idempotency import idempotent
from whetstone.core.pagination import PageOut, PageQuery
from whetstone.runs import queries, services
from whetstone.runs.domain import fake_recipes
from whetstone.runs.schemas import (
    MAX_TOKEN,
    JobEventsOut,
    JobOut,
    RecipeItem,
    RecipesOut,
    RunIn,
    RunOut,
    RunStateName,
)
from whetstone.runs.services import RunRequest
from whetstone.runs.shapes import event_out, job_out, run_out

router = Router()
RUNS, JOBS = ["Runs"], ["Jobs"]


class RunQuery(PageQuery):
    version_id: Annotated[str, Field(max_length=60)] | None = None
    model_id: Annotated[str, Field(max_length=60)] | None = None
    state: RunStateName | None = None


class EventQuery(Schema):
    after: int = Field(0, ge=0, le=MAX_TOKEN, description="The last `seq` that you have.")
    limit: int = Field(200, ge=1, le=1000)


@router.get(
    "/recipes", response=RecipesOut, operation_id="recipe_list", summary="List recipes", tags=["Recipes"]
)
def recipe_list(request: ApiRequest) -> RecipesOut:
    """The built-in recipes in the order of trying; the first is the baseline."""
    return RecipesOut(items=[_recipe_item(recipe) for recipe in builtin_recipes(fake=fake_recipes())])


@router.post("/runs", response={201: RunOut}, operation_id="run_start", summary="Start a run", tags=RUNS)
@idempotent(status=201)
def run_start(request: ApiRequest, body: RunIn) -> RunOut:
    """Tries recipes on targets and compares them with the model as uploaded. A mail tells the end."""
    version = queries.version_get(request.workspace, body.version_id)
    dataset = queries.dataset_get(request.workspace, body.dataset_id) if body.dataset_id else None
    run = services.run_start(
        workspace=request.workspace,
        user=request.user,
        version=version,
        dataset=dataset,
        request=RunRequest(
            target_ids=body.target_ids,
            recipe_ids=body.recipe_ids,
            dims=body.dims,
            profile=body.profile,
            objective=body.objective,
            sla_p99_ms=body.sla_p99_ms,
            name=body.name,
            time_limit_minutes=body.time_limit_minutes,
        ),
    )
    return run_out(queries.run_view(request.workspace, run.pk))


@router.get("/runs", response=PageOut[RunOut], operation_id="run_list", summary="List runs", tags=RUNS)
def run_list(request: ApiRequest, query: Query[RunQuery]) -> PageOut[RunOut]:
    """The workspace's runs, newest first."""
    found = queries.runs_page(
        request.workspace,
        cursor=query.cursor,
        limit=query.limit,
        version_id=query.version_id,
        model_id=query.model_id,
        state=query.state,
    )
    return PageOut[RunOut](items=[run_out(view) for view in found.items], next_cursor=found.next_cursor)


@router.get("/runs/{run_id}", response=RunOut, operation_id="run_get", summary="Get a run", tags=RUNS)
def run_get(request: ApiRequest, run_id: str) -> RunOut:
    """Its state, how far it is and, at its end, what won."""
    return run_out(queries.run_view(request.workspace, run_id))


@router.post(
    "/runs/{run_id}/cancel",
    response={202: RunOut},
    operation_id="run_cancel",
    summary="Cancel a run",
    tags=RUNS,
)
def run_cancel(request: ApiRequest, run_id: str) -> tuple[int, RunOut]:
    """Waiting jobs are cancelled at once, running ones are asked to stop. What is done stays."""
    services.run_cancel(run=queries.run_get(request.workspace, run_id))
    return 202, run_out(queries.run_view(request.workspace, run_id))


@router.post(
    "/runs/{run_id}/retry", response={201: RunOut}, operation_id="run_retry", summary="Retry a run", tags=RUNS
)
@idempotent(status=201)
def run_retry(request: ApiRequest, run_id: str) -> RunOut:
    """A new run of the jobs that did not succeed, with the baselines that they are compared with."""
    run = queries.run_get(request.workspace, run_id)
    new = services.run_retry(run=run, user=request.user)
    return run_out(queries.run_view(request.workspace, new.pk))


@router.get(
    "/runs/{run_id}/jobs",
    response=PageOut[JobOut],
    operation_id="job_list",
    summary="List a run's jobs",
    tags=JOBS,
)
def job_list(request: ApiRequest, run_id: str, page: Query[PageQuery]) -> PageOut[JobOut]:
    """In the order of trying: every target's baseline first. Without measurements."""
    found = queries.jobs_page(request.workspace, run_id, cursor=page.cursor, limit=page.limit)
    return PageOut[JobOut](items=[job_out(view) for view in found.items], next_cursor=found.next_cursor)


@router.get("/jobs/{job_id}", response=JobOut, operation_id="job_get", summary="Get a job", tags=JOBS)
def job_get(request: ApiRequest, job_id: str) -> JobOut:
    """With its stages, its files and everything that it measured."""
    return job_out(queries.job_view(request.workspace, job_id), with_measurements=True)


@router.get(
    "/jobs/{job_id}/events",
    response=JobEventsOut,
    operation_id="job_events",
    summary="Follow a job's log",
    tags=JOBS,
)
def job_events(request: ApiRequest, job_id: str, query: Query[EventQuery]) -> JobEventsOut:
    """What happened, oldest first; ask again with `after` to follow it."""
    job = queries.job_get(request.workspace, job_id)
    items = [event_out(event) for event in queries.events_after(job, after=query.after, limit=query.limit)]
    return JobEventsOut(items=items, last_seq=items[-1].seq if items else query.after)


@router.post(
    "/jobs/{job_id}/cancel",
    response={202: JobOut},
    operation_id="job_cancel",
    summary="Cancel a job",
    tags=JOBS,
)
def job_cancel(request: ApiRequest, job_id: str) -> tuple[int, JobOut]:
    """At once if it waits; a running one is asked and stops within seconds."""
    services.job_cancel(job=queries.job_get(request.workspace, job_id))
    return 202, job_out(queries.job_view(request.workspace, job_id), with_measurements=True)


@router.post(
    "/jobs/{job_id}/retry", response={201: JobOut}, operation_id="job_retry", summary="Retry a job", tags=JOBS
)
@idempotent(status=201)
def job_retry(request: ApiRequest, job_id: str) -> JobOut:
    """The same work as a new job, while its run is open. After that, retry the run."""
    new = services.job_retry(job=queries.job_get(request.workspace, job_id))
    return job_out(queries.job_view(request.workspace, new.pk), with_measurements=True)


def _recipe_item(recipe: Recipe) -> RecipeItem:
    return RecipeItem(
        id=recipe.id,
        label=recipe.label,
        description=recipe.description,
        backend=recipe.backend,
        precision=str(recipe.precision),
        is_baseline=recipe.is_baseline,
        fingerprint=fingerprint(recipe),
        recipe=recipe,
    )
