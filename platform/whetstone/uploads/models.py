"""Bytes on their way in, sent in parts and not yet a model.

receiving -> completed      every part is there: a version or a dataset exists
          -> aborted        by the user
          -> expired        nobody completed it in time; its bytes are gone
"""

from django.db import models
from django.db.models.functions import Now

from whetstone.accounts.models import User, Workspace
from whetstone.core.models import PublicIdField
from whetstone.registry.models import Dataset, ModelVersion


class UploadState(models.TextChoices):
    RECEIVING = "receiving"
    COMPLETED = "completed"
    ABORTED = "aborted"
    EXPIRED = "expired"


class UploadPurpose(models.TextChoices):
    MODEL = "model"
    DATASET = "dataset"


class Upload(models.Model):
    """`part_size` bytes to each part but the last; the store knows which parts have arrived."""

    id = PublicIdField("upl")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="uploads")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=UploadState.choices, default=UploadState.RECEIVING)
    purpose = models.CharField(max_length=10, choices=UploadPurpose.choices)
    filename = models.CharField(max_length=255)
    model_name = models.CharField(max_length=100)
    size_bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    part_size = models.PositiveIntegerField()
    storage_key = models.CharField(max_length=400, unique=True)
    multipart_id = models.CharField(max_length=400)
    version = models.ForeignKey(ModelVersion, null=True, on_delete=models.SET_NULL, related_name="+")
    dataset = models.ForeignKey(Dataset, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["workspace", "-id"], name="upload_list"),
            models.Index(
                fields=["expires_at"], name="upload_expiring", condition=models.Q(state="receiving")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename} ({self.state})"

    @property
    def part_count(self) -> int:
        return -(-self.size_bytes // self.part_size)
