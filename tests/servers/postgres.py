"""A throw-away PostgreSQL: its own data folder, its own port, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.processes import NotInstalled, free_port

USER = "whetstone"
FAST = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=200"


def postgres_folder() -> Path:
    """The folder with initdb and pg_ctl; raises NotInstalled with what to do."""
    candidates = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        candidates.append(Path(on_path).resolve().parent)
    for folder in candidates:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    raise NotInstalled("PostgreSQL is missing: apt-get install postgresql-15 (as root), then try again.")


def as_server_user() -> list[str]:
    """PostgreSQL refuses to run as root: there the commands run as Debian's postgres user."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam("postgres")
    except KeyError as error:
        raise NotInstalled("There is no user `postgres`: apt-get install postgresql-15.") from error
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """Start a server below `folder` and give its URL, postgres://user@host:port/postgres.

    Durability is off: these databases live as long as one test session.
    """
    binaries, prefix, port = postgres_folder(), as_server_user(), free_port()
    data = folder / "data"
    folder.mkdir(parents=True, exist_ok=True)
    if prefix:
        _give_to_postgres(folder)
    init = [
        binaries / "initdb",
        "-D",
        data,
        "-U",
        USER,
        "-A",
        "trust",
        "--no-sync",
        "-E",
        "UTF8",
        "--locale=C",
    ]
    _run([*prefix, *map(str, init)], folder)
    start = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} {FAST}"
    control = [*prefix, str(binaries / "pg_ctl"), "-D", str(data), "-w"]
    _run([*control, "-l", str(folder / "log"), "-o", start, "start"], folder)
    try:
        yield f"postgres://{USER}@127.0.0.1:{port}/postgres"
    finally:
        _run([*control, "-m", "immediate", "stop"], folder)


def _give_to_postgres(folder: Path) -> None:
    """Hand `folder` to the server's user and let it pass through the folders above (pytest makes 0700)."""
    shutil.chown(folder, "postgres", "postgres")
    for parent in folder.parents:
        if parent.stat().st_uid == os.geteuid() and parent.name.startswith("pytest-"):
            parent.chmod(parent.stat().st_mode | 0o011)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode != 0:
        log = folder / "log"
        detail = log.read_text(errors="replace")[-2000:] if log.exists() else ""
        raise RuntimeError(f"{command[-1]}: {done.stdout}{done.stderr}{detail}")
