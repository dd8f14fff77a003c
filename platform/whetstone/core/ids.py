"""Public ids: a prefix that says what it is, and a ULID that sorts by the time it was made."""

import re
import threading

from ulid import ULID

ID_LENGTH = 40
ID_PATTERN = r"^[a-z]{2,4}_[0-9a-z]{26}$"

_lock = threading.Lock()
_last = 0


def new_id(prefix: str) -> str:
    """`mdl_01jd...`. Ids made in one process grow strictly, so a list's order is the order of creation."""
    global _last
    with _lock:
        _last = max(int(ULID()), _last + 1)
        value = _last
    return f"{prefix}_{str(ULID.from_int(value)).lower()}"


def is_id(text: str) -> bool:
    return re.fullmatch(ID_PATTERN, text) is not None
