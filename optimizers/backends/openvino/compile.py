"""From ONNX to OpenVINO IR: every axis bound but the batch, fp32 weights, packed as one zip to deploy."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from optimizers.backends.base import Compiled, CompileRequest
from optimizers.backends.bundle import bundle
from optimizers.jobs.failures import library_errors
from optimizers.spec.names import Precision
from optimizers.spec.recipe import Recipe

FOLDER = "openvino"
_HINTS = {Precision.FP32: "f32", Precision.INT8: "f32", Precision.BF16: "bf16", Precision.FP16: "f16"}


def compile_artifact(request: CompileRequest) -> Compiled:
    """Write `openvino/model.xml` and `.bin` with the configuration they were measured with, and their zip."""
    folder = request.output / FOLDER
    folder.mkdir()
    apply_environment(request.recipe)
    with library_errors("OpenVINO", compiling=True):
        import openvino

        model = read_bound(openvino.Core(), request.model, request.shapes, request.batch_axes)
        openvino.save_model(model, str(folder / "model.xml"), compress_to_fp16=False)
    note = {
        "load": "openvino.Core().compile_model('model.xml', 'CPU', config)",
        "config": configuration(request.recipe, len(request.target.cores), saturate=False),
        "environment": environment(request.recipe),
        "recipe": request.recipe.id,
        "shapes": {name: list(shape) for name, shape in request.shapes.items()},
    }
    (folder / "whetstone.json").write_text(json.dumps(note, indent=1))
    return Compiled(folder / "model.xml", bundle(folder, request.output / "model-openvino.zip"))


def read_bound(
    core: Any, path: Path, shapes: Mapping[str, tuple[int, ...]], batch_axes: Mapping[str, int]
) -> Any:
    """Read ONNX or IR and bind every axis except those of `batch_axes`. Raises OpenVINO's own exceptions."""
    import openvino

    model = core.read_model(str(path))
    bound = {}
    for port in model.inputs:
        name = next((each for each in sorted(port.get_names()) if each in shapes), None)
        if name is None:
            continue
        sizes = list(shapes[name])
        if name in batch_axes:
            sizes[batch_axes[name]] = -1
        bound[port] = openvino.PartialShape(sizes)
    if any(port.get_partial_shape() != shape for port, shape in bound.items()):
        model.reshape(bound)
    return model


def environment(recipe: Recipe) -> dict[str, str]:
    """Variables that OpenVINO's kernel library reads once, when it is loaded."""
    wanted = str(recipe.options.get("instruction_set", ""))
    return {"ONEDNN_MAX_CPU_ISA": wanted.upper()} if wanted else {}


def apply_environment(recipe: Recipe) -> None:
    """Must come before this process's first import of openvino."""
    os.environ.update(environment(recipe))


def configuration(recipe: Recipe, threads: int, *, saturate: bool) -> dict[str, str | int]:
    """compile_model's configuration. The precision is always named: on CPUs with bf16 the default is bf16,
    also for what int8 leaves unquantized."""
    precision = _HINTS[recipe.precision]
    if saturate:
        return {
            "PERFORMANCE_HINT": "THROUGHPUT",
            "INFERENCE_PRECISION_HINT": precision,
            "INFERENCE_NUM_THREADS": threads,
        }
    return {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": precision,
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
    }
