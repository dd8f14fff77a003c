"""Rows that every app needs and none owns."""

from django.db import models
from django.db.models.functions import Now

from whetstone.core.ids import ID_LENGTH, new_id


class PublicIdField(models.CharField):  # type: ignore[type-arg]
    """A primary key like `mdl_01jd...`; its order is the order of creation."""

    def __init__(self, prefix: str = "", **options: object) -> None:
        self.prefix = prefix
        super().__init__(primary_key=True, max_length=ID_LENGTH, editable=False, default=self.make)

    def make(self) -> str:
        return new_id(self.prefix)

    def deconstruct(self) -> tuple[str, str, list[object], dict[str, object]]:
        name, _path, _args, _kwargs = super().deconstruct()
        return name, "whetstone.core.models.PublicIdField", [], {"prefix": self.prefix}


class OutboxMessage(models.Model):
    """An effect decided in a transaction and carried out after it: sent at least once, created once.

    `key` names the effect, so deciding it twice creates it once.
    """

    id = PublicIdField("out")
    topic = models.CharField(max_length=40)
    key = models.CharField(max_length=160, unique=True)
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())
    available_at = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=500, default="", blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["available_at"], name="outbox_waiting", condition=models.Q(sent_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.key}"


class IdempotencyRecord(models.Model):
    """The answer given to a creating POST, for whoever sends it again with the same `Idempotency-Key`.

    Only the key's hash is kept, and the answer is sealed with the key itself: an answer may hold a
    token that is shown once, and a copy of the database must not reveal it.
    """

    workspace_id = models.CharField(max_length=ID_LENGTH)
    key_hash = models.CharField(max_length=64)
    endpoint = models.CharField(max_length=300)
    body_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    sealed_response = models.TextField(default="")
    created_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace_id", "key_hash"], name="idempotency_key_once")
        ]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.status}"


class CacheRow(models.Model):
    """The table behind Django's database cache (sign-in limits), so that `migrate` makes it."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "core_cache"

    def __str__(self) -> str:
        return self.cache_key
