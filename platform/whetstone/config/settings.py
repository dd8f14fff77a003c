"""Every setting, read from the environment here and nowhere else in the platform."""

import os
import secrets
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

ROOT = Path(__file__).resolve().parents[3]


class SettingError(Exception):
    """An environment variable is missing or cannot be read; the message names it."""


def env_text(name: str, default: str = "") -> str:
    return os.environ.get(name, "") or default


def env_flag(name: str, default: bool = False) -> bool:
    value = env_text(name, "1" if default else "0").lower()
    if value not in {"0", "1", "true", "false", "yes", "no"}:
        raise SettingError(f"{name}={value!r}: use 1 or 0")
    return value in {"1", "true", "yes"}


def env_number(name: str, default: int, low: int = 1) -> int:
    value = env_text(name, str(default))
    if not value.isdecimal() or int(value) < low:
        raise SettingError(f"{name}={value!r}: use a whole number of at least {low}")
    return int(value)


def env_list(name: str) -> list[str]:
    return [part.strip() for part in env_text(name).split(",") if part.strip()]


def env_path(name: str, default: str) -> Path:
    path = Path(env_text(name, default))
    return path if path.is_absolute() else ROOT / path


def database_settings(url: str) -> dict[str, Any]:
    """Django's settings for `sqlite:///file` (four slashes: absolute) or `postgres://user:pw@host:port/db`."""
    parts = urlsplit(url)
    name = unquote(parts.path[1:])
    if parts.scheme == "sqlite" and name:
        return _sqlite_settings(name)
    if parts.scheme in {"postgres", "postgresql"} and name:
        query = dict(parse_qsl(parts.query))
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": name,
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": query.pop("host", "") or parts.hostname or "",
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {"connect_timeout": 5, **query},
        }
    raise SettingError(
        "WHETSTONE_DATABASE_URL: use sqlite:///file or postgres://user:password@host:port/name"
    )


def _sqlite_settings(name: str) -> dict[str, Any]:
    path = name if name.startswith("/") or name == ":memory:" else str(ROOT / name)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": 60,
        # Django would test in memory, where threads meet other locks than in a file with WAL.
        "TEST": {"NAME": f"{path}.test"},
        "OPTIONS": {
            # A transaction that reads first and writes later cannot wait for the lock in WAL mode: it
            # fails at once with "database is locked". Taking the lock at BEGIN makes it wait its turn.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;",
        },
    }


