"""Mail that the embedded platform keeps instead of sending."""

from django.db import models
from django.db.models.functions import Now

from whetstone.core.models import PublicIdField


class LocalMail(models.Model):
    """A message for the page to show. Its Message-ID is unique: sending an effect twice stores it once."""

    id = PublicIdField("lml")
    message_id = models.CharField(max_length=200, unique=True)
    to = models.CharField(max_length=1000)
    subject = models.CharField(max_length=500)
    text = models.TextField()
    html = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.subject
