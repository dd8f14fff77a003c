"""Optimize once, offline, and keep the optimized model: what is measured is what is deployed.

A model optimized with all levels holds kernels' layouts for this kind of processor: it is valid on hosts
with the same instruction sets, which is why a comparison stays within one host fingerprint.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from optimizers.backends.base import Compiled, CompileRequest
from optimizers.jobs.failures import library_errors

ARTIFACT = "model.onnx"
# Weights above this go to a file of their own: protobuf ends at 2 GiB.
_EXTERNAL_ABOVE = 1 << 30


def session_options(threads: int) -> Any:
    """One pool of `threads`, nodes one after the other. Threads spin between nodes, ONNX Runtime's default:
    it is right for a process that has its cores to itself, and it shows as processor time, not latency."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    return options


def compile_artifact(request: CompileRequest) -> Compiled:
    """With optimization off the uploaded file is the artifact; else the optimized model is written."""
    if request.recipe.options.get("graph_optimization", "all") == "disable":
        return Compiled(request.model)
    with library_errors("ONNX Runtime", compiling=True):
        import onnxruntime

        options = session_options(len(request.target.cores))
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        size = _total_size(request.model)
        folder = request.output / "onnxruntime" if size > _EXTERNAL_ABOVE else request.output
        folder.mkdir(exist_ok=True)
        options.optimized_model_filepath = str(folder / ARTIFACT)
        if folder != request.output:
            options.add_session_config_entry(
                "session.optimized_model_external_initializers_file_name", "model.data"
            )
            options.add_session_config_entry(
                "session.optimized_model_external_initializers_min_size_in_bytes", "1024"
            )
        onnxruntime.InferenceSession(str(request.model), options, providers=["CPUExecutionProvider"])
    if folder == request.output:
        return Compiled(folder / ARTIFACT, folder / ARTIFACT)
    from optimizers.backends.bundle import bundle

    return Compiled(folder / ARTIFACT, bundle(folder, request.output / "model-onnxruntime.zip"))


def _total_size(model: Path) -> int:
    """The model with whatever lies beside it: its external data, if it has any."""
    return sum(path.stat().st_size for path in model.parent.iterdir() if path.is_file())
