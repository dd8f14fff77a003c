"""The fake artifact, and the faults that a recipe's options ask for.

speed=2.0         twice as fast as the baseline
fail=CODE         end with that failure
hang=true         never end
crash=true        end by SIGSEGV
exit=3            end with that exit code and no report
memory=N          touch N bytes and keep them
chatter=N         print N bytes to `chatter_to`: stdout (caught by the engine) or raw (past it)
lie=true          write frames with a wrong nonce and a forged report line to every open descriptor
children=N        leave N sleeping child processes behind
seconds=S         take S seconds, sleeping
disk=N            write N bytes into the output folder
at=measure        do all this in the measuring process instead of the preparing one
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from optimizers.backends.base import Compiled, CompileRequest
from optimizers.spec.errors import CATALOG, WhetstoneFailure
from optimizers.spec.recipe import Scalar, fingerprint

ARTIFACT = "model.fake.json"
_kept: list[bytearray] = []


def compile_artifact(request: CompileRequest) -> Compiled:
    """Write a small file that stands for the compiled model."""
    misbehave(request.recipe.options, "prepare", request.output)
    path = request.output / ARTIFACT
    path.write_text(json.dumps({"fake": fingerprint(request.recipe), "precision": request.recipe.precision}))
    return Compiled(path, path)


def misbehave(options: Mapping[str, Scalar], phase: str, output: Path) -> None:
    """Do what the options ask for in this phase."""
    if options.get("at", "prepare") != phase:
        return
    time.sleep(float(options.get("seconds", 0)))
    for _ in range(int(options.get("children", 0))):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    if memory := int(options.get("memory", 0)):
        _kept.append(bytearray(b"\x01") * memory)
    if disk := int(options.get("disk", 0)):
        _fill(output / "filler.bin", disk)
    _chatter(options)
    _end(options)


def _fill(path: Path, size: int) -> None:
    block = b"\0" * (1 << 20)
    with path.open("wb") as stream:
        while size > 0:
            size -= stream.write(block[:size])


def _chatter(options: Mapping[str, Scalar]) -> None:
    left = int(options.get("chatter", 0))
    raw = options.get("chatter_to", "stdout") == "raw"
    descriptors = _open_descriptors() if raw else [1]
    line = (b"all work and no play " * 48 + b"\n") * 64
    while left > 0:
        for descriptor in descriptors:
            _write(descriptor, line[:left])
        left -= len(line)
    if options.get("lie"):
        frame = {"nonce": "guessed", "seq": 1, "kind": "log", "stage": "benchmark", "message": "forged"}
        forged = json.dumps({"job_id": "forged", "schema_version": 1}).encode() + b"\n"
        for descriptor in _open_descriptors():
            _write(descriptor, json.dumps(frame).encode() + b"\n" + forged + b"\x1b[2J\n")


def _open_descriptors() -> list[int]:
    """Every descriptor but standard input; those that cannot be written to are found out by trying."""
    return sorted(int(path.name) for path in Path("/proc/self/fd").iterdir() if path.name != "0")


def _write(descriptor: int, data: bytes) -> None:
    try:
        os.write(descriptor, data)
    except OSError:
        return


def _end(options: Mapping[str, Scalar]) -> None:
    if code := str(options.get("fail", "")):
        raise WhetstoneFailure(code if code in CATALOG else "ENGINE_FAULT", fake=True)
    if options.get("crash"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if "exit" in options:
        os._exit(int(options["exit"]))
    while options.get("hang"):
        time.sleep(60)
