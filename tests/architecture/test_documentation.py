"""What exists is documented, and what is documented exists."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.tracked_files import tracked
from tests.servers.processes import ROOT

SETTING = re.compile(r"WHETSTONE_[A-Z0-9_]+")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
VERB = re.compile(r"(?:`|^ {4})make ([a-z][a-z0-9-]*)", re.MULTILINE)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
ANCHOR = re.compile(r'<a id="([^"]+)">')


def settings_in_code(*patterns: str) -> set[str]:
    """Every string constant that is a setting's name: environment variables are read by such a name."""
    names: set[str] = set()
    for path in tracked(*patterns):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and SETTING.fullmatch(node.value)
            ):
                names.add(node.value)
    return names


def markdown() -> tuple[Path, ...]:
    return tracked("*.md")


def anchors(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    slugs = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in HEADING.findall(text)}
    return slugs | set(ANCHOR.findall(text))


def broken_links(path: Path) -> Iterator[str]:
    for link in LINK.findall(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{path.relative_to(ROOT)}: {link}"


def test_every_setting_is_documented_and_every_documented_setting_exists() -> None:
    code = settings_in_code("platform/*.py", "workers/*.py", "optimizers/*.py")
    tests = settings_in_code("tests/*.py", "scripts/*.py", "benchmarks/*.py")
    documented = set(SETTING.findall((ROOT / "docs" / "settings.md").read_text(encoding="utf-8")))
    assert sorted(code - documented) == []
    assert sorted(documented - code - tests) == []


def test_lists_from_the_code_are_current() -> None:
    """Errors, metrics, recipes, backends and endpoints: a new one that is not documented fails here."""
    command = [sys.executable, str(ROOT / "scripts" / "generate_docs.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_between_pages_lead_somewhere() -> None:
    assert [link for path in markdown() for link in broken_links(path)] == []


def test_verbs_that_pages_name_exist() -> None:
    targets = set(
        re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    named = {verb for path in markdown() for verb in VERB.findall(path.read_text(encoding="utf-8"))}
    assert named - targets == set()


def test_every_page_is_reachable_from_the_readme() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.is_dir():
                waiting += sorted(target.glob("*.md"))
            elif target.suffix == ".md" and target.exists():
                waiting.append(target)
    pages = {path for path in markdown() if path.is_relative_to(ROOT / "docs") or path.parent == ROOT}
    assert sorted(str(path.relative_to(ROOT)) for path in pages - seen) == []


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "adr").glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))
