"""List and comparison endpoints with 100,000 jobs in PostgreSQL: p95 at 20 requests/s, number of queries.

The server is gunicorn as production starts it, with PostgreSQL's ordinary durability left out: nothing
here writes while it is measured.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx

from benchmarks.common import Figure, is_ready, new_token, tell
from tests.servers.postgres import postgres_server
from tests.servers.processes import ROOT, child_process, free_port, wait_until

JOBS = 100_000
RATE = 20.0
SECONDS = 20


def environment(database: str, folder: Path, port: int) -> dict[str, str]:
    return {
        **os.environ,
        "WHETSTONE_EMBEDDED": "1",
        "WHETSTONE_DATA_DIR": str(folder),
        "WHETSTONE_DATABASE_URL": database,
        "WHETSTONE_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "DJANGO_SETTINGS_MODULE": "whetstone.config.settings",
        "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
    }


@contextmanager
def platform(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """A migrated web process on PostgreSQL: its address and the environment of its other processes."""
    with postgres_server(folder / "postgres") as database:
        port = free_port()
        settings = environment(database, folder, port)
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=settings, check=True
        )
        bind = ["--bind", f"127.0.0.1:{port}", "--workers", "2", "--threads", "4", "--no-control-socket"]
        command = [sys.executable, "-m", "gunicorn", "whetstone.config.wsgi:application", *bind]
        with child_process(command, log=folder / "web.log", environment=settings):
            url = f"http://127.0.0.1:{port}"
            wait_until(lambda: is_ready(url), what="the web process", seconds=60)
            yield url, settings


def fill(token: str, settings: dict[str, str], jobs: int) -> str:
    """Put `jobs` finished jobs into the token's workspace; answers with the id of one of its runs."""
    command = [sys.executable, "-m", "benchmarks.fill", token, str(jobs)]
    done = subprocess.run(command, cwd=ROOT, env=settings, check=True, capture_output=True, text=True)
    return done.stdout.split()[-1]


def p95_ms(client: httpx.Client, path: str) -> float:
    """Requests start on a fixed timetable, so that a slow answer does not thin out the ones after it."""
    times: list[float] = []

    def ask(at: float) -> None:
        time.sleep(max(0.0, at - time.perf_counter()))
        client.get(path).raise_for_status()
        times.append(time.perf_counter() - at)

    begin = time.perf_counter() + 0.5
    with ThreadPoolExecutor(16) as lanes:
        list(lanes.map(ask, [begin + n / RATE for n in range(int(RATE * SECONDS))]))
    return statistics.quantiles(times, n=20)[-1] * 1e3


def paths(run_id: str) -> dict[str, str]:
    return {
        "runs": "/runs?limit=50",
        "models": "/models?limit=50",
        "jobs": f"/runs/{run_id}/jobs?limit=50",
        "comparison": f"/runs/{run_id}/comparison",
    }


def queries(token: str, settings: dict[str, str], path: str) -> int:
    """The number of database queries that one request makes."""
    command = [sys.executable, "-m", "benchmarks.count_queries", token, f"/api/v1{path}"]
    done = subprocess.run(command, cwd=ROOT, env=settings, check=True, capture_output=True, text=True)
    return int(done.stdout.split()[-1])


def figures() -> list[Figure]:
    found: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="pytest-whetstone-") as name:
        os.chmod(name, 0o711)  # noqa: PTH101 - PostgreSQL runs as another user
        with platform(Path(name)) as (url, settings):
            token = new_token(url)
            small = {
                key: queries(token, settings, path) for key, path in paths(fill(token, settings, 24)).items()
            }
            run_id = fill(token, settings, JOBS)
            headers = {"Authorization": f"Bearer {token}"}
            with httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=30) as client:
                for key, path in paths(run_id).items():
                    found.append(tell(Figure(f"{key}_p95_ms", p95_ms(client, path), "ms", at_most=150)))
                    grown = queries(token, settings, path) - small[key]
                    note = f"{small[key]} queries with few rows"
                    found.append(tell(Figure(f"{key}_more_queries", grown, "", at_most=0, note=note)))
    return found


if __name__ == "__main__":
    sys.exit(not all(figure.reached for figure in figures()))
