"""Models, versions, datasets and files."""

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from ninja import Query, Router, Status

from optimizers.spec.codec import from_json
from optimizers.spec.errors import Failure
from optimizers.spec.model import Finding, ModelDescription
from whetstone.accounts.auth import ApiRequest
from whetstone.core.pagination import PageOut, PageQuery
from whetstone.core.storage import storage, url_as_seen_by
from whetstone.registry import queries, services
from whetstone.registry.models import Dataset
from whetstone.registry.queries import ModelRow, VersionRow
from whetstone.registry.schemas import (
    ArtifactOut,
    CheckStateName,
    DatasetOut,
    ModelOut,
    ModelPatch,
    VersionOut,
)

router = Router()


@router.get(
    "/models", response=PageOut[ModelOut], operation_id="model_list", summary="List models", tags=["Models"]
)
def model_list(request: ApiRequest, page: Query[PageQuery]) -> PageOut[ModelOut]:
    """The workspace's models, each with its latest version."""
    found = queries.models_page(request.workspace, cursor=page.cursor, limit=page.limit)
    return PageOut[ModelOut](items=[model_out(row) for row in found.items], next_cursor=found.next_cursor)


@router.get(
    "/models/{model_id}", response=ModelOut, operation_id="model_get", summary="Get a model", tags=["Models"]
)
def model_get(request: ApiRequest, model_id: str) -> ModelOut:
    """A model with its latest version."""
    return model_out(queries.model_row(request.workspace, model_id))


@router.patch(
    "/models/{model_id}",
    response=ModelOut,
    operation_id="model_rename",
    summary="Rename a model",
    tags=["Models"],
)
def model_rename(request: ApiRequest, model_id: str, body: ModelPatch) -> ModelOut:
    """Names are unique within a workspace; uploads to the new name become versions of this model."""
    services.model_rename(model=queries.model_get(request.workspace, model_id), name=body.name)
    return model_out(queries.model_row(request.workspace, model_id))


@router.delete(
    "/models/{model_id}",
    response={204: None},
    operation_id="model_delete",
    summary="Delete a model",
    tags=["Models"],
)
def model_delete(request: ApiRequest, model_id: str) -> Status[None]:
    """Removes its versions, runs and files too. Refused with `MODEL_IN_USE` while a run is open."""
    services.model_delete(model=queries.model_get(request.workspace, model_id))
    return Status(204, None)


@router.get(
    "/models/{model_id}/versions",
    response=PageOut[VersionOut],
    operation_id="version_list",
    summary="List a model's versions",
    tags=["Models"],
)
def version_list(request: ApiRequest, model_id: str, page: Query[PageQuery]) -> PageOut[VersionOut]:
    """Every upload to the model, newest first."""
    found = queries.versions_page(request.workspace, model_id, cursor=page.cursor, limit=page.limit)
    return PageOut[VersionOut](items=[version_out(row) for row in found.items], next_cursor=found.next_cursor)


@router.get(
    "/versions/{version_id}",
    response=VersionOut,
    operation_id="version_get",
    summary="Get a version",
    tags=["Models"],
)
def version_get(request: ApiRequest, version_id: str) -> VersionOut:
    """Poll it after an upload until `state` is `ready`, or `rejected` with a failure that says why."""
    return version_out(queries.version_row(request.workspace, version_id))


@router.get(
    "/datasets",
    response=PageOut[DatasetOut],
    operation_id="dataset_list",
    summary="List datasets",
    tags=["Datasets"],
)
def dataset_list(request: ApiRequest, page: Query[PageQuery]) -> PageOut[DatasetOut]:
    """Sample data for calibration and comparison; upload it with `purpose: dataset`."""
    found = queries.datasets_page(request.workspace, cursor=page.cursor, limit=page.limit)
    return PageOut[DatasetOut](
        items=[_dataset_out(row) for row in found.items], next_cursor=found.next_cursor
    )


@router.get(
    "/datasets/{dataset_id}",
    response=DatasetOut,
    operation_id="dataset_get",
    summary="Get a dataset",
    tags=["Datasets"],
)
def dataset_get(request: ApiRequest, dataset_id: str) -> DatasetOut:
    """One dataset; use its id as `dataset_id` of a run."""
    return _dataset_out(queries.dataset_get(request.workspace, dataset_id))


@router.get(
    "/artifacts/{artifact_id}",
    response=ArtifactOut,
    operation_id="artifact_get",
    summary="Get a file's facts",
    tags=["Files"],
)
def artifact_get(request: ApiRequest, artifact_id: str) -> ArtifactOut:
    """Name, size and SHA-256 of a file: an uploaded model, an optimized one, a log, raw samples."""
    row = queries.artifact_get(request.workspace, artifact_id)
    return ArtifactOut(
        id=row.pk,
        kind=cast(Any, row.kind),
        filename=row.filename,
        size_bytes=row.size_bytes,
        sha256=row.sha256,
        created_by_job_id=row.created_by_job_id,
        created_at=row.created_at,
    )


@router.get(
    "/artifacts/{artifact_id}/download",
    response={302: None},
    operation_id="artifact_download",
    summary="Download a file",
    tags=["Files"],
)
def artifact_download(request: ApiRequest, artifact_id: str) -> HttpResponse:
    """Redirects to a signed link that works for an hour without signing in. With curl: `-L -o FILE`."""
    row = queries.artifact_get(request.workspace, artifact_id)
    link = storage().get_url(row.storage_key, expires=settings.SIGNED_URL_LIFETIME, filename=row.filename)
    return HttpResponseRedirect(url_as_seen_by(cast(HttpRequest, request), link))


def model_out(row: ModelRow) -> ModelOut:
    return ModelOut(
        id=row.model.pk,
        name=row.model.name,
        created_at=row.model.created_at,
        latest_version=version_out(row.latest) if row.latest else None,
        version_count=row.version_count,
        run_count=row.run_count,
    )


def version_out(row: VersionRow) -> VersionOut:
    version = row.version
    return VersionOut(
        id=version.pk,
        model_id=version.model_id,
        model_name=version.model.name,
        number=version.number,
        state=cast(CheckStateName, version.state),
        filename=version.filename,
        format=version.format,
        size_bytes=version.size_bytes,
        sha256=version.sha256,
        created_at=version.created_at,
        description=from_json(ModelDescription, version.description) if version.description else None,
        findings=[from_json(Finding, item) for item in version.findings],
        failure=from_json(Failure, version.failure) if version.failure else None,
        inspect_job_id=row.inspect_job_id,
        source_artifact_id=version.source_artifact_id,
    )


def _dataset_out(row: Dataset) -> DatasetOut:
    return DatasetOut(
        id=row.pk,
        name=row.name,
        state=cast(CheckStateName, row.state),
        filename=row.artifact.filename,
        size_bytes=row.artifact.size_bytes,
        sha256=row.artifact.sha256,
        artifact_id=row.artifact_id,
        created_at=row.created_at,
    )
