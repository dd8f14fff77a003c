"""Writes of the fleet."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import IntegrityError, transaction

from optimizers.spec.codec import to_json
from optimizers.spec.host import HostFingerprint, fingerprint_hash
from whetstone.accounts.models import User, Workspace
from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict, Unprocessable
from whetstone.fleet.domain import HOST_NAME, PriceLine, credential_hash, credential_new
from whetstone.fleet.models import Host, Price, Target, TargetPrice, TargetPriceKind, TargetState


@dataclass(frozen=True, slots=True)
class NewHost:
    """`credential` exists here only: the database keeps its hash."""

    host: Host
    credential: str


@dataclass(frozen=True, slots=True)
class OfferedTarget:
    """What a runner says that it serves. The target's slug is `<host name>-<slug_suffix>`."""

    slug_suffix: str
    name: str
    device: str
    cores: tuple[int, ...]
    description: str


@dataclass(frozen=True, slots=True)
class ImportResult:
    created: int
    changed: int
    unchanged: int


def host_enroll(*, name: str, replace: bool = False) -> NewHost:
    """A host's place in the fleet and its credential. ValueError for a bad name; Conflict("NAME_TAKEN")
    unless `replace`, which gives a known host a new credential and ends the old one."""
    if not HOST_NAME.fullmatch(name):
        raise ValueError("A host's name has 1 to 63 lower case letters, digits and inner dashes.")
    credential = credential_new()
    if replace and (host := Host.objects.filter(name=name).first()):
        host.credential_hash = credential_hash(credential)
        host.save(update_fields=["credential_hash"])
        return NewHost(host, credential)
    try:
        with transaction.atomic():
            host = Host.objects.create(name=name, credential_hash=credential_hash(credential))
    except IntegrityError:
        raise Conflict("NAME_TAKEN", f"The host {name} is enrolled already.") from None
    return NewHost(host, credential)


@transaction.atomic
def host_register(
    *,
    host: Host,
    fingerprint: HostFingerprint,
    runner_version: str,
    isolation: str,
    targets: tuple[OfferedTarget, ...],
) -> list[Target]:
    """Notes what the host is and offers, and gives its targets. What it no longer offers is retired."""
    now = db_now()
    Host.objects.filter(pk=host.pk).update(
        fingerprint=to_json(fingerprint),
        fingerprint_hash=fingerprint_hash(fingerprint),
        runner_version=runner_version,
        isolation=isolation,
        registered_at=now,
        last_seen_at=now,
    )
    known = {target.slug: target for target in Target.objects.select_for_update().filter(host=host)}
    offered = {f"{host.name}-{offer.slug_suffix}": offer for offer in targets}
    kept = [_target_upsert(host, slug, offer, known.get(slug)) for slug, offer in offered.items()]
    gone = [target.pk for slug, target in known.items() if slug not in offered]
    Target.objects.filter(pk__in=gone).update(state=TargetState.RETIRED)
    return kept


def _target_upsert(host: Host, slug: str, offer: OfferedTarget, known: Target | None) -> Target:
    target = known or Target(slug=slug, host=host)
    target.name, target.description = offer.name, offer.description
    target.device, target.cores = offer.device, list(offer.cores)
    if target.state == TargetState.RETIRED:
        target.state = TargetState.ACTIVE
    try:
        with transaction.atomic():
            target.save()
    except IntegrityError:
        # Hosts "a" with "b-c" and "a-b" with "c" would both make "a-b-c".
        raise Conflict("NAME_TAKEN", f"Another host has a target {slug}.") from None
    return target


def host_heartbeat(*, host: Host, free_slots: int) -> None:
    Host.objects.filter(pk=host.pk).update(last_seen_at=db_now(), free_slots=free_slots)


@transaction.atomic
def prices_import(*, lines: list[PriceLine], source: str) -> ImportResult:
    """Adds the lines to the price book, by provider, region, type, kind and date. Twice is once."""
    known = {_price_key(price): price for price in Price.objects.all()}
    created, changed = [], []
    for line in lines:
        price = known.get(line.key)
        values = {
            "cpu": line.cpu,
            "accelerator": line.accelerator,
            "vcpus": line.vcpus,
            "usd_per_hour": line.usd_per_hour,
            "source": source,
        }
        if price is None:
            created.append(
                Price(
                    provider=line.provider,
                    region=line.region,
                    instance_type=line.instance_type,
                    price_kind=line.price_kind,
                    as_of=line.as_of,
                    **values,
                )
            )
        elif any(getattr(price, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(price, name, value)
            changed.append(price)
    Price.objects.bulk_create(created)
    Price.objects.bulk_update(changed, ["cpu", "accelerator", "vcpus", "usd_per_hour", "source"])
    return ImportResult(len(created), len(changed), len(lines) - len(created) - len(changed))


def _price_key(price: Price) -> tuple[str, str, str, str, date]:
    return price.provider, price.region, price.instance_type, price.price_kind, price.as_of


def target_price_from_list(
    *, workspace: Workspace, user: User, target: Target, price: Price, note: str
) -> TargetPrice:
    """The workspace pays this line of the price book for the target."""
    return _price_put(
        workspace,
        target,
        {
            "kind": TargetPriceKind.LIST,
            "price": price,
            "usd_per_hour": price.usd_per_hour,
            "provider": price.provider,
            "region": price.region,
            "instance_type": price.instance_type,
            "source": f"{price.source} ({price.price_kind})",
            "as_of": price.as_of,
            "note": note,
            "set_by": user,
        },
    )


def target_price_by_hand(
    *,
    workspace: Workspace,
    user: User,
    target: Target,
    kind: str,
    usd_per_hour: Decimal,
    as_of: date | None,
    note: str,
) -> TargetPrice:
    """A price that somebody states, or a stand-in to show how cost works. `as_of` None: today."""
    today = db_now().date()
    if as_of is not None and as_of > today:
        raise Unprocessable("PRICE_INVALID", "The price's date lies in the future.")
    sources = {TargetPriceKind.MANUAL.value: "set by hand", TargetPriceKind.STAND_IN.value: "stand-in"}
    return _price_put(
        workspace,
        target,
        {
            "kind": kind,
            "price": None,
            "usd_per_hour": usd_per_hour,
            "provider": "",
            "region": "",
            "instance_type": "",
            "source": sources[kind],
            "as_of": as_of or today,
            "note": note,
            "set_by": user,
        },
    )


def _price_put(workspace: Workspace, target: Target, values: dict[str, object]) -> TargetPrice:
    price, _ = TargetPrice.objects.update_or_create(workspace=workspace, target=target, defaults=values)
    return price


def target_price_clear(*, workspace: Workspace, target: Target) -> None:
    """Without a price there is no cost; clearing twice is clearing once."""
    TargetPrice.objects.filter(workspace=workspace, target=target).delete()
