"""What must not stand in any file of the repository: hosts of registries, paths of a machine, wrong words."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.architecture.tracked_files import text_of, tracked
from tests.servers.processes import ROOT

# Written apart, so that this file does not find itself.
REGISTRIES = [
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "deb.debian" + ".org",
]
MACHINE = [
    r"(?<![\w.])/" + "root/",
    r"(?<![\w.$}/])/" + "home/(?!whetstone)",
    r"(?<![\w.$}/])/" + "work/(?:main|shared|steering)",
    r"\.\./" + "shared",
]
UNFINISHED = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
OURS = ("*.py", "*.ts", "*.tsx", "*.md", "*.sh", "Makefile", "*.toml", "*.yml", "docker/*", ".ci/*")
# DESIGN's words: a backend is no optimizer, a job is no task, a run is no experiment.
WRONG = [r"\bexperiments?\b", r"\boptimizer (?:backend|plugin)\b"]
STANDARD_NAMES_ALLOWED = {"__init__", "__main__"}


def lines_with(patterns: list[str], *files: str, flags: re.RegexFlag = re.NOFLAG) -> list[str]:
    wanted = re.compile("|".join(patterns), flags)
    found = []
    for path in tracked(*files):
        text = text_of(path)
        if text is None or not wanted.search(text):
            continue
        lines = enumerate(text.splitlines(), 1)
        found += [f"{path.relative_to(ROOT)}:{n}: {line[:120]}" for n, line in lines if wanted.search(line)]
    return found


def configured_registries() -> list[str]:
    """The hosts that this machine's own package clients use, whatever they are."""
    commands = [
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        ["npm", "config", "get", "registry"],
    ]
    hosts = set()
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        host = urlsplit(done.stdout.strip()).hostname
        if host and host not in {"localhost", "127.0.0.1"}:
            hosts.add(re.escape(host))
    return sorted(hosts)


def test_no_file_names_a_package_registry() -> None:
    hosts = [re.escape(host) for host in REGISTRIES] + configured_registries()
    assert lines_with(hosts) == []


def test_no_file_names_a_path_of_a_machine() -> None:
    assert lines_with(MACHINE, *OURS) == []


def test_nothing_is_left_unfinished() -> None:
    assert lines_with([rf"\b{word}\b" for word in UNFINISHED], *OURS) == []


def test_words_have_one_meaning() -> None:
    found = lines_with(WRONG, "*.py", "*.ts", "*.tsx", "*.md", flags=re.IGNORECASE)
    assert [line for line in found if "test_words.py" not in line] == []


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    modules = tracked("platform/*.py", "workers/*.py", "optimizers/*.py")
    taken = sys.stdlib_module_names - STANDARD_NAMES_ALLOWED
    named = [path for path in modules if path.stem in taken or path.parent.name in taken - {"platform"}]
    assert [str(path.relative_to(ROOT)) for path in named] == []


@pytest.mark.parametrize("text", ["see https://" + REGISTRIES[0] + "/simple", "index " + REGISTRIES[2]])
def test_a_registry_would_be_found(text: str) -> None:
    assert re.search("|".join(re.escape(host) for host in REGISTRIES), text)


def test_lock_files_are_pinned_and_hashed_and_pull_no_torch() -> None:
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        text = Path(path).read_text(encoding="utf-8")
        names = re.findall(r"^([a-zA-Z0-9._\[\]-]+)==", text, re.MULTILINE)
        assert names, path
        assert not re.search(r"^(torch|nvidia|triton)\b", text, re.MULTILINE), path
        assert not re.search(r"^[a-zA-Z][^=\n]*$", text, re.MULTILINE), path
        assert text.count("--hash=sha256:") >= len(names), path
        assert "ninja" not in names, "the build tool overwrites django-ninja's package (scripts/lock.sh)"
