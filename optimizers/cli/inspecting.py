"""`inspect FILE`: the checks and the description of an inspection job, in this process."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from optimizers.formats.onnx.library import check_with_library
from optimizers.formats.opening import open_model
from optimizers.jobs.failures import from_exception
from optimizers.jobs.inspection import examine
from optimizers.spec.codec import dumps
from optimizers.spec.errors import Failure
from optimizers.spec.job import JobReport
from optimizers.spec.model import Finding, ModelDescription
from optimizers.text import safe_name

_LIMIT_BYTES = 20 << 30


def inspect_command(file: Path, *, as_json: bool) -> int:
    """Print what is in the file; 1 where it is refused."""
    try:
        with tempfile.TemporaryDirectory(prefix="whetstone-") as scratch:
            model = open_model(file, Path(scratch), _LIMIT_BYTES)
            check_with_library(model.path, model.facts)
            described, findings = examine(model)
    except Exception as error:
        found = from_exception(error, "inspect", (file.parent.resolve(),))
        if as_json:
            print(dumps(JobReport(job_id="", failure=found), indent=2))
        else:
            print_failure(found)
        return 1
    if as_json:
        print(dumps(JobReport(job_id="", description=described, findings=findings), indent=2))
    else:
        _print(file, described, findings)
    return 0


def print_failure(found: Failure) -> None:
    """Code, sentence, next step; on standard error."""
    print(f"{found.code}: {found.message}\n  {found.hint}", file=sys.stderr)


def _print(file: Path, described: ModelDescription, findings: tuple[Finding, ...]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(safe_name(file.name)), show_header=False, title_justify="left")
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for key, value in _rows(described):
        table.add_row(key, Text(value))
    for each in findings:
        where = f" ({each.where})" if each.where else ""
        table.add_row(each.severity, Text(f"{each.code}: {each.message}{where}"))
    Console().print(table)


def _rows(described: ModelDescription) -> list[tuple[str, str]]:
    sizes = ", ".join(f"{safe_name(name)}={size}" for name, size in described.flops_at.items())
    flops = "not countable" if described.flops is None else f"{described.flops / 1e9:.3f} GFLOP"
    top = sorted(described.operators.items(), key=lambda item: -item[1])[:12]
    return [
        ("format", f"ONNX, IR {described.ir_version}, opset {described.opsets.get('', '-')}"),
        ("producer", described.producer or "-"),
        ("size", f"{described.size_bytes:,} bytes"),
        ("parameters", f"{described.parameters:,} ({described.precision})"),
        ("compute", f"{flops}{f' at {sizes}' if sizes else ''}"),
        *(("input", f"{safe_name(s.name)}: {s.dtype} {_shape(s.shape)}") for s in described.inputs),
        *(("output", f"{safe_name(s.name)}: {s.dtype} {_shape(s.shape)}") for s in described.outputs),
        ("operators", f"{described.nodes} nodes: " + ", ".join(f"{name} {count}" for name, count in top)),
    ]


def _shape(shape: tuple[int | str, ...]) -> str:
    return "[" + ", ".join(safe_name(str(axis), 60) for axis in shape) + "]"
