"""The demo: an account, stand-in prices, a real model through the REST API, the comparison printed."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from whetstone.core.embedded.services import Layout

EMAIL = "demo@whetstone.example"
MODEL_PACKAGE, MODEL_FILE = "rapidocr_onnxruntime", "models/ch_PP-OCRv4_det_infer.onnx"
IMAGE_SIDE = 320
# Of a small on-demand machine with two cores: something for cost to be computed from.
STAND_IN_USD_PER_CORE_HOUR = 0.0425
POLL_SECONDS = 0.3


class DemoFailed(Exception):
    """The demo cannot go on; the message says why and what to do."""


def demo_run(layout: Layout, console: Console, *, check: Callable[[], None]) -> None:
    """Uploads the model, runs it on this machine's targets and prints the comparison.

    `check` raises when a service has died. Raises DemoFailed when the run does not succeed.
    """
    password, token = _account(layout)
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=layout.url, headers=headers, timeout=30) as client:
        targets = _targets(client, check)
        _prices(client, targets)
        version = _upload(client, _model_path(), check)
        console.print(f"Uploaded {version['filename']} as version {version['number']}; nothing was refused.")
        run = _run(client, version, console, check)
        comparison = _answer(client.get(f"/api/v1/runs/{run['id']}/comparison"))
    _print_comparison(console, comparison)
    summary = run.get("summary") or {}
    console.print(summary.get("headline") or f"The run ended: {run['state']}.", style="bold")
    console.print(f"Dashboard: {layout.url}/runs/{run['id']}/comparison")
    console.print(f"Account:   {EMAIL}   password: {password}")
    if run["state"] not in {"succeeded", "partially_succeeded"}:
        raise DemoFailed(f"The demo's run ended as {run['state']}; see {layout.data / 'logs'}.")


def _answer(response: httpx.Response) -> Any:
    if response.is_success:
        return response.json() if response.content else {}
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    code, detail = (
        problem.get("code", response.status_code),
        problem.get("detail") or problem.get("title", ""),
    )
    raise DemoFailed(f"{response.request.method} {response.request.url.path}: {code} {detail}")


def _account(layout: Layout) -> tuple[str, str]:
    """The demo account's password and API token, made at the first demo and kept in the data folder."""
    kept = layout.data / "demo.json"
    if kept.exists():
        known = json.loads(kept.read_text())
        return str(known["password"]), str(known["token"])
    password = secrets.token_urlsafe(12)
    with httpx.Client(base_url=layout.url, timeout=30) as client:
        client.get("/_allauth/browser/v1/config")
        _sign_up(client, password)
        token = _answer(client.post("/api/v1/tokens", json={"name": "demo"}, headers=_csrf(client)))["token"]
    kept.touch(mode=0o600)
    kept.write_text(json.dumps({"email": EMAIL, "password": password, "token": token}))
    return password, str(token)


def _csrf(client: httpx.Client) -> dict[str, str]:
    return {"X-CSRFToken": client.cookies.get("csrftoken") or "", "Referer": str(client.base_url)}


def _sign_up(client: httpx.Client, password: str) -> None:
    form = {"email": EMAIL, "password": password}
    response = client.post("/_allauth/browser/v1/auth/signup", json=form, headers=_csrf(client))
    if response.status_code not in {200, 401}:
        raise DemoFailed(
            f"The demo account could not be made ({response.status_code}). If {EMAIL} exists in this data "
            "folder without demo.json, start with another --data-dir."
        )


def _targets(client: httpx.Client, check: Callable[[], None]) -> list[dict[str, Any]]:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        check()
        items: list[dict[str, Any]] = _answer(client.get("/api/v1/targets"))["items"]
        online = [target for target in items if target["online"]]
        if online:
            return online
        time.sleep(POLL_SECONDS)
    raise DemoFailed("This machine's runner did not register within a minute; see logs/runner.log.")


def _prices(client: httpx.Client, targets: list[dict[str, Any]]) -> None:
    for target in targets:
        if target["price"] is None:
            price = f"{STAND_IN_USD_PER_CORE_HOUR * len(target['cores']):.4f}"
            note = (
                "A stand-in: what a small cloud machine costs per core, so that cost has something to show."
            )
            body: dict[str, str] = {"kind": "stand_in", "usd_per_hour": price, "note": note}
            _answer(client.put(f"/api/v1/targets/{target['id']}/price", json=body))


