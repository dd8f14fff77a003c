"""Reads of the fleet. Hosts, targets and the price book are shared; a target's price is a workspace's own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from whetstone.accounts.models import Workspace
from whetstone.core.clock import db_now
from whetstone.core.errors import NotFound
from whetstone.fleet.domain import ONLINE_FOR, credential_hash, is_online
from whetstone.fleet.models import Host, Price, Target, TargetPrice, TargetState


@dataclass(frozen=True, slots=True)
class TargetView:
    """A target as one workspace sees it."""

    target: Target
    online: bool
    price: TargetPrice | None
    queued_jobs: int
    running_jobs: int


def host_by_credential(text: str) -> Host | None:
    return Host.objects.filter(credential_hash=credential_hash(text)).first()


def hosts() -> QuerySet[Host, Any]:
    shown = Target.objects.exclude(state=TargetState.RETIRED).order_by("pk")
    return Host.objects.prefetch_related(Prefetch("targets", queryset=shown))


def targets_shown() -> QuerySet[Target, Any]:
    return Target.objects.exclude(state=TargetState.RETIRED).select_related("host")


def targets_online() -> list[Target]:
    """What a run takes by default: active, on a host that is online, in the order they were registered."""
    since = db_now() - ONLINE_FOR
    rows = Target.objects.filter(state=TargetState.ACTIVE, host__last_seen_at__gte=since)
    return list(rows.select_related("host").order_by("pk"))


def targets_active(ids: Iterable[str]) -> list[Target]:
    """Those of `ids` that take work, online or not: their runner may come back."""
    return list(
        Target.objects.filter(pk__in=list(ids), state=TargetState.ACTIVE)
        .select_related("host")
        .order_by("pk")
    )


def target_get(target_id: str) -> Target:
    found: Target | None = targets_shown().filter(pk=target_id[:40]).first()
    if found is None:
        raise NotFound()
    return found


def target_views(workspace: Workspace, targets: Sequence[Target]) -> list[TargetView]:
    """Four queries, however many targets."""
    now = db_now()
    ids = [target.pk for target in targets]
    prices = target_prices(workspace, ids)
    queued, running = _job_counts(ids, "queued"), _job_counts(ids, "running")
    return [_view(target, now, prices, queued, running) for target in targets]


def _view(
    target: Target,
    now: datetime,
    prices: dict[str, TargetPrice],
    queued: dict[str, int],
    running: dict[str, int],
) -> TargetView:
    return TargetView(
        target=target,
        online=is_online(target.host.last_seen_at, now),
        price=prices.get(target.pk),
        queued_jobs=queued.get(target.pk, 0),
        running_jobs=running.get(target.pk, 0),
    )


def target_prices(workspace: Workspace, target_ids: Iterable[str]) -> dict[str, TargetPrice]:
    """The workspace's prices by target id."""
    rows = TargetPrice.objects.filter(workspace=workspace, target_id__in=list(target_ids))
    return {row.target_id: row for row in rows}


def _job_counts(target_ids: list[str], state: str) -> dict[str, int]:
    """By target, through the relation that `runs` adds: the fleet does not know that app."""
    rows = Target.objects.filter(pk__in=target_ids, jobs__state=state).values("pk")
    return {row["pk"]: row["jobs_counted"] for row in rows.annotate(jobs_counted=Count("jobs"))}


def prices(*, provider: str = "", region: str = "", search: str = "") -> QuerySet[Price, Any]:
    """The price book; `search` looks in the instance type, CPU and accelerator."""
    rows = Price.objects.all()
    if provider:
        rows = rows.filter(provider__iexact=provider)
    if region:
        rows = rows.filter(region__iexact=region)
    if search:
        rows = rows.filter(
            Q(instance_type__icontains=search) | Q(cpu__icontains=search) | Q(accelerator__icontains=search)
        )
    return rows


def price_get(price_id: str) -> Price | None:
    return Price.objects.filter(pk=price_id[:40]).first()
