"""platform/ is a folder on the path, never a package: the standard library has a module `platform`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.processes import ROOT

PLATFORM = ROOT / "platform"
PROBE = "import platform; print(platform.__file__); platform.machine()"


def run(*command: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "WHETSTONE_EMBEDDED": "1", "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("folder", [ROOT, PLATFORM], ids=["root", "platform"])
@pytest.mark.parametrize("path", ["", f"{ROOT}", f"{ROOT}:{PLATFORM}", f"{PLATFORM}:{ROOT}"])
def test_the_standard_library_keeps_its_platform(folder: Path, path: str) -> None:
    result = run("-c", PROBE, folder=folder, path=path)
    assert result.returncode == 0, result.stderr
    assert Path(result.stdout.strip()).parent == Path(os.__file__).parent


def test_manage_py_starts_in_a_process_of_its_own(tmp_path: Path) -> None:
    result = run(str(ROOT / "manage.py"), "check", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    probe = f"from django.core.management import call_command; {PROBE}"
    shell = run(str(ROOT / "manage.py"), "shell", "-c", probe, folder=ROOT)
    assert str(PLATFORM) not in shell.stdout, shell.stdout + shell.stderr


def test_no_python_file_lies_directly_in_platform() -> None:
    assert [path.name for path in PLATFORM.iterdir() if path.suffix in {".py", ".pyi", ".so"}] == []


def test_a_python_file_in_platform_would_be_noticed(tmp_path: Path) -> None:
    """The guard guards against something: a package called platform does shadow the library."""
    (tmp_path / "platform").mkdir()
    (tmp_path / "platform" / "__init__.py").touch()
    result = run("-c", PROBE, folder=tmp_path)
    assert result.returncode != 0


def test_there_is_no_package_below_tests() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []
