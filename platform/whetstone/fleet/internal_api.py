"""What runners tell of their machine."""

from django.conf import settings
from ninja import Router

from whetstone.core.errors import FieldError, Unprocessable
from whetstone.fleet.auth import HostRequest, host_auth
from whetstone.fleet.domain import INSPECT_QUEUE, target_queue
from whetstone.fleet.models import TargetState
from whetstone.fleet.schemas import HostHeartbeatIn, HostRegisteredOut, HostRegisterIn, RegisteredTarget
from whetstone.fleet.services import OfferedTarget, host_heartbeat, host_register

router = Router(auth=host_auth)


@router.post("/hosts/register", response=HostRegisteredOut, operation_id="host_register")
def register(request: HostRequest, body: HostRegisterIn) -> HostRegisteredOut:
    """At each start of a runner. The answer says which queues to consume and how often to be heard of."""
    suffixes = [offer.slug_suffix for offer in body.targets]
    if len(set(suffixes)) != len(suffixes):
        twice = FieldError(("body", "targets"), "each slug_suffix once")
        raise Unprocessable("VALIDATION_FAILED", "targets: each slug_suffix once", errors=[twice])
    offers = tuple(
        OfferedTarget(offer.slug_suffix, offer.name, str(offer.device), tuple(offer.cores), offer.description)
        for offer in body.targets
    )
    targets = host_register(
        host=request.auth,
        fingerprint=body.fingerprint,
        runner_version=body.runner_version,
        isolation=body.isolation,
        targets=offers,
    )
    active = [target for target in targets if target.state == TargetState.ACTIVE]
    return HostRegisteredOut(
        host_id=request.auth.pk,
        heartbeat_seconds=settings.HEARTBEAT_SECONDS,
        lease_seconds=settings.LEASE_SECONDS,
        queues=[INSPECT_QUEUE, *(target_queue(target.slug) for target in active)],
        targets=[RegisteredTarget(id=target.pk, slug=target.slug) for target in targets],
    )


@router.post("/hosts/heartbeat", response=dict[str, str], operation_id="host_heartbeat")
def heartbeat(request: HostRequest, body: HostHeartbeatIn) -> dict[str, str]:
    """Every few seconds from the loop that consumes; a host that stops is shown as offline."""
    host_heartbeat(host=request.auth, free_slots=body.free_slots)
    return {}
