"""Modules of at most 400 lines, functions of at most 40: longer ones are split by noun."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.tracked_files import tracked
from tests.servers.processes import ROOT

MODULE_LINES = 400
FUNCTION_LINES = 40
GENERATED = ("migrations", "schema.d.ts", "routeTree.gen.ts")


def sources(*patterns: str) -> list[Path]:
    return [path for path in tracked(*patterns) if not any(part in GENERATED for part in path.parts)]


def long_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{path}:{node.lineno} {node.name} has {lines} lines"


def test_modules_are_short() -> None:
    paths = sources("*.py", "frontend/*.ts", "frontend/*.tsx")
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    long = [f"{path.relative_to(ROOT)} has {n} lines" for path, n in lengths.items() if n > MODULE_LINES]
    assert long == []


def test_functions_are_short() -> None:
    assert [line for path in sources("*.py") for line in long_functions(path)] == []


def test_a_long_function_is_found(tmp_path: Path) -> None:
    body = "\n".join(["    x = 1"] * FUNCTION_LINES)
    planted = tmp_path / "planted.py"
    planted.write_text(f"def long():\n{body}\n\n\ndef short():\n    return 1\n", encoding="utf-8")
    assert [line.split()[1] for line in long_functions(planted)] == ["long"]
