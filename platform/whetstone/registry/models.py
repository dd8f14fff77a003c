"""Models, their versions, datasets, and the files behind all of them.

ModelVersion, and Dataset alike:

    inspecting -> ready
               -> rejected      (`failure` and `findings` say why)
"""

from django.db import models
from django.db.models.functions import Now

from whetstone.accounts.models import Workspace
from whetstone.core.ids import ID_LENGTH
from whetstone.core.models import PublicIdField


class ArtifactKind(models.TextChoices):
    SOURCE_MODEL = "source_model"
    OPTIMIZED_MODEL = "optimized_model"
    LOG = "log"
    RAW_SAMPLES = "raw_samples"
    SAMPLE_DATA = "sample_data"
    TRACE = "trace"


class CheckState(models.TextChoices):
    INSPECTING = "inspecting"
    READY = "ready"
    REJECTED = "rejected"


class Artifact(models.Model):
    """A file that a committed row names. Bytes in the store without a row do not exist for readers."""

    id = PublicIdField("art")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="artifacts")
    kind = models.CharField(max_length=20, choices=ArtifactKind.choices)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    size_bytes = models.BigIntegerField()
    storage_key = models.CharField(max_length=400, unique=True)
    # Not a foreign key: the registry stands below the runs and does not know them.
    created_by_job_id = models.CharField(max_length=ID_LENGTH, null=True, db_index=True)  # noqa: DJ001
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.kind} {self.filename}"


class RegisteredModel(models.Model):
    """A named line of versions."""

    id = PublicIdField("mdl")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="models")
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="model_name_once")]
        indexes = [models.Index(fields=["workspace", "-id"], name="model_list")]

    def __str__(self) -> str:
        return self.name


class ModelVersion(models.Model):
    """One uploaded file, never changed. `description` is the engine's ModelDescription as JSON."""

    id = PublicIdField("ver")
    model = models.ForeignKey(RegisteredModel, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=CheckState.choices, default=CheckState.INSPECTING)
    filename = models.CharField(max_length=255)
    format = models.CharField(max_length=30, null=True)  # noqa: DJ001
    size_bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    source_artifact = models.ForeignKey(Artifact, on_delete=models.RESTRICT, related_name="+")
    description = models.JSONField(null=True)
    findings = models.JSONField(default=list)
    failure = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["model", "number"], name="version_number_once")]
        indexes = [models.Index(fields=["model", "-id"], name="version_list")]

    def __str__(self) -> str:
        return f"{self.model_id} v{self.number}"


class Dataset(models.Model):
    """Samples for calibration and comparison."""

    id = PublicIdField("dst")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="datasets")
    name = models.CharField(max_length=100)
    state = models.CharField(max_length=12, choices=CheckState.choices, default=CheckState.INSPECTING)
    artifact = models.ForeignKey(Artifact, on_delete=models.RESTRICT, related_name="+")
    description = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["workspace", "-id"], name="dataset_list")]

    def __str__(self) -> str:
        return self.name
