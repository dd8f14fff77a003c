"""What runners ask and tell about jobs. Every write of an attempt carries its token."""

from typing import cast

from django.http import HttpRequest
from ninja import Router, Status

from optimizers.spec.codec import to_json
from whetstone.core.storage import url_as_seen_by
from whetstone.fleet.auth import HostRequest, host_auth
from whetstone.runs import services
from whetstone.runs.schemas import (
    ArtifactIn,
    ArtifactSlotOut,
    ClaimOut,
    FinishedOut,
    FinishIn,
    HeartbeatIn,
    HeartbeatOut,
    InputOut,
    ReleaseIn,
)
from whetstone.runs.services import Claim, FinishedArtifact, FinishedJob

router = Router(auth=host_auth)


@router.post("/jobs/{job_id}/claim", response={200: ClaimOut, 204: None}, operation_id="job_claim")
def claim(request: HostRequest, job_id: str) -> Status[ClaimOut | None]:
    """204: somebody else has it, the target is busy, or it is over. Drop the hint."""
    found = services.job_claim(host=request.auth, job_id=job_id)
    return Status(204, None) if found is None else Status(200, _claim_out(request, found))


@router.post("/jobs/{job_id}/heartbeat", response=HeartbeatOut, operation_id="job_heartbeat")
def heartbeat(request: HostRequest, job_id: str, body: HeartbeatIn) -> HeartbeatOut:
    """409: the lease is lost; kill the child and write nothing."""
    answer = services.job_heartbeat(host=request.auth, job_id=job_id, token=body.token, events=body.events)
    return HeartbeatOut(cancel=answer.cancel, deadline_in_seconds=answer.deadline_in_seconds)


@router.post("/jobs/{job_id}/artifacts", response={201: ArtifactSlotOut}, operation_id="job_artifact")
def artifact(request: HostRequest, job_id: str, body: ArtifactIn) -> Status[ArtifactSlotOut]:
    """Where to send one file; it exists for readers only once `finish` names it."""
    slot = services.job_artifact_reserve(
        host=request.auth,
        job_id=job_id,
        token=body.token,
        kind=body.kind,
        filename=body.filename,
        sha256=body.sha256,
        size_bytes=body.size_bytes,
    )
    url = url_as_seen_by(cast(HttpRequest, request), slot.url)
    answer = ArtifactSlotOut(
        artifact_key=slot.artifact_key, url=url, method=slot.method, headers=dict(slot.headers)
    )
    return Status(201, answer)


@router.post("/jobs/{job_id}/finish", response=FinishedOut, operation_id="job_finish")
def finish(request: HostRequest, job_id: str, body: FinishIn) -> FinishedOut:
    """The attempt's last word. Safe to send again with the same token when the answer was lost."""
    files = tuple(
        FinishedArtifact(file.artifact_key, file.kind, file.filename, file.sha256, file.size_bytes)
        for file in body.artifacts
    )
    said = FinishedJob(outcome=body.outcome, report=body.report, failure=body.failure, artifacts=files)
    state = services.job_finish(host=request.auth, job_id=job_id, token=body.token, said=said)
    return FinishedOut.model_validate({"state": state})


@router.post("/jobs/{job_id}/release", response=dict[str, str], operation_id="job_release")
def release(request: HostRequest, job_id: str, body: ReleaseIn) -> dict[str, str]:
    """Back to the queue at once, for a runner that is told to stop."""
    services.job_release(host=request.auth, job_id=job_id, token=body.token)
    return {}


def _claim_out(request: HostRequest, found: Claim) -> ClaimOut:
    files = [found.spec.model, *([found.spec.sample_data] if found.spec.sample_data else [])]
    return ClaimOut(
        token=found.token,
        lease_seconds=found.lease_seconds,
        heartbeat_seconds=found.heartbeat_seconds,
        deadline_in_seconds=found.deadline_in_seconds,
        job=cast(dict[str, object], to_json(found.spec)),
        inputs=[
            InputOut(
                path=file.path,
                url=url_as_seen_by(cast(HttpRequest, request), found.urls[file.path]),
                sha256=file.sha256,
                size_bytes=file.size_bytes,
            )
            for file in files
        ],
    )
