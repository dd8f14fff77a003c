"""Targets, hosts and the price book."""

from datetime import datetime
from typing import Annotated, cast

from ninja import Query, Router, Status
from pydantic import Field

from optimizers.spec.codec import from_json
from optimizers.spec.host import HostFingerprint
from whetstone.accounts.auth import ApiRequest
from whetstone.core.clock import db_now
from whetstone.core.errors import Unprocessable
from whetstone.core.pagination import PageOut, PageQuery, page_of
from whetstone.fleet import queries, services
from whetstone.fleet.domain import is_online, usd_read, usd_text
from whetstone.fleet.models import Host, Price, Target, TargetPrice
from whetstone.fleet.queries import TargetView
from whetstone.fleet.schemas import (
    HostOut,
    PriceKindName,
    PriceOut,
    TargetHost,
    TargetOut,
    TargetPriceOut,
    TargetPriceSet,
    TargetRef,
    TargetStateName,
)

router = Router(tags=["Targets"])
Filter = Annotated[str, Field(max_length=100)]


class PriceQuery(PageQuery):
    provider: Filter = ""
    region: Filter = ""
    search: Filter = Field("", description="In the instance type, CPU and accelerator.")


@router.get("/targets", response=PageOut[TargetOut], operation_id="target_list", summary="List targets")
def target_list(request: ApiRequest, page: Query[PageQuery]) -> PageOut[TargetOut]:
    """Every target of the fleet, with the price that this workspace has set for it."""
    found = page_of(queries.targets_shown(), cursor=page.cursor, limit=page.limit)
    views = queries.target_views(request.workspace, found.items)
    return PageOut[TargetOut](items=[_target_out(view) for view in views], next_cursor=found.next_cursor)


@router.put(
    "/targets/{target_id}/price", response=TargetOut, operation_id="target_price_set", summary="Set a price"
)
def target_price_set(request: ApiRequest, target_id: str, body: TargetPriceSet) -> TargetOut:
    """For this workspace only. A `stand_in` is labelled as one wherever it is shown."""
    target = queries.target_get(target_id)
    if body.kind == "list":
        _price_from_list(request, target, body)
    else:
        _price_by_hand(request, target, body)
    return _target_out(queries.target_views(request.workspace, [target])[0])


@router.delete(
    "/targets/{target_id}/price",
    response={204: None},
    operation_id="target_price_clear",
    summary="Clear a price",
)
def target_price_clear(request: ApiRequest, target_id: str) -> Status[None]:
    """Comparisons then say "no price" for this target."""
    services.target_price_clear(workspace=request.workspace, target=queries.target_get(target_id))
    return Status(204, None)


@router.get("/prices", response=PageOut[PriceOut], operation_id="price_list", summary="Search the price book")
def price_list(request: ApiRequest, query: Query[PriceQuery]) -> PageOut[PriceOut]:
    """List prices of cloud instances, each with its region, date and source."""
    rows = queries.prices(provider=query.provider, region=query.region, search=query.search)
    found = page_of(rows, cursor=query.cursor, limit=query.limit)
    return PageOut[PriceOut](items=[_price_out(row) for row in found.items], next_cursor=found.next_cursor)


@router.get("/hosts", response=PageOut[HostOut], operation_id="host_list", summary="List hosts")
def host_list(request: ApiRequest, page: Query[PageQuery]) -> PageOut[HostOut]:
    """The machines behind the targets, with what makes their figures comparable."""
    found = page_of(queries.hosts(), cursor=page.cursor, limit=page.limit)
    now = db_now()
    items = [_host_out(host, now) for host in found.items]
    return PageOut[HostOut](items=items, next_cursor=found.next_cursor)


def _price_from_list(request: ApiRequest, target: Target, body: TargetPriceSet) -> None:
    price = queries.price_get(body.price_id) if body.price_id else None
    if price is None or body.usd_per_hour is not None:
        raise Unprocessable("PRICE_INVALID", "`list` takes a price_id from GET /prices, nothing else.")
    services.target_price_from_list(
        workspace=request.workspace, user=request.user, target=target, price=price, note=body.note
    )


def _price_by_hand(request: ApiRequest, target: Target, body: TargetPriceSet) -> None:
    if body.usd_per_hour is None or body.price_id is not None:
        raise Unprocessable("PRICE_INVALID", f"`{body.kind}` takes usd_per_hour and no price_id.")
    try:
        usd_per_hour = usd_read(body.usd_per_hour)
    except ValueError as fault:
        raise Unprocessable("PRICE_INVALID", f"{fault}.") from None
    services.target_price_by_hand(
        workspace=request.workspace,
        user=request.user,
        target=target,
        kind=body.kind,
        usd_per_hour=usd_per_hour,
        as_of=body.as_of,
        note=body.note,
    )


def target_ref(target: Target) -> TargetRef:
    return TargetRef(id=target.pk, slug=target.slug, name=target.name)


def target_price_out(price: TargetPrice) -> TargetPriceOut:
    return TargetPriceOut(
        kind=cast(PriceKindName, price.kind),
        usd_per_hour=usd_text(price.usd_per_hour),
        provider=price.provider,
        region=price.region,
        instance_type=price.instance_type,
        source=price.source,
        as_of=price.as_of,
        note=price.note,
    )


def _target_out(view: TargetView) -> TargetOut:
    target, host = view.target, view.target.host
    return TargetOut(
        id=target.pk,
        slug=target.slug,
        name=target.name,
        device=target.device,
        cores=target.cores,
        state=cast(TargetStateName, target.state),
        online=view.online,
        host=TargetHost(
            id=host.pk,
            name=host.name,
            cpu_model=host.fingerprint.get("cpu_model", ""),
            memory_bytes=host.fingerprint.get("memory_bytes", 0),
            fingerprint_hash=host.fingerprint_hash,
            last_seen_at=host.last_seen_at,
        ),
        price=target_price_out(view.price) if view.price else None,
        description=target.description,
        queued_jobs=view.queued_jobs,
        running_jobs=view.running_jobs,
    )


def _price_out(price: Price) -> PriceOut:
    return PriceOut(
        id=price.pk,
        provider=price.provider,
        region=price.region,
        instance_type=price.instance_type,
        cpu=price.cpu,
        accelerator=price.accelerator,
        vcpus=price.vcpus,
        usd_per_hour=usd_text(price.usd_per_hour),
        price_kind=price.price_kind,
        as_of=price.as_of,
        source=price.source,
    )


def _host_out(host: Host, now: datetime) -> HostOut:
    return HostOut(
        id=host.pk,
        name=host.name,
        state="online" if is_online(host.last_seen_at, now) else "offline",
        last_seen_at=host.last_seen_at,
        fingerprint=from_json(HostFingerprint, host.fingerprint) if host.fingerprint else None,
        fingerprint_hash=host.fingerprint_hash,
        isolation=host.isolation,
        runner_version=host.runner_version,
        targets=[target_ref(target) for target in host.targets.all()],
    )
