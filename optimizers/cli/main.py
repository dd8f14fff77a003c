"""Arguments to commands. Each command's code is imported only when it is called."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from optimizers.spec.codec import dumps
from optimizers.spec.names import Phase, Profile

_ABOUT = "Makes a model faster on this machine, proves that it still gives the same answers, and measures it."
_EXIT_CODES = """exit codes:
  0  done (`run`: a report was written, also when it says that the job failed)
  1  the model was refused, or no recipe succeeded
  2  wrong arguments, or a job file that cannot be read
  other: the engine crashed
"""


def main(arguments: Sequence[str]) -> int:
    """Parse and carry out one command; returns the exit code."""
    options = _parser().parse_args(arguments)
    if options.command == "run":
        from optimizers.jobs.run import run

        return run(options.job, options.out, Phase(options.phase), options.events_fd)
    if options.command == "probe":
        from optimizers.host import probe

        print(dumps(probe(), indent=2))
        return 0
    if options.command == "inspect":
        from optimizers.cli.inspecting import inspect_command

        return inspect_command(options.file, as_json=options.json)
    from optimizers.cli.bench import bench_command

    return bench_command(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m optimizers",
        description=_ABOUT,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_bench(commands.add_parser("bench", help="compare recipes on a model and print a table"))
    show = commands.add_parser("inspect", help="say what is in a model file, or why it is refused")
    show.add_argument("file", type=Path, metavar="FILE", help="an ONNX file, or a zip with one inside")
    show.add_argument("--json", action="store_true", help="print the description as JSON")
    commands.add_parser("probe", help="print this machine's fingerprint, targets and backends as JSON")
    run = commands.add_parser("run", help="carry out one job file (for the platform's runner)")
    run.add_argument("job", type=Path, metavar="job.json", help="a JobSpec; the files it names lie beside it")
    run.add_argument("--out", type=Path, required=True, metavar="DIR", help="where report.json and files go")
    run.add_argument("--phase", choices=[str(phase) for phase in Phase], default="all")
    run.add_argument("--events-fd", type=int, metavar="N", help="descriptor for framed JSON events")
    return parser


def _add_bench(bench: argparse.ArgumentParser) -> None:
    bench.description = "Prepare and measure each recipe in processes of its own, then compare them."
    bench.add_argument("model", type=Path, metavar="MODEL", help="an ONNX file, or a zip with one inside")
    bench.add_argument(
        "--dim", action="append", default=[], metavar="NAME=N", help="size of a dynamic axis; repeat for more"
    )
    bench.add_argument("--recipe", action="append", default=[], metavar="ID", help="only these; repeat")
    bench.add_argument("--cores", metavar="0,1", help="logical cores to pin to (default: one core)")
    bench.add_argument("--profile", choices=[str(p) for p in Profile], default="quick")
    bench.add_argument("--sample-data", type=Path, metavar="NPZ", help="arrays [N, ...] named as the inputs")
    bench.add_argument("--out", type=Path, metavar="DIR", help="keep artifacts and raw samples here")
    bench.add_argument("--memory-gib", type=float, default=8.0, help="memory limit per process (8)")
    bench.add_argument(
        "--time-limit", type=float, default=300.0, metavar="S", help="seconds per process (300)"
    )
    bench.add_argument("--json", action="store_true", help="print reports as JSON instead of the table")


def broken_pipe_is_no_error() -> None:
    """Point stdout away once its reader has gone, so that the interpreter's last flush stays quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
