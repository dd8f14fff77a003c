"""Writes of runs, by noun. Each is one transaction; who locks a run and its jobs locks the run first."""

from whetstone.runs.services.artifacts import ArtifactSlot, job_artifact_reserve
from whetstone.runs.services.cancel import job_cancel, run_cancel
from whetstone.runs.services.claim import Claim, job_claim
from whetstone.runs.services.ending import run_advance
from whetstone.runs.services.finish import FinishedArtifact, FinishedJob, job_finish
from whetstone.runs.services.heartbeat import HeartbeatAnswer, job_heartbeat
from whetstone.runs.services.leases import job_release
from whetstone.runs.services.reaper import jobs_reap, jobs_sweep
from whetstone.runs.services.retry import job_retry, run_retry
from whetstone.runs.services.start import RunRequest, inspect_start, run_start
from whetstone.runs.services.summary import run_summary_set

__all__ = [
    "ArtifactSlot",
    "Claim",
    "FinishedArtifact",
    "FinishedJob",
    "HeartbeatAnswer",
    "RunRequest",
    "inspect_start",
    "job_artifact_reserve",
    "job_cancel",
    "job_claim",
    "job_finish",
    "job_heartbeat",
    "job_release",
    "job_retry",
    "jobs_reap",
    "jobs_sweep",
    "run_advance",
    "run_cancel",
    "run_retry",
    "run_start",
    "run_summary_set",
]
