"""Run the checks and the tests one after the other, and say at the end what failed.

    python scripts/verify.py check        what needs no running platform
    python scripts/verify.py check test   everything (`make test`)
    python scripts/verify.py test --only server

A failed step does not stop the others: one run tells everything. The exit code is 0 only when every
step passed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
FRONTEND = ROOT / "frontend"
CODE = ["platform/whetstone", "workers", "optimizers", "scripts", "tests", "benchmarks", "manage.py"]


@dataclass(frozen=True)
class Step:
    """One command; it passes when it exits with 0."""

    name: str
    command: list[str]
    folder: Path = ROOT
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    step: Step
    passed: bool
    seconds: float


def tool(name: str, *arguments: str) -> list[str]:
    return [str(BIN / name), *arguments]


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def pytest(*arguments: str) -> list[str]:
    return python("-m", "pytest", "-q", "--durations=5", *arguments)


def django_tests(database: str) -> Step:
    arguments = ["-n", "2", "--dist", "loadfile", "tests/server"]
    return Step(f"server-{database}", pytest(*arguments), environment={"WHETSTONE_TEST_DATABASE": database})


CHECKS = [
    Step("ruff", tool("ruff", "check", "--quiet", *CODE)),
    Step("format", tool("ruff", "format", "--check", "--quiet", *CODE)),
    Step("mypy", tool("mypy")),
    Step("imports", tool("lint-imports", "--no-logo")),
    Step("biome", ["npm", "run", "--silent", "lint"], FRONTEND),
    Step("tsc", ["npm", "run", "--silent", "typecheck"], FRONTEND),
    Step("migrations", python("manage.py", "makemigrations", "--check", "--dry-run")),
    Step("openapi", python("scripts/openapi_drift.py")),
    Step("generated-docs", python("scripts/generate_docs.py", "--check")),
    Step("compose", python("scripts/compose_check.py")),
    Step("hadolint", tool("hadolint", *map(str, sorted((ROOT / "docker").glob("*.Dockerfile"))))),
    Step("architecture", pytest("tests/architecture")),
]
TESTS = [
    Step("servers", pytest("tests/servers")),
    Step("contract", pytest("tests/contract")),
    django_tests("sqlite"),
    django_tests("postgres"),
    Step("vitest", ["npm", "run", "--silent", "test", "--", "run"], FRONTEND),
]
FIXES = [
    Step("ruff", tool("ruff", "check", "--fix", "--quiet", *CODE)),
    Step("format", tool("ruff", "format", "--quiet", *CODE)),
    Step("biome", ["npm", "run", "--silent", "fix"], FRONTEND),
    Step("openapi", python("scripts/openapi_drift.py", "--write")),
    Step("generated-docs", python("scripts/generate_docs.py")),
]
GROUPS = {"check": CHECKS, "test": TESTS, "fix": FIXES}


def run(step: Step, environment: dict[str, str]) -> Result:
    print(f"\n=== {step.name}", flush=True)
    start = time.monotonic()
    done = subprocess.run(
        step.command,
        cwd=step.folder,
        env={**os.environ, **environment, **step.environment},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Result(step, done.returncode == 0, time.monotonic() - start)


def summarize(results: list[Result]) -> None:
    print("\n" + "=" * 70)
    for result in results:
        mark = "ok    " if result.passed else "FAILED"
        print(f"{mark}  {result.seconds:7.1f} s  {result.step.name}")
    failed = [result.step.name for result in results if not result.passed]
    seconds = sum(result.seconds for result in results)
    print(f"{seconds:.0f} s in all. " + (f"FAILED: {', '.join(failed)}" if failed else "Everything passed."))
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("groups", nargs="+", choices=sorted(GROUPS))
    parser.add_argument("--only", action="append", help="a step by name; may be given several times")
    options = parser.parse_args()
    steps = [step for group in options.groups for step in GROUPS[group]]
    if options.only:
        steps = [step for step in steps if any(step.name.startswith(name) for name in options.only)]
    with tempfile.TemporaryDirectory(prefix="whetstone-verify-") as folder:
        environment = {
            "WHETSTONE_EMBEDDED": "1",
            "WHETSTONE_DATA_DIR": folder,
            "WHETSTONE_DATABASE_URL": f"sqlite:///{folder}/whetstone.sqlite3",
            "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
        }
        results = [run(step, environment) for step in steps]
    summarize(results)
    return 0 if results and all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
