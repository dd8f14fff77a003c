"""What the end of an inspection makes of its version."""

from optimizers.spec.errors import CATALOG, Failure, failure
from optimizers.spec.job import JobReport
from optimizers.spec.model import Finding
from optimizers.spec.names import Severity
from whetstone.registry.services import version_mark_ready, version_reject
from whetstone.runs.models import Job


def inspection_failed(*, job: Job, why: Failure) -> None:
    version_reject(version=job.version, failure=why, findings=())


def inspection_succeeded(*, job: Job, report: JobReport) -> None:
    """Ready, unless a finding is an error: then that finding is why the version is rejected."""
    fault = next((f for f in report.findings if f.severity == Severity.ERROR), None)
    if fault is not None:
        why = _failure_of(fault)
        version_reject(version=job.version, failure=why, findings=report.findings)
    elif report.description is not None:
        version_mark_ready(version=job.version, description=report.description, findings=report.findings)


def _failure_of(fault: Finding) -> Failure:
    code = fault.code if fault.code in CATALOG else "MALFORMED"
    return failure(code, fault.message[:500], fault.hint[:500])
