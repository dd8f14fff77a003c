"""`manage.py up`: the whole platform on this machine, until Ctrl-C."""

from __future__ import annotations

import fcntl
import logging
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import httpx
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from whetstone.core.embedded.demo import DemoFailed, demo_run
from whetstone.core.embedded.processes import ServiceDied, Supervisor, port_answers, port_is_free
from whetstone.core.embedded.services import (
    Broker,
    Layout,
    broker_new,
    broker_service,
    control_service,
    platform_environment,
    runner_service,
    web_service,
)

ROOT = Path(__file__).resolve().parents[5]


class Command(BaseCommand):
    help = "Starts the whole platform on this machine and serves it on 127.0.0.1 until Ctrl-C."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="where the page is served (8000)")
        parser.add_argument(
            "--data-dir", type=Path, default=ROOT / "var", help="where everything is kept (var/)"
        )
        parser.add_argument(
            "--demo", action="store_true", help="upload a real model and compare every recipe"
        )
        parser.add_argument(
            "--once", action="store_true", help="with --demo: stop after printing the comparison"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        layout = Layout(ROOT, options["data_dir"].resolve(), options["port"])
        logging.getLogger("httpx").setLevel(logging.WARNING)
        signal.signal(signal.SIGTERM, _interrupt)
        console = Console()
        with _only_one(layout.data):
            if not port_is_free(layout.port):
                raise CommandError(
                    f"Port {layout.port} is taken by another program. Choose another: "
                    f"`make run PORT={layout.port + 1}` or `manage.py up --port {layout.port + 1}`."
                )
            supervisor = Supervisor(ROOT)
            try:
                self._serve(layout, supervisor, console, demo=options["demo"], once=options["once"])
            except (ServiceDied, DemoFailed) as fault:
                raise CommandError(str(fault)) from None
            except KeyboardInterrupt:
                console.print("\nStopping ...")
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                supervisor.stop()

    def _serve(
        self, layout: Layout, supervisor: Supervisor, console: Console, *, demo: bool, once: bool
    ) -> None:
        started = time.monotonic()
        broker = broker_new()
        environment = platform_environment(layout, broker)
        with console.status("Preparing the database ..."):
            _prepare(layout, environment)
        with console.status("Starting ..."):
            _start(layout, supervisor, broker, environment)
        console.print(f"Whetstone is at [bold]{layout.url}[/bold] ({time.monotonic() - started:.1f} s)")
        if demo:
            demo_run(layout, console, check=supervisor.check)
        if once:
            return
        console.print(f"Logs are in {layout.data / 'logs'}. Ctrl-C stops everything.")
        while True:
            supervisor.check()
            time.sleep(0.5)


def _start(layout: Layout, supervisor: Supervisor, broker: Broker, environment: dict[str, str]) -> None:
    supervisor.start(broker_service(layout, broker))
    supervisor.start(web_service(layout, environment))
    supervisor.wait_for(lambda: port_answers(broker.port), what="The broker")
    supervisor.start(control_service(layout, environment))
    supervisor.start(runner_service(layout, broker))
    supervisor.wait_for(lambda: _answers(f"{layout.url}/health/ready"), what="The web process")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2).status_code == 200
    except httpx.HTTPError:
        return False


def _prepare(layout: Layout, environment: dict[str, str]) -> None:
    """Tables, price book and this machine's credential; a child process, since settings are read once."""
    _manage(environment, "migrate", "--noinput", "--verbosity", "0")
    _manage(environment, "prices_import")
    if not layout.credential.exists():
        credential = _manage(environment, "host_enroll", "local", "--replace").strip()
        layout.credential.touch(mode=0o600)
        layout.credential.write_text(credential)


def _manage(environment: dict[str, str], *command: str) -> str:
    arguments = [sys.executable, str(ROOT / "manage.py"), *command]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServiceDied(f"manage.py {command[0]} failed:\n{done.stderr.strip()[-2000:]}")
    return done.stdout


@contextmanager
def _only_one(data: Path) -> Iterator[None]:
    data.mkdir(parents=True, exist_ok=True)
    with (data / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(
                f"Whetstone already runs on {data}. Stop it first, or use --data-dir."
            ) from None
        yield


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
