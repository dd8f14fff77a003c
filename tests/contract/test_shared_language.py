"""What crosses from the platform to the runner to the engine and back survives; nothing else does."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimizers.search.recipes import BUILTIN, FAKE
from optimizers.spec.codec import CodecError, dumps, from_json, loads, to_json
from optimizers.spec.errors import CATALOG, failure
from optimizers.spec.host import TargetSpec
from optimizers.spec.job import ChildEvent, FileRef, JobReport, JobSpec, Limits
from optimizers.spec.measurement import PLANS
from optimizers.spec.names import JobKind, Profile
from optimizers.spec.recipe import Recipe, fingerprint
from tests.servers.processes import ROOT


def job_spec(recipe: Recipe) -> JobSpec:
    return JobSpec(
        job_id="job_1",
        kind=JobKind.OPTIMIZE,
        model=FileRef("model.onnx", "Modèle (1).onnx", "0" * 64, 10),
        limits=Limits(60.0, 2 << 30, 1 << 30),
        dims={"batch": 1, "x.2": 320},
        recipe=recipe,
        target=TargetSpec("local-one-core", "One core", (0,)),
        plan=PLANS[Profile.QUICK],
        seed=7,
    )


@pytest.mark.parametrize("recipe", [*BUILTIN, *FAKE], ids=lambda recipe: recipe.id)
def test_a_job_is_the_same_on_both_sides(recipe: Recipe) -> None:
    spec = job_spec(recipe)
    assert loads(JobSpec, dumps(spec)) == spec
    again = loads(JobSpec, dumps(spec)).recipe
    assert again is not None
    assert fingerprint(again) == fingerprint(recipe)


@pytest.mark.parametrize("code", sorted(CATALOG))
def test_a_failed_report_is_the_same_on_both_sides(code: str) -> None:
    report = JobReport("job_1", failure=failure(code, node="conv_1", bytes=2**40))
    assert loads(JobReport, dumps(report)) == report


@settings(max_examples=100, deadline=None)
@given(
    st.builds(
        ChildEvent,
        kind=st.sampled_from(["stage_started", "stage_finished", "progress", "log"]),
        stage=st.text(max_size=20),
        message=st.text(max_size=200),
        fraction=st.none() | st.floats(0, 1),
        seconds=st.none() | st.floats(0, 1e6),
    )
)
def test_an_event_is_the_same_on_both_sides(event: ChildEvent) -> None:
    line = json.dumps(to_json(event)).encode()
    assert b"\n" not in line
    assert from_json(ChildEvent, json.loads(line)) == event


def changed(document: dict[str, Any], **values: object) -> dict[str, Any]:
    return {**document, **values}


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"seed": "7"},
        {"seed": True},
        {"kind": "publish"},
        {"dims": {"batch": 1.5}},
        {"model": None},
        {"limits": {"wall_seconds": 1}},
    ],
    ids=str,
)
def test_anything_else_is_refused(change: dict[str, object]) -> None:
    document = to_json(job_spec(BUILTIN[0]))
    assert isinstance(document, dict)
    with pytest.raises(CodecError):
        from_json(JobSpec, changed(document, **change))


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(FileRef)])
def test_a_missing_field_is_named(field: str) -> None:
    document = to_json(job_spec(BUILTIN[0]).model)
    assert isinstance(document, dict)
    del document[field]
    with pytest.raises(CodecError, match=field):
        from_json(FileRef, document)


def test_the_engine_reads_the_platforms_job_and_answers_with_a_report(tmp_path: Path) -> None:
    """As a runner does it: a job file, an output folder, and a report that the platform can read."""
    spec = dataclasses.replace(job_spec(FAKE[1]), dims={})
    model = tmp_path / "model.onnx"
    model.write_bytes(b"not a model!")
    (tmp_path / "job.json").write_text(dumps(spec), encoding="utf-8")
    command = [sys.executable, "-m", "optimizers", "run", "job.json", "--out", "out", "--phase", "all"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = loads(JobReport, (tmp_path / "out" / "report.json").read_bytes())
    assert report.job_id == spec.job_id
    assert report.failure is not None or report.measurements
