"""A child process of latency.py: p50 of a bare loop around a session, pinned to one core, no engine of ours.

python bare_loop.py onnxruntime|openvino MODEL SECONDS
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks.common import SIDE

SHAPE = (1, 3, SIDE, SIDE)


def onnxruntime_call(model: str) -> Callable[[], object]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feeds = {session.get_inputs()[0].name: sample()}
    return lambda: session.run(None, feeds)


def openvino_call(model: str) -> Callable[[], object]:
    import openvino

    core = openvino.Core()
    loaded = core.read_model(model)
    loaded.reshape({loaded.inputs[0].any_name: list(SHAPE)})
    hints = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    request = core.compile_model(loaded, "CPU", hints).create_infer_request()
    request.set_input_tensor(openvino.Tensor(sample()))
    return request.infer


def sample() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(0).standard_normal(SHAPE, dtype=np.float32)


def p50_ms(call: Callable[[], object], seconds: float) -> float:
    times: list[float] = []
    for limit, kept in ((1.0, False), (seconds, True)):
        end = time.perf_counter() + limit
        while time.perf_counter() < end:
            start = time.perf_counter()
            call()
            if kept:
                times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


if __name__ == "__main__":
    os.sched_setaffinity(0, {0})
    calls = {"onnxruntime": onnxruntime_call, "openvino": openvino_call}
    print(p50_ms(calls[sys.argv[1]](sys.argv[2]), float(sys.argv[3])))
