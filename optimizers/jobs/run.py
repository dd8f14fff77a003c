"""One engine process: `prepare` or `measure` of one job, from job.json to report.json.

    prepare   inspect: description and findings -> report.json
              optimize: artifact and prepared.json; report.json only if it failed
    measure   a fresh process: load the artifact, measure -> report.json
    all       prepare, then the same process image anew (exec) for measure

Exit code 0 whenever report.json or prepared.json says how it went; anything else is a crash.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from optimizers.jobs.events import SEQ_VARIABLE, Channel, Progress, captured_output, channel_from_environment
from optimizers.jobs.failures import from_exception, trace_lines
from optimizers.jobs.limits import limits_apply, pin, watchdog
from optimizers.jobs.prepared import PREPARED, REPORT
from optimizers.spec.codec import CodecError, dumps, loads
from optimizers.spec.errors import Failure, failure
from optimizers.spec.job import SCHEMA_VERSION, JobReport, JobSpec
from optimizers.spec.names import JobKind, Phase, Stage

USAGE_ERROR = 2
_SLOW_STAGES = (Stage.CONVERT, Stage.OPTIMIZE, Stage.COMPILE)


@dataclass(frozen=True)
class Workplace:
    """`inputs` holds the files that the job names, `output` is the only folder written to."""

    job: JobSpec
    inputs: Path
    output: Path
    progress: Progress


def run(job_file: Path, output: Path, phase: Phase, events_fd: int | None) -> int:
    """Carry out one phase; returns the exit code. Raises nothing that a job could cause."""
    try:
        job = loads(JobSpec, job_file.read_bytes())
    except (CodecError, OSError) as error:
        print(f"error: {job_file.name} cannot be read: {error}", file=sys.stderr)
        return USAGE_ERROR
    if job.schema_version != SCHEMA_VERSION:
        print(f"error: job schema {job.schema_version}, this engine reads {SCHEMA_VERSION}", file=sys.stderr)
        return USAGE_ERROR
    output.mkdir(parents=True, exist_ok=True)
    channel = channel_from_environment(events_fd, os.environ)
    first = Phase.PREPARE if phase is Phase.ALL else phase
    place = Workplace(job, job_file.parent.resolve(), output.resolve(), Progress(channel))
    done = _phase(place, first)
    if done and phase is Phase.ALL and job.kind is JobKind.OPTIMIZE:
        _become_measure(job_file, output, events_fd, channel)
    return 0


def _phase(place: Workplace, phase: Phase) -> bool:
    """Run one phase under the job's limits; False when it ended in a failure, which is then in the report."""
    limits = place.job.limits
    limits_apply(limits)
    pin(place.job.target)
    timer = watchdog(limits.wall_seconds, lambda: _fail(place, _time_limit(place)))
    try:
        with captured_output(place.progress):
            _work(place, phase)
    except Exception as error:
        found = from_exception(error, place.progress.stage_name, (place.inputs, place.output))
        if found.code == "ENGINE_FAULT":
            for line in trace_lines(error):
                place.progress.log(line)
        _fail(place, found)
        return False
    finally:
        timer.cancel()
    return True


def _work(place: Workplace, phase: Phase) -> None:
    """Import a phase's code only now: the limits and the pinning are in force, and start-up stays short."""
    if place.job.kind is JobKind.INSPECT:
        from optimizers.jobs.inspection import inspection

        report_write(place.output, inspection(place))
    elif phase is Phase.PREPARE:
        from optimizers.jobs.prepare import prepare

        prepare(place)
    else:
        from optimizers.jobs.measure import measure

        report_write(place.output, measure(place))


def report_write(folder: Path, report: JobReport) -> None:
    """Write the report whole or not at all."""
    draft = folder / f"{REPORT}.part"
    draft.write_text(dumps(report, indent=1), encoding="utf-8")
    draft.replace(folder / REPORT)


def _fail(place: Workplace, found: Failure) -> None:
    report = JobReport(place.job.job_id, failure=found, stages=tuple(place.progress.times))
    try:
        report_write(place.output, report)
    except OSError:
        _make_room(place.output)
        report_write(place.output, report)


def _make_room(folder: Path) -> None:
    """The disk is full of this job's own files: they are worth less than its report."""
    for path in folder.iterdir():
        if path.name not in (REPORT, PREPARED) and path.is_file():
            with suppress(OSError):
                path.unlink()


def _time_limit(place: Workplace) -> Failure:
    stage, seconds = place.progress.stage_name, place.job.limits.wall_seconds
    code = "COMPILE_TIME_LIMIT" if stage in _SLOW_STAGES else "TIME_LIMIT"
    return failure(code, f"Stage {stage or 'start'} was not done within {seconds:g} s.", stage=stage)


def _become_measure(job_file: Path, output: Path, events_fd: int | None, channel: Channel) -> None:
    """Start measuring in a new process image, so that load time and peak memory are those of serving."""
    os.environ[SEQ_VARIABLE] = str(channel.seq)
    arguments = ["-m", "optimizers", "run", str(job_file), "--out", str(output), "--phase", "measure"]
    if events_fd is not None:
        os.set_inheritable(events_fd, True)  # noqa: FBT003 - os takes no keyword
        arguments += ["--events-fd", str(events_fd)]
    os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - this very engine again
