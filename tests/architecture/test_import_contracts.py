"""Each import contract of pyproject.toml holds, and catches a violation that is planted for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers.processes import ROOT

LINT = Path(sys.executable).parent / "lint-imports"
SOURCES = ("platform/whetstone", "workers", "optimizers", "scripts")


@dataclass(frozen=True)
class Planted:
    """An import statement in a file, and the contract that must object to it."""

    contract: str
    file: str
    statement: str


PLANTED = [
    Planted("optimizers-stands-alone", "optimizers/planted.py", "import django"),
    Planted("optimizers-stands-alone", "optimizers/planted.py", "import workers.runner"),
    Planted("spec-is-stdlib", "optimizers/spec/planted.py", "import numpy"),
    Planted("spec-is-stdlib", "optimizers/spec/planted.py", "import optimizers.search"),
    Planted("search-is-light", "optimizers/search/planted.py", "import onnx"),
    Planted("platform-knows-no-engine", "platform/whetstone/runs/planted.py", "import optimizers.backends"),
    Planted("platform-knows-no-worker", "platform/whetstone/runs/planted.py", "import workers.control"),
    Planted("platform-knows-no-worker", "platform/whetstone/core/planted.py", "import onnxruntime"),
    Planted("runner-engine", "workers/runner/planted.py", "import optimizers.backends"),
    Planted("runner-engine", "workers/runner/planted.py", "import workers.control"),
    Planted("runner-is-untrusted", "workers/runner/planted.py", "import django.db"),
    Planted("runner-is-untrusted", "workers/runner/planted.py", "import boto3"),
    Planted("apps-point-down", "platform/whetstone/core/planted.py", "import whetstone.runs.models"),
    Planted("apps-point-down", "platform/whetstone/fleet/planted.py", "import whetstone.registry.models"),
    Planted("inside-an-app", "platform/whetstone/fleet/domain.py", "import whetstone.fleet.services"),
    Planted(
        "backends-are-strangers",
        "optimizers/backends/onnxruntime/planted.py",
        "import optimizers.backends.openvino",
    ),
]


def contracts() -> dict[str, str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["id"]: contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the Python sources to plant violations in."""
    folder = tmp_path_factory.mktemp("tree")
    for source in SOURCES:
        shutil.copytree(ROOT / source, folder / source, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint(tree: Path, *contract: str) -> subprocess.CompletedProcess[str]:
    chosen = [part for name in contract for part in ("--contract", name)]
    return subprocess.run(
        [LINT, "--no-cache", "--no-logo", *chosen],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": f"{tree}:{tree / 'platform'}", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_sources_keep_every_contract(tree: Path) -> None:
    result = lint(tree)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_contract_has_a_planted_violation() -> None:
    assert {planted.contract for planted in PLANTED} == set(contracts())


@pytest.mark.parametrize("planted", PLANTED, ids=lambda p: f"{p.contract}: {p.statement}")
def test_a_planted_violation_is_caught(tree: Path, planted: Planted) -> None:
    path = tree / planted.file
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.write_text(f"{before or ''}\n{planted.statement}\n", encoding="utf-8")
    try:
        result = lint(tree, planted.contract)
    finally:
        path.unlink() if before is None else path.write_text(before, encoding="utf-8")
    assert result.returncode == 1, result.stdout + result.stderr
    assert f"{contracts()[planted.contract]} BROKEN" in result.stdout
