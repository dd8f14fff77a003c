"""How long `make demo ONCE=1` takes after the downloads: a first start and a second one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.common import Figure, tell
from tests.servers.processes import ROOT, free_port


def demo_seconds(data: Path) -> float:
    command = [sys.executable, str(ROOT / "manage.py"), "up", "--demo", "--once", "--port", str(free_port())]
    start = time.monotonic()
    subprocess.run([*command, "--data-dir", str(data)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="whetstone-bench-") as folder:
        first, second = demo_seconds(Path(folder)), demo_seconds(Path(folder))
    return [
        tell(Figure("demo_first_s", first, "s", at_most=360, note="without installation")),
        tell(Figure("demo_second_s", second, "s", at_most=60)),
    ]


if __name__ == "__main__":
    sys.exit(not all(figure.reached for figure in figures()))
