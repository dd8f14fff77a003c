"""What must be right before the platform serves anybody. `manage.py check` and every start run these."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import ninja
from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Advice

SECRET_LETTERS = 32


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@register
def embedded_is_local(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """The embedded platform shows everybody's mail to whoever asks, so only this machine may ask."""
    if not settings.WHETSTONE_EMBEDDED:
        return []
    strangers = [host for host in settings.ALLOWED_HOSTS if host and not is_loopback(host)]
    if not strangers:
        return []
    return [
        Error(
            f"WHETSTONE_EMBEDDED=1 serves this machine alone, but {', '.join(strangers)} is not loopback.",
            hint="Keep WHETSTONE_PUBLIC_URL and _ALLOWED_HOSTS on 127.0.0.1, or unset it.",
            id="whetstone.E001",
        )
    ]


@register
def secret_is_strong(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    if settings.WHETSTONE_EMBEDDED:
        return []
    key: str = settings.SECRET_KEY
    if len(key) >= SECRET_LETTERS and len(set(key)) >= 10:
        return []
    return [
        Error(
            f"WHETSTONE_SECRET_KEY is weak: it needs {SECRET_LETTERS} characters or more, at random.",
            hint='python -c "import secrets; print(secrets.token_urlsafe(50))"',
            id="whetstone.E002",
        )
    ]


@register
def production_is_not_debugged(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    if settings.DEBUG and not settings.WHETSTONE_EMBEDDED:
        return [
            Error("WHETSTONE_DEBUG=1 shows settings to strangers.", hint="Unset it.", id="whetstone.E003")
        ]
    return []


@register
def page_is_encrypted(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    public = urlsplit(settings.WHETSTONE_PUBLIC_URL)
    if public.scheme == "https" or is_loopback(public.hostname or ""):
        return []
    return [
        Advice(
            "WHETSTONE_PUBLIC_URL is not https: passwords and tokens travel readable.",
            id="whetstone.W001",
        )
    ]


@register
def ninja_is_the_web_library(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """The build tool `ninja` (NNCF needs it) and django-ninja both install a package called `ninja`."""
    if hasattr(ninja, "NinjaAPI"):
        return []
    return [
        Error(
            "The package `ninja` on this machine is the build tool, not django-ninja.",
            hint="pip install --force-reinstall --no-deps django-ninja",
            id="whetstone.E004",
        )
    ]


def start_or_exit() -> None:
    """For the web process, which Django does not check by itself: ends it with the reasons."""
    checks = (embedded_is_local, secret_is_strong, production_is_not_debugged, ninja_is_the_web_library)
    found = [message for check in checks for message in check(None)]
    if found:
        raise SystemExit("\n".join(f"{message.id}: {message.msg} {message.hint}" for message in found))
