"""Where a holder may put a file. The key holds the token; no row names it until the job is finished."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from optimizers.spec.names import ArtifactKind
from whetstone.core.errors import Conflict, Unprocessable
from whetstone.core.storage import check_key, storage
from whetstone.core.text import filename_clean, key_name
from whetstone.fleet.models import Host
from whetstone.runs.models import Job
from whetstone.runs.services.leases import held, holder_check

MAX_ARTIFACT_BYTES = 20 * 1024**3


@dataclass(frozen=True, slots=True)
class ArtifactSlot:
    """A key and the request that sends exactly the stated bytes there."""

    artifact_key: str
    url: str
    method: str
    headers: Mapping[str, str]


def artifact_prefix(job: Job, token: int) -> str:
    return f"ws/{job.workspace_id}/jobs/{job.pk}/{token}/"


def job_artifact_reserve(
    *, host: Host, job_id: str, token: int, kind: ArtifactKind, filename: str, sha256: str, size_bytes: int
) -> ArtifactSlot:
    """A signed PUT for one file of this attempt. Conflict("LEASE_LOST"); Unprocessable for a bad name."""
    job = holder_check(host=host, job_id=job_id, token=token)
    if not held(job_id, token).exists():
        raise Conflict("LEASE_LOST")
    if kind == ArtifactKind.SOURCE_MODEL or not filename_clean(filename):
        raise Unprocessable("FILENAME_INVALID")
    key = check_key(artifact_prefix(job, token) + key_name(filename))
    request = storage().put_url(key, size=size_bytes, sha256=sha256, expires=settings.SIGNED_URL_LIFETIME)
    return ArtifactSlot(key, request.url, request.method, request.headers)
