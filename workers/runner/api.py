"""The platform's internal API, as a runner sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

from optimizers.spec.codec import from_json, to_json
from optimizers.spec.host import Probe
from optimizers.spec.job import ChildEvent, JobSpec

CHUNK = 1 << 20


class ApiUnavailable(Exception):
    """No answer, or one that says "later": worth another try."""


class ApiRefused(Exception):
    """The platform does not take the request; the same one again ends alike."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"HTTP {status}: {text[:300]}")
        self.status = status


class StaleLease(Exception):
    """Another attempt holds the job, or it has ended: write nothing."""


@dataclass(frozen=True)
class InputFile:
    path: str
    url: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True)
class Claim:
    token: int
    lease_seconds: float
    heartbeat_seconds: float
    deadline_in_seconds: float
    job: JobSpec
    inputs: tuple[InputFile, ...]


@dataclass(frozen=True)
class HeartbeatAnswer:
    cancel: bool
    deadline_in_seconds: float


@dataclass(frozen=True)
class UploadSlot:
    artifact_key: str
    url: str
    method: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class RegisteredTarget:
    id: str
    slug: str


@dataclass(frozen=True)
class Registration:
    host_id: str
    heartbeat_seconds: float
    lease_seconds: float
    queues: tuple[str, ...]
    targets: tuple[RegisteredTarget, ...]


class PlatformApi:
    """Every method raises ApiUnavailable, ApiRefused or (409) StaleLease. Answers are read strictly."""

    def __init__(self, url: str, credential: str, timeout: float = 5.0) -> None:
        self._client = httpx.Client(
            base_url=f"{url}/internal/v1/",
            headers={"Authorization": f"Host {credential}"},
            timeout=timeout,
            trust_env=False,
        )
        # Signed URLs may lead to another server, which must not see the credential.
        self._files = httpx.Client(timeout=2 * timeout, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
        self._files.close()

    def register(self, probe: Probe, version: str, isolation: str) -> Registration:
        offers = [
            {
                "slug_suffix": target.slug,
                "name": target.name,
                "device": str(target.device),
                "cores": list(target.cores),
                "description": target.description,
            }
            for target in probe.targets
        ]
        body = {
            "fingerprint": to_json(probe.fingerprint),
            "runner_version": version,
            "isolation": isolation,
            "targets": offers,
        }
        return from_json(Registration, self._post("hosts/register", body))

    def host_heartbeat(self, free_slots: int) -> None:
        self._post("hosts/heartbeat", {"free_slots": free_slots})

    def claim(self, job_id: str) -> Claim | None:
        """None: somebody else has it, its target is busy, or it is over."""
        answer = self._post(f"jobs/{job_id}/claim", {})
        return None if answer is None else from_json(Claim, answer)

    def job_heartbeat(self, job_id: str, token: int, events: Sequence[ChildEvent]) -> HeartbeatAnswer:
        body = {"token": token, "events": to_json(tuple(events))}
        return from_json(HeartbeatAnswer, self._post(f"jobs/{job_id}/heartbeat", body))

    def artifact_reserve(self, job_id: str, body: Mapping[str, object]) -> UploadSlot:
        return from_json(UploadSlot, self._post(f"jobs/{job_id}/artifacts", body))

    def finish(self, job_id: str, body: Mapping[str, object]) -> str:
        """The job's state after it."""
        answer = self._post(f"jobs/{job_id}/finish", body)
        return str(answer.get("state", "")) if isinstance(answer, dict) else ""

    def release(self, job_id: str, token: int) -> None:
        self._post(f"jobs/{job_id}/release", {"token": token})

    def download(self, url: str) -> Iterator[bytes]:
        """The file's bytes in pieces; ApiUnavailable, also in the middle."""
        try:
            with self._files.stream("GET", url) as answer:
                if answer.status_code != httpx.codes.OK:
                    raise ApiUnavailable(f"storage answers {answer.status_code}")
                yield from answer.iter_raw(CHUNK)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise ApiUnavailable(type(error).__name__) from error

    def upload(self, slot: UploadSlot, size: int, content: Iterator[bytes]) -> None:
        """Send exactly `size` bytes to the slot."""
        headers = {**slot.headers, "Content-Length": str(size)}
        try:
            answer = self._files.request(slot.method, slot.url, content=content, headers=headers)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise ApiUnavailable(type(error).__name__) from error
        if not answer.is_success:
            raise ApiUnavailable(f"storage answers {answer.status_code}")

    def _post(self, path: str, body: Mapping[str, object]) -> Any:
        try:
            answer = self._client.post(path, json=body)
        except httpx.TransportError as error:
            raise ApiUnavailable(type(error).__name__) from error
        if answer.status_code == httpx.codes.CONFLICT:
            raise StaleLease
        if answer.status_code >= 500 or answer.status_code in (408, 425, 429):
            raise ApiUnavailable(f"HTTP {answer.status_code}")
        if answer.status_code == httpx.codes.NO_CONTENT:
            return None
        if not answer.is_success:
            raise ApiRefused(answer.status_code, answer.text)
        try:
            return answer.json()
        except ValueError as error:
            raise ApiUnavailable("the answer is not JSON") from error
