"""Starting a run: one transaction writes it, its jobs, their events and the first hints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction

from optimizers.search.recipes import builtin_recipes
from optimizers.spec.codec import to_json
from optimizers.spec.measurement import MIN_SAMPLES, PLANS, MeasurePlan
from optimizers.spec.names import JobKind, Objective, Profile
from optimizers.spec.recipe import Recipe, fingerprint
from whetstone.accounts.models import User, Workspace
from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict, FieldError, Unprocessable
from whetstone.core.ids import new_id
from whetstone.fleet.models import Target
from whetstone.fleet.queries import targets_active, targets_online
from whetstone.registry.models import CheckState, Dataset, ModelVersion
from whetstone.runs.domain import JobState, fake_recipes
from whetstone.runs.models import Job, Run
from whetstone.runs.services.transitions import job_dispatch, state_events, target_dispatch_next

INSPECT_DEADLINE = timedelta(hours=24)
SLA_MAX_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What the user asks for; `target_ids` and `recipe_ids` None: all that are online, all there are."""

    target_ids: Sequence[str] | None = None
    recipe_ids: Sequence[str] | None = None
    dims: Mapping[str, int] | None = None
    profile: Profile = Profile.QUICK
    objective: Objective = Objective.LATENCY
    sla_p99_ms: float | None = None
    name: str = ""
    time_limit_minutes: int = 60


@dataclass(frozen=True, slots=True)
class PlannedJob:
    """One recipe on one target, and why it is tried."""

    target: Target
    recipe: Recipe
    why: str
    retry_of: str | None = None


@transaction.atomic
def run_start(
    *, workspace: Workspace, user: User, version: ModelVersion, dataset: Dataset | None, request: RunRequest
) -> Run:
    """A run with a job per recipe and target, baselines first.

    Conflict("VERSION_NOT_READY", "DATASET_NOT_READY"); Unprocessable("NO_TARGET", "NO_RECIPE",
    "DIM_UNKNOWN", "INPUT_SHAPE_NEEDED"), which name what is meant.
    """
    if version.state != CheckState.READY:
        raise Conflict("VERSION_NOT_READY")
    if dataset is not None and dataset.state != CheckState.READY:
        raise Conflict("DATASET_NOT_READY")
    targets = _targets(request.target_ids)
    recipes = _recipes(request.recipe_ids)
    plan = measure_plan(request.profile, request.sla_p99_ms)
    now = db_now()
    run = Run.objects.create(
        workspace=workspace,
        version=version,
        user=user,
        name=request.name,
        profile=str(request.profile),
        objective=str(request.objective),
        sla_p99_ms=request.sla_p99_ms,
        dims=_dims(version, request.dims or {}),
        dataset=dataset,
        plan={
            "measure": to_json(plan),
            "target_ids": [target.pk for target in targets],
            "recipe_ids": [recipe.id for recipe in recipes],
            "time_limit_minutes": request.time_limit_minutes,
        },
        deadline_at=now + timedelta(minutes=request.time_limit_minutes),
        created_at=now,
    )
    chosen = request.recipe_ids is not None
    jobs = [PlannedJob(target, recipe, _why(recipe, chosen)) for target in targets for recipe in recipes]
    run_jobs_create(run=run, planned=jobs, now=now)
    return run


def run_jobs_create(*, run: Run, planned: Sequence[PlannedJob], now: datetime) -> None:
    """The jobs of a new run, every target's baseline before the rest, and a hint for each target."""
    in_order = sorted(planned, key=lambda job: not job.recipe.is_baseline)
    jobs = [job_new(run=run, planned=job, now=now) for job in in_order]
    Job.objects.bulk_create(jobs)
    state_events([job.pk for job in jobs], state=JobState.QUEUED)
    for target_id in dict.fromkeys(job.target_id for job in jobs):
        target_dispatch_next(target_id=target_id, cause=f"start:{run.pk}", now=now)


