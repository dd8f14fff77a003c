"""What an engine leaves behind, read as what it is: the work of a process that opened a stranger's file."""

from __future__ import annotations

import os
import signal
import stat
from dataclasses import dataclass
from pathlib import Path

from optimizers.spec.codec import CodecError, loads
from optimizers.spec.errors import CATALOG, Failure, WhetstoneFailure, failure
from optimizers.spec.job import JobReport, JobSpec, ProducedFile
from optimizers.spec.names import ArtifactKind, JobKind, Outcome, Phase
from workers.runner.lease import Lease
from workers.runner.transfers import OutFile, out_file

REPORT_LIMIT = 8 << 20
FILES_LIMIT = 64
_TIMED_OUT = frozenset({"TIME_LIMIT", "COMPILE_TIME_LIMIT", "DEADLINE_PASSED"})
_FROM_ENGINE = frozenset({ArtifactKind.OPTIMIZED_MODEL, ArtifactKind.RAW_SAMPLES, ArtifactKind.TRACE})
_BY_SIGNAL: dict[int, tuple[str, str]] = {
    signal.SIGXCPU: ("TIME_LIMIT", "The job used more processor time than its limit."),
    signal.SIGXFSZ: ("DISK_LIMIT", ""),
    signal.SIGKILL: (
        "MEMORY_LIMIT",
        "The system killed the engine, which it does when memory runs out.",
    ),
}


@dataclass(frozen=True)
class Ending:
    """How an attempt ends. `report` is the engine's, where it is to be believed."""

    outcome: Outcome
    report: JobReport | None = None
    why: Failure | None = None


def failed(why: Failure, report: JobReport | None = None) -> Ending:
    outcome = Outcome.TIMED_OUT if why.code in _TIMED_OUT else Outcome.FAILED
    return Ending(outcome, report, why)


def crash_check(code: int, stage: str) -> None:
    """WhetstoneFailure for every exit code but 0."""
    if code == 0:
        return
    if code < 0:
        name = _signal_name(-code)
        kind, message = _BY_SIGNAL.get(-code, ("CRASHED", f"The engine process was ended by {name}."))
        raise WhetstoneFailure(kind, message, signal=name, stage=stage)
    if code == 2:
        raise WhetstoneFailure("ENGINE_FAULT", "The engine could not read its job.", exit_code=code)
    raise WhetstoneFailure(
        "CRASHED", f"The engine process ended with exit code {code}.", exit_code=code, stage=stage
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def phase_result(job: JobSpec, phase: Phase, output: Path) -> JobReport | None:
    """The report that ends the job, or None where `measure` is to follow. PROTOCOL_ERROR."""
    more = job.kind is JobKind.OPTIMIZE and phase is Phase.PREPARE
    path = output / "report.json"
    if more and not os.path.lexists(path):
        if not (output / "prepared.json").is_file():
            raise _junk("neither report nor prepared.json")
        return None
    report = _report_read(path)
    if report.job_id != job.job_id:
        raise _junk("the report is of another job")
    if report.failure is not None and report.failure.code not in CATALOG:
        raise _junk("the report's failure has an unknown code")
    if more and report.failure is None:
        raise _junk("a report before anything was measured")
    return report


def _report_read(path: Path) -> JobReport:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _junk("the report is not a plain file")
            text = file.read(REPORT_LIMIT + 1)
    except OSError:
        raise _junk("no report") from None
    if len(text) > REPORT_LIMIT:
        raise _junk("the report is too large")
    try:
        return loads(JobReport, text)
    except CodecError as error:
        raise _junk(f"report {error.path[:80]}: {error.problem[:120]}") from None


def produced_files(lease: Lease, report: JobReport, output: Path) -> list[OutFile]:
    """The report's files, looked at with our own eyes. PROTOCOL_ERROR."""
    names = [file.path for file in report.files]
    if len(names) > FILES_LIMIT or len(set(names)) != len(names):
        raise _junk("the report names too many files, or one twice")
    return [_produced(lease, file, output) for file in report.files]


def _produced(lease: Lease, said: ProducedFile, output: Path) -> OutFile:
    if said.path != Path(said.path).name or said.path in ("", ".", "..") or said.kind not in _FROM_ENGINE:
        raise _junk("the report names a file that is none of its own")
    try:
        found = out_file(lease, output / said.path, said.kind, said.path)
    except OSError:
        raise _junk("a file of the report is not there") from None
    if (found.sha256, found.size_bytes) != (said.sha256, said.size_bytes):
        raise _junk("a file is not what the report says of it")
    return found


def _junk(reason: str) -> WhetstoneFailure:
    return WhetstoneFailure("PROTOCOL_ERROR", reason=reason)


def unexpected() -> Failure:
    """For a fault of the supervisor's own; the trace goes to the runner's log alone."""
    return failure("ENGINE_FAULT", "The runner has a fault of its own.")