def _model_path() -> Path:
    found = find_spec(MODEL_PACKAGE)
    locations = list(found.submodule_search_locations or ()) if found else []
    path = Path(locations[0]) / MODEL_FILE if locations else None
    if path is None or not path.is_file():
        raise DemoFailed("The demo's model is not installed; `make demo` installs requirements/demo.txt.")
    return path


def _upload(client: httpx.Client, path: Path, check: Callable[[], None]) -> dict[str, Any]:
    data = path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    body: dict[str, Any] = {"filename": path.name, "size_bytes": len(data), "sha256": sha256}
    upload = _answer(client.post("/api/v1/uploads", json={**body, "model_name": "PP-OCRv4 text detection"}))
    numbers = list(range(1, upload["part_count"] + 1))
    parts = _answer(client.post(f"/api/v1/uploads/{upload['id']}/parts", json={"part_numbers": numbers}))
    for part in parts["parts"]:
        start = (part["part_number"] - 1) * upload["part_size"]
        chunk = data[start : start + upload["part_size"]]
        httpx.request(part["method"], part["url"], content=chunk, headers=part["headers"]).raise_for_status()
    done = _answer(client.post(f"/api/v1/uploads/{upload['id']}/complete", json={}))
    while True:
        check()
        version: dict[str, Any] = _answer(client.get(f"/api/v1/versions/{done['version_id']}"))
        if version["state"] == "ready":
            return version
        if version["state"] == "rejected":
            raise DemoFailed(f"The demo's model was rejected: {version['failure']['message']}")
        time.sleep(POLL_SECONDS)


def _run(
    client: httpx.Client, version: dict[str, Any], console: Console, check: Callable[[], None]
) -> dict[str, Any]:
    dims = {
        dim["name"]: dim["suggested"] if dim["is_batch"] else IMAGE_SIDE
        for dim in version["description"]["dims"]
    }
    body = {"version_id": version["id"], "profile": "quick", "dims": dims, "name": "Demo"}
    run: dict[str, Any] = _answer(client.post("/api/v1/runs", json=body))
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("Running", total=run["job_counts"]["total"])
        while run["ended_at"] is None:
            check()
            time.sleep(POLL_SECONDS)
            run = _answer(client.get(f"/api/v1/runs/{run['id']}"))
            counts = run["job_counts"]
            ended = counts["total"] - counts["queued"] - counts["running"]
            text = f"{ended} of {counts['total']} jobs, {counts['running']} running"
            progress.update(bar, completed=ended, description=text)
    return run


def _number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}g}" if abs(value) < 1000 else f"{value:,.0f}"


def _print_comparison(console: Console, comparison: dict[str, Any]) -> None:
    table = Table(title="Comparison (quick profile)", title_justify="left")
    for heading in ("target", "recipe", "precision"):
        table.add_column(heading)
    for heading in (
        "p50 ms",
        "p90 ms",
        "p95 ms",
        "items/s",
        "USD/million",
        "peak MB",
        "max abs err",
        "faster",
    ):
        table.add_column(heading, justify="right")
    for row in comparison["candidates"]:
        values = row["values"]
        if row["state"] != "succeeded":
            code = (row["failure"] or {}).get("code", row["state"])
            table.add_row(row["target"]["name"], row["recipe_label"], "", code, *[""] * 7)
            continue
        memory = values.get("peak_memory_bytes")
        figures = [values.get(name) for name in ("latency_p50_ms", "latency_p90_ms", "latency_p95_ms")]
        figures += [values.get("throughput_per_s"), values.get("usd_per_million")]
        figures += [memory / 1e6 if memory else None, values.get("quality_max_abs")]
        speedup = "baseline" if row["is_baseline"] else f"{_number(row['speedup'])}x"
        style = "bold green" if row["job_id"] == comparison["winner_job_id"] else ""
        precision = row["precision_effective"] or ""
        cells = [row["target"]["name"], row["recipe_label"], precision, *map(_number, figures), speedup]
        table.add_row(*cells, style=style)
    console.print(table)
