"""Signed links to the web process's own /files/: what may be done, with which key, how much, until when."""

import time
from dataclasses import asdict, dataclass
from datetime import timedelta

from django.core import signing

_SALT = "whetstone.files"


@dataclass(frozen=True, slots=True)
class Grant:
    """`method`: GET, or PUT of exactly `size` bytes: a whole object, or part `part` of an upload."""

    method: str
    key: str
    until: int
    size: int = 0
    sha256: str = ""
    filename: str = ""
    multipart_id: str = ""
    part: int = 0


def grant_until(expires: timedelta) -> int:
    return int(time.time() + expires.total_seconds())


def grant_token(grant: Grant) -> str:
    return signing.dumps({k: v for k, v in asdict(grant).items() if v}, salt=_SALT, compress=True)


def grant_read(token: str) -> Grant | None:
    """The grant in a token, or None for one that we did not sign or that has expired."""
    try:
        grant = Grant(**signing.loads(token, salt=_SALT))
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return grant if grant.until > time.time() else None
