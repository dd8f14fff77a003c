"""Settings are read from the environment alone, and a start that is not safe is refused."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from whetstone.config.settings import SettingError, database_settings, embedded_secret

ROOT = Path(__file__).resolve().parents[3]
PRODUCTION = {
    "WHETSTONE_SECRET_KEY": "k7Qd2Vn9xTz4Rb8Yw1Lc6Mf3Hj5Gp0SaUeIoXtBvN2mZ9qWr",
    "WHETSTONE_EMAIL_URL": "smtp://127.0.0.1:2525",
    "WHETSTONE_PUBLIC_URL": "https://whetstone.example",
    "WHETSTONE_EMBEDDED": "0",
}


def manage(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WHETSTONE_")}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    database = f"sqlite:///{tmp_path}/db.sqlite3"
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env={
            **kept,
            "WHETSTONE_DATA_DIR": str(tmp_path),
            "WHETSTONE_DATABASE_URL": database,
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_production_settings_pass_every_check(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


def test_the_embedded_platform_makes_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", WHETSTONE_EMBEDDED="1")
    assert done.returncode == 0, done.stderr
    key = tmp_path / "secret_key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert embedded_secret(key) == embedded_secret(key)
    assert len(embedded_secret(key)) >= 50


BROKEN = {
    "no key": ({"WHETSTONE_SECRET_KEY": ""}, "WHETSTONE_SECRET_KEY"),
    "weak key": ({"WHETSTONE_SECRET_KEY": "secret"}, "whetstone.E002"),
    "repeated key": ({"WHETSTONE_SECRET_KEY": "a" * 60}, "whetstone.E002"),
    "embedded for strangers": ({"WHETSTONE_EMBEDDED": "1"}, "whetstone.E001"),
    "embedded on every address": (
        {
            "WHETSTONE_EMBEDDED": "1",
            "WHETSTONE_PUBLIC_URL": "http://127.0.0.1",
            "WHETSTONE_ALLOWED_HOSTS": "*",
        },
        "whetstone.E001",
    ),
    "debug for strangers": ({"WHETSTONE_DEBUG": "1"}, "whetstone.E003"),
    "no mail": ({"WHETSTONE_EMAIL_URL": ""}, "WHETSTONE_EMAIL_URL"),
    "odd flag": ({"WHETSTONE_DEBUG": "maybe"}, "WHETSTONE_DEBUG"),
    "odd number": ({"WHETSTONE_LEASE_SECONDS": "-3"}, "WHETSTONE_LEASE_SECONDS"),
    "odd storage": ({"WHETSTONE_STORAGE": "ftp"}, "WHETSTONE_STORAGE"),
    "odd database": ({"WHETSTONE_DATABASE_URL": "mysql://x/y"}, "WHETSTONE_DATABASE_URL"),
}


@pytest.mark.parametrize(("change", "named"), BROKEN.values(), ids=BROKEN.keys())
def test_a_start_that_is_not_safe_is_refused_by_name(
    tmp_path: Path, change: dict[str, str], named: str
) -> None:
    done = manage(tmp_path, "check", **(PRODUCTION | change))
    assert done.returncode != 0
    assert named in done.stderr


def test_the_web_process_itself_refuses_too(tmp_path: Path) -> None:
    code = (
        "import sys, os; sys.path[:0] = [os.environ['ROOT'], os.environ['ROOT'] + '/platform'];"
        "import whetstone.config.wsgi"
    )
    environment = {**os.environ, **PRODUCTION, "WHETSTONE_SECRET_KEY": "weak", "ROOT": str(ROOT)}
    environment["WHETSTONE_DATABASE_URL"] = f"sqlite:///{tmp_path}/db.sqlite3"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode != 0
    assert "whetstone.E002" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_plain_address_is_a_warning(tmp_path: Path) -> None:
    plain = PRODUCTION | {"WHETSTONE_PUBLIC_URL": "http://whetstone.example"}
    done = manage(tmp_path, "check", **plain)
    assert done.returncode == 0
    assert "whetstone.W001" in done.stderr


def test_a_database_address_is_read_with_its_odd_characters() -> None:
    found = database_settings("postgres://us%40er:p%2Fw@db:5433/na%20me?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "us@er",
        "p/w",
        "db",
        "5433",
        "na me",
    )
    assert found["OPTIONS"]["sslmode"] == "require"
    socket = database_settings("postgres://postgres@/whetstone?host=/run/pg&port=5")
    assert socket["HOST"] == "/run/pg"
    assert database_settings("sqlite:////tmp/x.sqlite3")["NAME"] == "/tmp/x.sqlite3"
    assert database_settings("sqlite:///var/x.sqlite3")["NAME"] == str(ROOT / "var/x.sqlite3")


@pytest.mark.parametrize("url", ["", "sqlite://", "sqlite:///", "mysql://a/b", "postgres://host", "x"])
def test_what_is_no_database_address_is_refused_by_name(url: str) -> None:
    with pytest.raises(SettingError, match="WHETSTONE_DATABASE_URL"):
        database_settings(url)


def test_migrations_match_the_models(tmp_path: Path) -> None:
    done = manage(tmp_path, "makemigrations", "--check", "--dry-run", WHETSTONE_EMBEDDED="1")
    assert done.returncode == 0, done.stdout + done.stderr
