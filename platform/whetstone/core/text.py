"""Text from strangers: names that are shown to people, and names of files."""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

# Control, format (which hold the right-to-left overrides), surrogate, private and unassigned characters.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
FILENAME_BYTES = 200


def is_plain(text: str) -> bool:
    """Whether every character is one that a person can see, or a space."""
    return not any(unicodedata.category(letter) in _UNSEEN for letter in text)


def _plain(text: str) -> str:
    if not is_plain(text):
        raise ValueError("must not hold control or invisible characters")
    return unicodedata.normalize("NFC", text)


PlainName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=100),
    AfterValidator(_plain),
]


def filename_clean(name: str) -> str:
    """The name to show and to offer at download: no folders, nothing invisible, at most 200 bytes.

    "" if nothing usable is left. Browsers on Windows may send a whole path; only its last part counts.
    """
    last = re.split(r"[/\\]", name)[-1]
    seen = "".join(letter for letter in unicodedata.normalize("NFC", last) if is_plain(letter))
    seen = re.sub(r'[<>:"|?*]', "_", seen).strip(" .")
    if not seen:
        return ""
    stem, dot, suffix = seen.rpartition(".")
    if not dot or len(suffix.encode()) > 20:
        stem, dot, suffix = seen, "", ""
    room = FILENAME_BYTES - len((dot + suffix).encode())
    return stem.encode()[:room].decode("utf-8", "ignore") + dot + suffix


def key_name(name: str) -> str:
    """The name inside a storage key: ASCII letters, digits, dot, dash, underscore."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "_", plain)[-100:].strip("._") or "file"
