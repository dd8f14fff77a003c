"""The pure rules of the fleet: credentials, when a host is online, the lines of the price book."""

import csv
import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation

CREDENTIAL_PREFIX = "whsth_"
ONLINE_FOR = timedelta(seconds=30)
HOST_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
MAX_USD_PER_HOUR = Decimal(100_000)
PRICE_COLUMNS = (
    "provider",
    "region",
    "instance_type",
    "cpu",
    "accelerator",
    "vcpus",
    "usd_per_hour",
    "price_kind",
    "as_of",
)
_LENGTHS = {
    "provider": 40,
    "region": 60,
    "instance_type": 80,
    "cpu": 100,
    "accelerator": 100,
    "price_kind": 30,
}
_MAY_BE_EMPTY = frozenset({"cpu", "accelerator"})


INSPECT_QUEUE = "inspect"


def target_queue(slug: str) -> str:
    """The queue of a target's jobs."""
    return f"target.{slug}"


def credential_new() -> str:
    return CREDENTIAL_PREFIX + secrets.token_urlsafe(32)


def credential_hash(text: str) -> str:
    """SHA-256 is enough: the credential's 256 random bits leave nothing to guess."""
    return hashlib.sha256(text.encode()).hexdigest()


def is_online(last_seen_at: datetime | None, now: datetime) -> bool:
    """`now` by the database's clock, which also wrote `last_seen_at`."""
    return last_seen_at is not None and now - last_seen_at <= ONLINE_FOR


def usd_text(value: Decimal) -> str:
    """All its digits and no padding: 0.085, not 0.085000."""
    return format(value.normalize(), "f")


@dataclass(frozen=True, slots=True)
class PriceLine:
    """One line of the price book; `vcpus` is None where the file leaves it empty."""

    provider: str
    region: str
    instance_type: str
    cpu: str
    accelerator: str
    vcpus: int | None
    usd_per_hour: Decimal
    price_kind: str
    as_of: date

    @property
    def key(self) -> tuple[str, str, str, str, date]:
        return self.provider, self.region, self.instance_type, self.price_kind, self.as_of


class PriceBookInvalid(ValueError):
    """`problems`: one sentence per fault, each with its line number."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def price_book_read(text: Iterable[str]) -> list[PriceLine]:
    """The lines of a CSV file with the columns of `PRICE_COLUMNS`. PriceBookInvalid names every fault."""
    reader = csv.DictReader(text, strict=True)
    problems: list[str] = []
    lines: dict[tuple[str, str, str, str, date], tuple[int, PriceLine]] = {}
    try:
        if tuple(reader.fieldnames or ()) != PRICE_COLUMNS:
            raise PriceBookInvalid([f"line 1: the columns must be {','.join(PRICE_COLUMNS)}"])
        for row in reader:
            try:
                line = _price_line(row)
            except ValueError as fault:
                problems.append(f"line {reader.line_num}: {fault}")
                continue
            if line.key in lines:
                problems.append(f"line {reader.line_num}: the same price as line {lines[line.key][0]}")
            lines.setdefault(line.key, (reader.line_num, line))
    except csv.Error as fault:
        problems.append(f"line {reader.line_num}: {fault}")
    if problems:
        raise PriceBookInvalid(problems)
    return [line for _, line in lines.values()]


def _price_line(row: dict[str | None, str | None]) -> PriceLine:
    if None in row or None in row.values():
        raise ValueError(f"expected {len(PRICE_COLUMNS)} columns")
    values = {str(name): str(value).strip() for name, value in row.items()}
    for name, length in _LENGTHS.items():
        if len(values[name]) > length or not values[name].isprintable():
            raise ValueError(f"{name}: at most {length} printable characters")
        if not values[name] and name not in _MAY_BE_EMPTY:
            raise ValueError(f"{name} is empty")
    return PriceLine(
        provider=values["provider"],
        region=values["region"],
        instance_type=values["instance_type"],
        cpu=values["cpu"],
        accelerator=values["accelerator"],
        vcpus=_vcpus(values["vcpus"]),
        usd_per_hour=usd_read(values["usd_per_hour"]),
        price_kind=values["price_kind"],
        as_of=_date(values["as_of"]),
    )


def usd_read(text: str) -> Decimal:
    """USD per hour: above 0, at most `MAX_USD_PER_HOUR`, at most six decimals. ValueError otherwise."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"usd_per_hour: {text[:40]!r} is not a number") from None
    if not value.is_finite() or not 0 < value <= MAX_USD_PER_HOUR:
        raise ValueError(f"usd_per_hour must be above 0 and at most {MAX_USD_PER_HOUR}")
    if value != value.quantize(Decimal("0.000001")):
        raise ValueError("usd_per_hour: at most six decimals")
    return value


def _vcpus(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text[:9]) <= 100_000:
        raise ValueError(f"vcpus: {text[:40]!r} is not a whole number from 1 to 100000")
    return int(text)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"as_of: {text[:40]!r} is not a date like 2026-07-20") from None
