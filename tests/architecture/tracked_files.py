"""The files of the repository, as git knows them (new files that nothing ignores count too)."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from tests.servers.processes import ROOT


@cache
def tracked(*patterns: str) -> tuple[Path, ...]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    paths = (ROOT / name.decode() for name in output.split(b"\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


def text_of(path: Path) -> str | None:
    """The file's text, or None for a binary one."""
    content = path.read_bytes()
    return None if b"\0" in content[:8192] else content.decode("utf-8", errors="replace")
