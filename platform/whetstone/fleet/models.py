"""Machines, the shares of them that results are valid on, and what an hour of each costs."""

from django.db import models
from django.db.models.functions import Now

from whetstone.accounts.models import User, Workspace
from whetstone.core.models import PublicIdField


class Host(models.Model):
    """A machine whose runner serves targets. Online: seen within `ONLINE_SECONDS` by the database's clock.

    `fingerprint` is the engine's HostFingerprint as JSON, empty until the runner's first registration.
    """

    id = PublicIdField("hst")
    name = models.CharField(max_length=63, unique=True)
    credential_hash = models.CharField(max_length=64, unique=True)
    fingerprint = models.JSONField(default=dict)
    fingerprint_hash = models.CharField(max_length=64, default="", blank=True)
    isolation = models.CharField(max_length=100, default="", blank=True)
    runner_version = models.CharField(max_length=40, default="", blank=True)
    free_slots = models.PositiveIntegerField(default=0)
    last_seen_at = models.DateTimeField(null=True)
    registered_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name


class TargetState(models.TextChoices):
    """`retired`: the host no longer offers it. `paused`: an operator keeps it from new work."""

    ACTIVE = "active"
    PAUSED = "paused"
    RETIRED = "retired"


class Target(models.Model):
    """A share of a host: a result is valid here and nowhere else."""

    id = PublicIdField("tgt")
    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=100)
    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="targets")
    device = models.CharField(max_length=20, default="cpu")
    cores = models.JSONField(default=list)
    state = models.CharField(max_length=10, choices=TargetState.choices, default=TargetState.ACTIVE)
    description = models.CharField(max_length=500, default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.slug


class Price(models.Model):
    """One line of the price book: a provider's list price on one date."""

    id = PublicIdField("prc")
    provider = models.CharField(max_length=40)
    region = models.CharField(max_length=60)
    instance_type = models.CharField(max_length=80)
    cpu = models.CharField(max_length=100, default="", blank=True)
    accelerator = models.CharField(max_length=100, default="", blank=True)
    vcpus = models.PositiveIntegerField(null=True)
    usd_per_hour = models.DecimalField(max_digits=14, decimal_places=6)
    price_kind = models.CharField(max_length=30)
    as_of = models.DateField()
    source = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "region", "instance_type", "price_kind", "as_of"], name="price_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.region} {self.instance_type} {self.as_of}"


class TargetPriceKind(models.TextChoices):
    """`stand_in`: a figure to show how cost works, nobody's real price."""

    LIST = "list"
    MANUAL = "manual"
    STAND_IN = "stand_in"


class TargetPrice(models.Model):
    """What one workspace says an hour of a target costs. The figures are copied, so that a later change
    of the price book does not rewrite what a comparison showed."""

    id = PublicIdField("tpr")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="target_prices")
    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="prices")
    kind = models.CharField(max_length=10, choices=TargetPriceKind.choices)
    price = models.ForeignKey(Price, null=True, on_delete=models.SET_NULL, related_name="+")
    usd_per_hour = models.DecimalField(max_digits=14, decimal_places=6)
    provider = models.CharField(max_length=40, default="", blank=True)
    region = models.CharField(max_length=60, default="", blank=True)
    instance_type = models.CharField(max_length=80, default="", blank=True)
    source = models.CharField(max_length=200)
    as_of = models.DateField()
    note = models.CharField(max_length=300, default="", blank=True)
    set_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "target"], name="target_price_once"),
            models.CheckConstraint(condition=models.Q(usd_per_hour__gt=0), name="target_price_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.target_id}: {self.usd_per_hour} USD/h ({self.kind})"
