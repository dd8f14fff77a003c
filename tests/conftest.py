"""What every test may ask for: real servers, started once a session and stopped at its end.

Which database Django's tests run on is chosen here, before Django is set up:
`WHETSTONE_TEST_DATABASE=sqlite` (the default) or `postgres`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.servers.postgres import postgres_server
from tests.servers.processes import ROOT
from tests.servers.s3 import S3_SERVERS, S3Server
from tests.servers.smtp import SmtpServer
from tests.servers.smtp import smtp_server as start_smtp
from tests.servers.valkey import valkey_server

WITHOUT_DJANGO = [ROOT / "tests" / name for name in ("optimizers", "hostile", "architecture", "servers")]
FOR_SESSION = pytest.StashKey[ExitStack]()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the database and keep every file of the tests out of the checkout, before Django is set up."""
    stack = config.stash[FOR_SESSION] = ExitStack()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        return  # the first process has set the environment that its workers inherit
    if not _wants_django(config.args):
        return
    folder = Path(tempfile.mkdtemp(prefix="pytest-whetstone-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    choice = os.environ.get("WHETSTONE_TEST_DATABASE", "sqlite")
    if choice == "postgres":
        url = stack.enter_context(postgres_server(folder / "postgres"))
    elif choice == "sqlite":
        url = f"sqlite:///{folder}/whetstone.sqlite3"
    else:
        raise pytest.UsageError(f"WHETSTONE_TEST_DATABASE={choice!r}: choose sqlite or postgres")
    os.environ["WHETSTONE_DATABASE_URL"] = url
    os.environ["WHETSTONE_DATA_DIR"] = str(folder / "data")
    os.environ.setdefault("WHETSTONE_EMBEDDED", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "whetstone.config.settings")
    import django

    # pytest-django has looked for settings already, and found none yet.
    django.setup()


def _wants_django(arguments: list[str]) -> bool:
    """The engine's tests run in a process that never heard of Django, as the engine does."""
    paths = [Path(argument.partition("::")[0]).resolve() for argument in arguments]
    return not all(any(path.is_relative_to(folder) for folder in WITHOUT_DJANGO) for path in paths)


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[FOR_SESSION].close()


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An empty PostgreSQL server of its own; its superuser needs no password."""
    with postgres_server(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Valkey server with `noeviction`, as production has it."""
    with valkey_server(tmp_path_factory.mktemp("valkey")) as url:
        yield url


@pytest.fixture(scope="session", params=sorted(S3_SERVERS))
def s3_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """Both S3 servers, one after the other, each with one bucket."""
    with S3_SERVERS[request.param](tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="session")
def _smtp() -> Iterator[SmtpServer]:
    with start_smtp() as server:
        yield server


@pytest.fixture
def smtp_server(_smtp: SmtpServer) -> SmtpServer:
    """The SMTP server with an empty list of messages."""
    _smtp.messages.clear()
    _smtp.refuse_with = None
    return _smtp
