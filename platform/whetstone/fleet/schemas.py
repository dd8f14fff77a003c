"""What the fleet says over HTTP. Fingerprints are the engine's own class."""

from datetime import date, datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field, StringConstraints

from optimizers.spec.host import HostFingerprint
from optimizers.spec.names import Device
from whetstone.core.text import PlainName

TargetStateName = Literal["active", "paused", "retired"]
PriceKindName = Literal["list", "manual", "stand_in"]
ShortText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=300)]


class TargetRef(Schema):
    id: str = Field(examples=["tgt_01k6q0000000000000000000aa"])
    slug: str = Field(examples=["laptop-one-core"])
    name: str


class TargetPriceOut(Schema):
    """What an hour of the target costs this workspace, and where that figure comes from."""

    kind: PriceKindName = Field(description="`stand_in`: nobody's real price, to show how cost works.")
    usd_per_hour: str = Field(
        description="A decimal number as text, with all its digits.", examples=["0.085"]
    )
    provider: str
    region: str
    instance_type: str
    source: str
    as_of: date
    note: str


class TargetHost(Schema):
    id: str
    name: str
    cpu_model: str
    memory_bytes: int
    fingerprint_hash: str = Field(description="Figures are only compared between equal fingerprints.")
    last_seen_at: datetime | None


class TargetOut(Schema):
    """A share of a machine that jobs run on."""

    id: str
    slug: str
    name: str
    device: str
    cores: list[int] = Field(description="The logical cores that a job is pinned to.")
    state: TargetStateName
    online: bool = Field(description="Its runner was heard of within 30 seconds.")
    host: TargetHost
    price: TargetPriceOut | None = Field(description="null: no price is set, so there is no cost.")
    description: str
    queued_jobs: int
    running_jobs: int


class TargetPriceSet(Schema):
    """`list` takes a line of the price book; `manual` and `stand_in` state a figure."""

    kind: PriceKindName
    price_id: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        None, description="For `list`: an id from GET /prices."
    )
    usd_per_hour: Annotated[str, StringConstraints(max_length=20)] | None = Field(
        None, description="For the others: above 0, at most 100000, at most six decimals.", examples=["0.085"]
    )
    note: ShortText = ""
    as_of: date | None = Field(None, description="When the figure held; left out: today.")


class PriceOut(Schema):
    """A line of the price book: a provider's list price on one date."""

    id: str
    provider: str = Field(examples=["aws"])
    region: str
    instance_type: str
    cpu: str
    accelerator: str
    vcpus: int | None
    usd_per_hour: str
    price_kind: str = Field(examples=["on_demand"])
    as_of: date
    source: str


class HostOut(Schema):
    """A machine whose runner serves targets."""

    id: str
    name: str
    state: Literal["online", "offline"]
    last_seen_at: datetime | None
    fingerprint: HostFingerprint | None = Field(description="null until its runner has registered.")
    fingerprint_hash: str
    isolation: str = Field(description="How jobs are kept apart from the machine.")
    runner_version: str
    targets: list[TargetRef]


class OfferedTargetIn(Schema):
    slug_suffix: str = Field(pattern=r"^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$")
    name: PlainName
    device: Device = Device.CPU
    cores: list[Annotated[int, Field(ge=0, le=65_535)]] = Field(max_length=4096)
    description: Annotated[str, StringConstraints(max_length=500)] = ""


class HostRegisterIn(Schema):
    """`name` is ignored: a host is called what it was enrolled as."""

    name: str | None = Field(None, max_length=100)
    fingerprint: HostFingerprint
    runner_version: str = Field(max_length=40)
    isolation: str = Field(max_length=100)
    targets: list[OfferedTargetIn] = Field(max_length=64)


class RegisteredTarget(Schema):
    id: str
    slug: str


class HostRegisteredOut(Schema):
    host_id: str
    heartbeat_seconds: int
    lease_seconds: int
    queues: list[str]
    targets: list[RegisteredTarget]


class HostHeartbeatIn(Schema):
    free_slots: int = Field(ge=0, le=1024)
