"""Models, versions and files that lie in the store."""

from __future__ import annotations

import hashlib
import itertools
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.test import Client

from optimizers.spec.model import Dim, ModelDescription, TensorSpec
from whetstone.accounts.models import Workspace
from whetstone.core.ids import new_id
from whetstone.core.storage import storage
from whetstone.registry.models import Artifact, ArtifactKind, Dataset, ModelVersion
from whetstone.registry.services import artifact_create, dataset_create, version_create, version_mark_ready

_numbers = itertools.count(1)


def description_make(**changes: Any) -> ModelDescription:
    """An image model with a dynamic batch, as the engine would describe it."""
    facts: dict[str, Any] = {
        "format": "onnx",
        "inputs": (TensorSpec("image", "float32", ("batch", 3, 32, 32)),),
        "outputs": (TensorSpec("scores", "float32", ("batch", 10)),),
        "operators": {"Conv": 4, "Relu": 4, "Gemm": 1},
        "nodes": 9,
        "parameters": 1_000,
        "parameter_bytes": 4_000,
        "size_bytes": 4_500,
        "dims": (Dim("batch", ("image",), 1, is_batch=True),),
        "precision": "fp32",
        "deterministic": True,
        "ir_version": 9,
        "opsets": {"": 17},
        "producer": "pytorch",
        "flops": 2_000_000,
        "flops_at": {"batch": 1},
    }
    return ModelDescription(**(facts | changes))


def file_store(key: str, data: bytes) -> str:
    """Puts bytes into the platform's store the way a runner does; their SHA-256."""
    sha256 = hashlib.sha256(data).hexdigest()
    link = storage().put_url(key, size=len(data), sha256=sha256, expires=timedelta(minutes=5))
    path = link.url.removeprefix(settings.WHETSTONE_PUBLIC_URL)
    response = Client(headers={"host": "127.0.0.1"}).put(path, data, content_type="application/octet-stream")
    assert response.status_code == 200, response.content
    return sha256


def artifact_make(
    workspace: Workspace,
    *,
    kind: ArtifactKind = ArtifactKind.SOURCE_MODEL,
    filename: str = "model.onnx",
    data: bytes = b"not really a model",
    created_by_job_id: str | None = None,
) -> Artifact:
    key = f"ws/{workspace.pk}/tests/{new_id('art')}/file.bin"
    return artifact_create(
        workspace=workspace,
        kind=kind,
        filename=filename,
        sha256=file_store(key, data),
        size_bytes=len(data),
        storage_key=key,
        created_by_job_id=created_by_job_id,
    )


def version_make(workspace: Workspace, *, model_name: str = "", ready: bool = True) -> ModelVersion:
    source = artifact_make(workspace)
    name = model_name or f"model {next(_numbers)}"
    version = version_create(workspace=workspace, model_name=name, source=source)
    if ready:
        assert version_mark_ready(version=version, description=description_make(), findings=[])
        version.refresh_from_db()
    return version


def dataset_make(workspace: Workspace) -> Dataset:
    artifact = artifact_make(workspace, kind=ArtifactKind.SAMPLE_DATA, filename="samples.npz")
    return dataset_create(workspace=workspace, name="samples", artifact=artifact)
