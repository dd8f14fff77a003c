"""`make bench`: measure every figure, or the one that is named. Exit 1 when one is missed."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
NAMES = ("demo_time", "overhead", "latency", "upload", "api_latency")


def main() -> int:
    chosen = sys.argv[1:] or NAMES
    missed = []
    for name in chosen:
        if name not in NAMES:
            print(f"There is no benchmark {name!r}; choose from {', '.join(NAMES)}")
            return 2
        print(f"\n=== {name}", flush=True)
        figures = import_module(f"benchmarks.{name}").figures()
        missed += [figure.name for figure in figures if not figure.reached]
    print(f"\nMissed: {', '.join(missed)}" if missed else "\nEvery figure was reached.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
