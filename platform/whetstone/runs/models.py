"""Runs, jobs, attempts, events and measurements.

A job:

    queued --claim--> running --finish---> succeeded | failed | cancelled | timed_out
      ^                  |
      |                  +--lease lost---> queued again (after 1, 4, 16 s), or failed at the third loss
      +------------------+--handed back--> queued again at once
      |
      +--cancel, deadline, prerequisite--> cancelled | timed_out | skipped

A run: queued --first claim--> running --its last job ended--> succeeded | partially_succeeded | failed |
cancelled | timed_out.

An attempt: running -> succeeded | failed | cancelled | timed_out | lost | released.

Terminal states never change. A transition is one conditional UPDATE and one event row in the same
transaction; an UPDATE that changes no row means that somebody was faster. A wish to cancel is a column,
not a state. Who locks both locks the run before its jobs.
"""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from optimizers.spec.names import JobKind, Objective, Profile
from whetstone.accounts.models import User, Workspace
from whetstone.core.models import PublicIdField
from whetstone.fleet.models import Host, Target
from whetstone.registry.models import Artifact, Dataset, ModelVersion
from whetstone.runs.domain import AttemptState, EventKind, JobState, RunState


def _choices(names: type[JobKind] | type[Objective] | type[Profile]) -> list[tuple[str, str]]:
    return [(str(name), str(name)) for name in names]


class Run(models.Model):
    """What a user starts: one version x targets x recipes.

    `plan` holds the MeasurePlan and the chosen ids; `summary` what the end of the run says of it.
    """

    id = PublicIdField("run")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="runs")
    version = models.ForeignKey(ModelVersion, on_delete=models.CASCADE, related_name="runs")
    user = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=120, default="", blank=True)
    state = models.CharField(max_length=20, choices=RunState.choices, default=RunState.QUEUED)
    profile = models.CharField(max_length=10, choices=_choices(Profile))
    objective = models.CharField(max_length=12, choices=_choices(Objective))
    sla_p99_ms = models.FloatField(null=True)
    dims = models.JSONField(default=dict)
    dataset = models.ForeignKey(Dataset, null=True, on_delete=models.SET_NULL, related_name="+")
    plan = models.JSONField(default=dict)
    summary = models.JSONField(null=True)
    deadline_at = models.DateTimeField()
    cancel_requested_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    retry_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="retries")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["workspace", "-id"], name="run_list"),
            models.Index(fields=["workspace", "state", "-id"], name="run_list_state"),
            models.Index(fields=["version", "-id"], name="run_list_version"),
            models.Index(
                fields=["deadline_at"], name="run_open_deadline", condition=Q(ended_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.state})"


class Job(models.Model):
    """What a runner executes under a lease: an inspection of a version, or one recipe on one target.

    Its id orders it: a run makes its baselines first. `lease_token` is the newest attempt's and stays
    when the job ends, so that a result can be read back by token.
    """

    id = PublicIdField("job")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="jobs")
    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="jobs")
    version = models.ForeignKey(ModelVersion, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=10, choices=_choices(JobKind))
    target = models.ForeignKey(Target, null=True, on_delete=models.PROTECT, related_name="jobs")
    recipe = models.JSONField(null=True)
    recipe_fingerprint = models.CharField(max_length=16, default="", blank=True)
    recipe_label = models.CharField(max_length=100, default="", blank=True)
    is_baseline = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    stage = models.CharField(max_length=20, default="", blank=True)
    progress = models.FloatField(default=0.0)
    stages = models.JSONField(default=list)
    attempt = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    lease_token = models.BigIntegerField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    available_at = models.DateTimeField(db_default=Now())
    dispatched_at = models.DateTimeField(null=True)
    deadline_at = models.DateTimeField()
    cancel_requested_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    failure = models.JSONField(null=True)
    report = models.JSONField(null=True)
    fingerprint_hash = models.CharField(max_length=64, default="", blank=True)
    events_written = models.PositiveIntegerField(default=0)
    why = models.CharField(max_length=500, default="", blank=True)
    retry_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="retries")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["target"],
                condition=Q(state="running", target__isnull=False),
                name="target_has_one_running_job",
            )
        ]
        indexes = [
            models.Index(fields=["run", "id"], name="job_of_run"),
            models.Index(fields=["version", "kind", "-id"], name="job_of_version"),
            models.Index(fields=["target", "id"], name="job_waiting", condition=Q(state="queued")),
            models.Index(fields=["lease_expires_at"], name="job_leased", condition=Q(state="running")),
            models.Index(
                fields=["deadline_at"], name="job_open_deadline", condition=Q(state__in=["queued", "running"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.state})"


class JobAttempt(models.Model):
    """One claim of a job. Its key is the fencing token: the database hands it out, ever growing."""

    token = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveIntegerField()
    host = models.ForeignKey(Host, null=True, on_delete=models.SET_NULL, related_name="+")
    state = models.CharField(max_length=10, choices=AttemptState.choices, default=AttemptState.RUNNING)
    started_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    failure = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="attempt_number_once")]

    def __str__(self) -> str:
        return f"{self.job_id} attempt {self.number} ({self.state})"


class JobEvent(models.Model):
    """Append-only: what happened to a job, in order. `attempt` is the token that wrote it, if one did."""

    seq = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="events")
    attempt = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=10, choices=EventKind.choices)
    stage = models.CharField(max_length=20, default="", blank=True)
    message = models.CharField(max_length=2000, default="", blank=True)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["job", "seq"], name="event_of_job")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind} {self.message[:40]}"


class Measurement(models.Model):
    """The result of one scenario, append-only. `data` is the engine's Measurement as JSON."""

    id = PublicIdField("mea")
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="measurements")
    attempt_token = models.BigIntegerField()
    scenario = models.CharField(max_length=20)
    batch_size = models.PositiveIntegerField()
    data = models.JSONField()
    raw_samples = models.ForeignKey(Artifact, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.job_id} {self.scenario} {self.batch_size}"