def job_new(*, run: Run, planned: PlannedJob, now: datetime) -> Job:
    """A queued job, not saved yet."""
    return Job(
        id=new_id("job"),
        workspace_id=run.workspace_id,
        run=run,
        version_id=run.version_id,
        kind=str(JobKind.OPTIMIZE),
        target=planned.target,
        recipe=to_json(planned.recipe),
        recipe_fingerprint=fingerprint(planned.recipe),
        recipe_label=planned.recipe.label[:100],
        is_baseline=planned.recipe.is_baseline,
        why=planned.why,
        retry_of_id=planned.retry_of,
        available_at=now,
        deadline_at=run.deadline_at,
        created_at=now,
    )


@transaction.atomic
def inspect_start(*, version: ModelVersion) -> Job:
    """The inspection of a version that has just been uploaded."""
    now = db_now()
    job = Job.objects.create(
        workspace_id=version.model.workspace_id,
        version=version,
        kind=str(JobKind.INSPECT),
        recipe_label="Inspection",
        available_at=now,
        deadline_at=now + INSPECT_DEADLINE,
        created_at=now,
        why="Every upload is inspected before it can run.",
    )
    state_events([job.pk], state=JobState.QUEUED)
    job_dispatch(job=job, cause="start", now=now)
    return job


def measure_plan(profile: Profile, sla_p99_ms: float | None) -> MeasurePlan:
    """The profile's plan; an SLA on p99 needs as many samples as p99 needs, whatever the profile."""
    plan = PLANS[profile]
    if sla_p99_ms is None or plan.min_samples >= MIN_SAMPLES["p99"]:
        return plan
    seconds = max(plan.max_seconds, SLA_MAX_SECONDS)
    return replace(plan, min_samples=MIN_SAMPLES["p99"], max_seconds=seconds)


def _targets(ids: Sequence[str] | None) -> list[Target]:
    if ids is None:
        online = targets_online()
        if not online:
            raise Unprocessable("NO_TARGET")
        return online
    found = targets_active(ids)
    missing = sorted(set(ids) - {target.pk for target in found})
    if missing or not found:
        errors = [
            FieldError(("body", "target_ids"), f"{target_id[:40]} takes no work") for target_id in missing
        ]
        raise Unprocessable("NO_TARGET", "A chosen target does not exist or takes no work.", errors=errors)
    return found


def _recipes(ids: Sequence[str] | None) -> list[Recipe]:
    """The chosen ones in the built-in order. The baseline is always among them: it is what others beat."""
    known = builtin_recipes(fake=fake_recipes())
    if ids is None:
        return list(known)
    unknown = sorted(set(ids) - {recipe.id for recipe in known})
    if unknown or not ids:
        names = ", ".join(recipe.id for recipe in known)
        errors = [FieldError(("body", "recipe_ids"), f"{recipe_id[:60]} is unknown") for recipe_id in unknown]
        raise Unprocessable("NO_RECIPE", f"Choose from {names}.", errors=errors)
    return [recipe for recipe in known if recipe.is_baseline or recipe.id in ids]


def _dims(version: ModelVersion, given: Mapping[str, int]) -> dict[str, int]:
    """A size for every dynamic axis: the given one, else the one that the inspection suggests."""
    known = {dim["name"]: int(dim["suggested"] or 0) for dim in (version.description or {}).get("dims", [])}
    unknown = sorted(set(given) - set(known))
    if unknown:
        errors = [FieldError(("body", "dims", name[:80]), "no such axis") for name in unknown]
        axes = ", ".join(known) or "none"
        raise Unprocessable("DIM_UNKNOWN", f"The model's dynamic axes: {axes[:500]}.", errors=errors)
    dims = {name: given.get(name, suggested) for name, suggested in known.items()}
    needed = sorted(name for name, size in dims.items() if size < 1)
    if needed:
        errors = [FieldError(("body", "dims", name[:80]), "give a size of at least 1") for name in needed]
        names = ", ".join(needed)
        raise Unprocessable("INPUT_SHAPE_NEEDED", f"Give a size for: {names[:500]}.", errors=errors)
    return dims


def _why(recipe: Recipe, chosen: bool) -> str:
    if recipe.is_baseline:
        return "The model as it was uploaded: what the others are compared with."
    return "You chose this recipe." if chosen else "Part of the plan that tries everything."
