"""What `prepare` leaves for `measure`: `prepared.json` beside the artifact. Both are engine-internal."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from optimizers.spec.codec import dumps, loads
from optimizers.spec.job import ProducedFile, StageTime
from optimizers.spec.measurement import Quality
from optimizers.spec.model import Finding
from optimizers.spec.names import ArtifactKind

PREPARED = "prepared.json"
REPORT = "report.json"


@dataclass(frozen=True)
class Prepared:
    """`artifact` is a path in the output folder, or None where the uploaded file itself is served.

    `batch_sizes` are those at which the artifact was seen to work; `files` are what can be deployed.
    """

    job_id: str
    artifact: str | None
    artifact_size_bytes: int
    precision_effective: str
    quality: Quality
    compile_s: float
    batch_sizes: tuple[int, ...]
    findings: tuple[Finding, ...] = ()
    files: tuple[ProducedFile, ...] = ()
    stages: tuple[StageTime, ...] = ()


def prepared_write(folder: Path, prepared: Prepared) -> None:
    (folder / PREPARED).write_text(dumps(prepared, indent=1), encoding="utf-8")


def prepared_read(folder: Path) -> Prepared:
    return loads(Prepared, (folder / PREPARED).read_bytes())


def produced_file(path: Path, kind: ArtifactKind) -> ProducedFile:
    """Hash a file of the output folder."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return ProducedFile(path.name, kind, digest, path.stat().st_size)
