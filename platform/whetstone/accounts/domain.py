"""Tokens: how they look and what is kept of them."""

import hashlib
import secrets
import string
from datetime import timedelta

TOKEN_PREFIX = "whst_"  # noqa: S105 (public)
TOKEN_LETTERS = string.ascii_letters + string.digits
TOKEN_LENGTH = 40
SHOWN_LETTERS = len(TOKEN_PREFIX) + 6
USED_AT_STEP = timedelta(minutes=1)


def token_make() -> str:
    """A new token: 40 random letters and digits, 238 bits."""
    return TOKEN_PREFIX + "".join(secrets.choice(TOKEN_LETTERS) for _ in range(TOKEN_LENGTH))


def token_hash(text: str) -> str:
    """What the database keeps. SHA-256 is enough: 238 random bits leave nothing to guess."""
    return hashlib.sha256(text.encode()).hexdigest()
