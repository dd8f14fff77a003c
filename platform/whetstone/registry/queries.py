"""Reads of the registry; the number of queries does not depend on the number of rows."""

from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Count, IntegerField, Max, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from whetstone.accounts.models import Workspace
from whetstone.core.errors import NotFound
from whetstone.core.pagination import Page, page_of
from whetstone.registry.models import Artifact, Dataset, ModelVersion, RegisteredModel

RowT = TypeVar("RowT", bound=Model)


@dataclass(frozen=True, slots=True)
class VersionRow:
    """`inspect_job_id`: the newest inspection of it, if one was started."""

    version: ModelVersion
    inspect_job_id: str | None


@dataclass(frozen=True, slots=True)
class ModelRow:
    model: RegisteredModel
    latest: VersionRow | None
    version_count: int
    run_count: int


def models_page(workspace: Workspace, *, cursor: str | None, limit: int) -> Page[ModelRow]:
    page = page_of(_models(workspace), cursor=cursor, limit=limit)
    return Page(_model_rows(page.items), page.next_cursor)


def model_row(workspace: Workspace, model_id: str) -> ModelRow:
    return _model_rows([_one(_models(workspace), model_id)])[0]


def model_get(workspace: Workspace, model_id: str) -> RegisteredModel:
    return _one(RegisteredModel.objects.filter(workspace=workspace), model_id)


def versions_page(workspace: Workspace, model_id: str, *, cursor: str | None, limit: int) -> Page[VersionRow]:
    model = model_get(workspace, model_id)
    page = page_of(_versions().filter(model=model), cursor=cursor, limit=limit)
    return Page([_version_row(version) for version in page.items], page.next_cursor)


def version_row(workspace: Workspace, version_id: str) -> VersionRow:
    return _version_row(_one(_versions().filter(model__workspace=workspace), version_id))


def version_get(workspace: Workspace, version_id: str) -> ModelVersion:
    rows = ModelVersion.objects.filter(model__workspace=workspace).select_related("model", "source_artifact")
    return _one(rows, version_id)


def datasets_page(workspace: Workspace, *, cursor: str | None, limit: int) -> Page[Dataset]:
    rows = Dataset.objects.filter(workspace=workspace).select_related("artifact")
    return page_of(rows, cursor=cursor, limit=limit)


def dataset_get(workspace: Workspace, dataset_id: str) -> Dataset:
    return _one(Dataset.objects.filter(workspace=workspace).select_related("artifact"), dataset_id)


def artifact_get(workspace: Workspace, artifact_id: str) -> Artifact:
    return _one(Artifact.objects.filter(workspace=workspace), artifact_id)


def _one(rows: QuerySet[RowT, RowT], key: str) -> RowT:
    found = rows.filter(pk=key).first()
    if found is None:
        raise NotFound()
    return found


def _models(workspace: Workspace) -> QuerySet[RegisteredModel, Any]:
    """The runs' app stands above this one; its rows are reached by the relation's name, never imported."""
    mine = ModelVersion.objects.filter(model=OuterRef("pk"))
    return RegisteredModel.objects.filter(workspace=workspace).annotate(
        version_count=_counted(mine, "pk"),
        run_count=_counted(mine, "runs"),
        latest_id=Subquery(mine.order_by("-pk").values("pk")[:1]),
    )


def _counted(rows: QuerySet[ModelVersion, Any], field: str) -> Coalesce:
    counts = rows.order_by().values("model").annotate(n=Count(field, distinct=True)).values("n")
    return Coalesce(Subquery(counts, output_field=IntegerField()), Value(0))


def _versions() -> QuerySet[ModelVersion, Any]:
    return ModelVersion.objects.select_related("model").annotate(
        inspect_job_id=Max("jobs__id", filter=Q(jobs__kind="inspect"))
    )


def _version_row(version: Any) -> VersionRow:
    return VersionRow(version, version.inspect_job_id)


def _model_rows(models: list[Any]) -> list[ModelRow]:
    latest = _versions().in_bulk([model.latest_id for model in models if model.latest_id])
    return [
        ModelRow(
            model,
            _version_row(latest[model.latest_id]) if model.latest_id in latest else None,
            model.version_count,
            model.run_count,
        )
        for model in models
    ]
