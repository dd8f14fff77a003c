"""What the runner is told by its environment, read once at its start."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = "0.1.0"
# What keeps a job from the machine: limits on its process. A sandbox is a level of its own.
ISOLATION = "process-limits"
GIB = 1024**3


class SettingsInvalid(Exception):
    """An environment variable is missing or cannot be read; the message names it."""


@dataclass(frozen=True)
class Settings:
    """`job_memory_bytes` is the most that one job may use, whatever the platform allows it."""

    api_url: str
    credential: str = field(repr=False)
    redis_url: str = field(repr=False)
    scratch: Path
    concurrency: int
    job_memory_bytes: int


def settings_read(environment: Mapping[str, str] = os.environ) -> Settings:
    """Raises SettingsInvalid with the name of the variable and what it should hold."""
    url = (environment.get("WHETSTONE_API_URL") or "http://127.0.0.1:8000").rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise SettingsInvalid("WHETSTONE_API_URL: set the platform's address, like http://127.0.0.1:8000")
    scratch = environment.get("WHETSTONE_RUNNER_SCRATCH") or f"{tempfile.gettempdir()}/whetstone-runner"
    return Settings(
        api_url=url,
        credential=_credential(environment),
        redis_url=environment.get("WHETSTONE_REDIS_URL") or "redis://127.0.0.1:6379/0",
        scratch=Path(scratch).absolute(),
        concurrency=_number(environment, "WHETSTONE_RUNNER_CONCURRENCY", 2, 1, 256),
        job_memory_bytes=_number(environment, "WHETSTONE_JOB_MEMORY_BYTES", 8 * GIB, 64 * 1024**2, 1 << 50),
    )


def _credential(environment: Mapping[str, str]) -> str:
    name = environment.get("WHETSTONE_HOST_CREDENTIAL_FILE", "")
    if not name:
        raise SettingsInvalid(
            "WHETSTONE_HOST_CREDENTIAL_FILE: set the file that holds this host's credential"
        )
    try:
        text = Path(name).read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as error:
        raise SettingsInvalid(f"WHETSTONE_HOST_CREDENTIAL_FILE: {name} cannot be read: {error}") from None
    if not text or any(letter.isspace() for letter in text):
        raise SettingsInvalid(f"WHETSTONE_HOST_CREDENTIAL_FILE: {name} does not hold one credential")
    return text


def _number(environment: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environment.get(name) or str(default)
    if not text.isdecimal() or not low <= int(text) <= high:
        raise SettingsInvalid(f"{name}={text!r}: use a whole number from {low} to {high}")
    return int(text)
