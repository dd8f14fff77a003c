"""What the benchmarks share: how a figure is told, a platform of their own, an account on it."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

import httpx

from tests.servers.processes import ROOT, accepts_connections, child_process, free_port, wait_until

MODEL = "models/ch_PP-OCRv4_det_infer.onnx"
SIDE = 320


@dataclass(frozen=True)
class Figure:
    """One measured number and what it should be: `at_most` or `at_least`, or neither."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""

    @property
    def reached(self) -> bool:
        above = self.at_least is None or self.value >= self.at_least
        return above and (self.at_most is None or self.value <= self.at_most)


def tell(figure: Figure) -> Figure:
    """A line for people and a line of JSON."""
    wanted = f" (at most {figure.at_most:g})" if figure.at_most is not None else ""
    wanted += f" (at least {figure.at_least:g})" if figure.at_least is not None else ""
    mark = "reached" if figure.reached else "MISSED "
    print(f"{mark}  {figure.name}: {figure.value:.4g} {figure.unit}{wanted} {figure.note}".rstrip())
    print(json.dumps({**asdict(figure), "reached": figure.reached}), flush=True)
    return figure


def demo_model() -> Path:
    """PP-OCRv4 text detection, from the package that `make demo` installs."""
    found = find_spec("rapidocr_onnxruntime")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("The demo's model is missing: make bench installs requirements/demo.txt.")
    return Path(found.submodule_search_locations[0]) / MODEL


@dataclass(frozen=True)
class Platform:
    """A running embedded platform and its data folder."""

    url: str
    data: Path
    pid: int

    def client(self) -> httpx.Client:
        """Signed in with a token of a new account."""
        token = new_token(self.url)
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=60)


@contextmanager
def platform_up(data: Path) -> Iterator[Platform]:
    port = free_port()
    command = [sys.executable, ROOT / "manage.py", "up", "--port", str(port), "--data-dir", data]
    data.mkdir(parents=True, exist_ok=True)
    with child_process(command, log=data / "up.log") as child:
        wait_until(lambda: accepts_connections(port), what="the platform", seconds=120)
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: is_ready(url), what="the platform", seconds=60)
        yield Platform(url, data, child.pid)


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/ready", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def new_token(url: str) -> str:
    """Sign up as a person would, and make an API token."""
    form = {"email": f"bench-{secrets.token_hex(4)}@example.org", "password": secrets.token_urlsafe(16)}
    with httpx.Client(base_url=url, timeout=30) as client:
        client.get("/_allauth/browser/v1/config")
        headers = {"X-CSRFToken": client.cookies["csrftoken"], "Referer": url}
        answer = client.post("/_allauth/browser/v1/auth/signup", json=form, headers=headers)
        if answer.status_code not in {200, 401}:
            answer.raise_for_status()
        headers["X-CSRFToken"] = client.cookies["csrftoken"]
        token = client.post("/api/v1/tokens", json={"name": "bench"}, headers=headers)
        return str(token.raise_for_status().json()["token"])