def embedded_secret(path: Path) -> str:
    """The embedded platform's own key, made at its first start; several processes may start at once."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="ascii")
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii").strip()


DEBUG = env_flag("WHETSTONE_DEBUG")
WHETSTONE_EMBEDDED = env_flag("WHETSTONE_EMBEDDED")
WHETSTONE_DATA_DIR = env_path("WHETSTONE_DATA_DIR", "var")
WHETSTONE_PUBLIC_URL = env_text("WHETSTONE_PUBLIC_URL", "http://127.0.0.1:8000").rstrip("/")
WHETSTONE_REDIS_URL = env_text("WHETSTONE_REDIS_URL", "redis://127.0.0.1:6379/0")
_public = urlsplit(WHETSTONE_PUBLIC_URL)
_https = _public.scheme == "https"

SECRET_KEY = env_text("WHETSTONE_SECRET_KEY")
if not SECRET_KEY and WHETSTONE_EMBEDDED:
    SECRET_KEY = embedded_secret(WHETSTONE_DATA_DIR / "secret_key")
if not SECRET_KEY:
    raise SettingError("WHETSTONE_SECRET_KEY: set a random text of 50 characters, or WHETSTONE_EMBEDDED=1")

# The loopback names are for health checks from inside a container.
ALLOWED_HOSTS = [*env_list("WHETSTONE_ALLOWED_HOSTS"), _public.hostname or "", "127.0.0.1", "localhost"]
CSRF_TRUSTED_ORIGINS = [WHETSTONE_PUBLIC_URL]

INSTALLED_APPS = [
    "whetstone.core",
    "whetstone.accounts",
    "whetstone.registry",
    "whetstone.fleet",
    "whetstone.runs",
    "whetstone.uploads",
    "whetstone.comparisons",
    "whetstone.alerts",
    "whetstone.config",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.headless",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "whetstone.core.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "whetstone.core.middleware.GuardMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "whetstone.config.urls"
WSGI_APPLICATION = "whetstone.config.wsgi.application"
ASGI_APPLICATION = "whetstone.config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {
    "default": database_settings(env_text("WHETSTONE_DATABASE_URL", "sqlite:///var/whetstone.sqlite3"))
}
# The embedded platform has one web process, so its counters may live in it. Several processes share a
# table: sign-in limits must not multiply with the number of workers.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    if WHETSTONE_EMBEDDED
    else {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "core_cache"}
}

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
APPEND_SLASH = False

# Files
STORAGE_KIND = env_text("WHETSTONE_STORAGE", "local")
if STORAGE_KIND not in {"local", "s3"}:
    raise SettingError(f"WHETSTONE_STORAGE={STORAGE_KIND!r}: use local or s3")
S3_ENDPOINT = env_text("WHETSTONE_S3_ENDPOINT")
S3_PUBLIC_ENDPOINT = env_text("WHETSTONE_S3_PUBLIC_ENDPOINT", S3_ENDPOINT)
S3_BUCKET = env_text("WHETSTONE_S3_BUCKET", "whetstone")
S3_REGION = env_text("WHETSTONE_S3_REGION", "us-east-1")
UPLOAD_MAX_BYTES = env_number("WHETSTONE_UPLOAD_MAX_BYTES", 10 * 1024**3)
UPLOAD_PART_BYTES = env_number("WHETSTONE_UPLOAD_PART_BYTES", 16 * 1024**2)
UPLOAD_LIFETIME = timedelta(hours=24)
SIGNED_URL_LIFETIME = timedelta(hours=1)
# A request with a larger body is refused before it is read; bytes of files take the /files/ road.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024**2
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# Leases, in seconds
LEASE_SECONDS = env_number("WHETSTONE_LEASE_SECONDS", 30)
HEARTBEAT_SECONDS = env_number("WHETSTONE_HEARTBEAT_SECONDS", 5)
REAPER_SECONDS = env_number("WHETSTONE_REAPER_SECONDS", 5)
SWEEPER_SECONDS = env_number("WHETSTONE_SWEEPER_SECONDS", 10)

# Accounts
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "whetstone.accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "whetstone.accounts.forms.SignUpForm"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Whetstone] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _public.scheme
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
HEADLESS_FRONTEND_URLS = {
    "account_confirm_email": f"{WHETSTONE_PUBLIC_URL}/verify-email/{{key}}",
    "account_reset_password": f"{WHETSTONE_PUBLIC_URL}/reset-password",
    "account_reset_password_from_key": f"{WHETSTONE_PUBLIC_URL}/reset-password/{{key}}",
    "account_signup": f"{WHETSTONE_PUBLIC_URL}/sign-up",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]

# Mail
DEFAULT_FROM_EMAIL = env_text("WHETSTONE_EMAIL_FROM", "Whetstone <no-reply@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
_mail = urlsplit(env_text("WHETSTONE_EMAIL_URL"))
if _mail.scheme:
    if _mail.scheme not in {"smtp", "smtps"} or not _mail.hostname:
        raise SettingError("WHETSTONE_EMAIL_URL: use smtp://user:password@host:port (smtps: TLS)")
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = _mail.hostname
    EMAIL_PORT = _mail.port or (465 if _mail.scheme == "smtps" else 25)
    EMAIL_HOST_USER = unquote(_mail.username or "")
    EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = dict(parse_qsl(_mail.query)).get("starttls") == "1"
    EMAIL_TIMEOUT = 10
elif WHETSTONE_EMBEDDED:
    EMAIL_BACKEND = "whetstone.alerts.backends.LocalOutboxBackend"
else:
    raise SettingError("WHETSTONE_EMAIL_URL: set smtp://user:password@host:port, or WHETSTONE_EMBEDDED=1")
LOCAL_MAIL = EMAIL_BACKEND.endswith("LocalOutboxBackend")

# The page and its headers
FRONTEND_DIST = ROOT / "frontend" / "dist"
STATIC_URL = "/static/"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SESSION_COOKIE_NAME = "whetstone_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "whetstone.core.pages.csrf_failed"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if _https else 0
X_FRAME_OPTIONS = "DENY"
_s3_origin = S3_PUBLIC_ENDPOINT if STORAGE_KIND == "s3" else ""
# Mantine and ECharts set style attributes; ECharts and the hasher start workers from blobs.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        f"connect-src 'self' {_s3_origin}".strip(),
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "whetstone.core.logs.LineFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # The request middleware writes one line per request; Django's own would say it twice.
        "django.request": {"level": "CRITICAL"},
        "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
    },
}
