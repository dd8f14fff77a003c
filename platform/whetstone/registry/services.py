"""Writes of the registry."""

from collections.abc import Sequence
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet

from optimizers.spec.codec import to_json
from optimizers.spec.errors import Failure
from optimizers.spec.model import Finding, ModelDescription
from whetstone.accounts.models import Workspace
from whetstone.core.errors import Conflict
from whetstone.core.storage import storage
from whetstone.registry.models import (
    Artifact,
    ArtifactKind,
    CheckState,
    Dataset,
    ModelVersion,
    RegisteredModel,
)


def artifact_create(
    *,
    workspace: Workspace,
    kind: ArtifactKind | str,
    filename: str,
    sha256: str,
    size_bytes: int,
    storage_key: str,
    created_by_job_id: str | None = None,
) -> Artifact:
    """Names a file that lies in the store, which makes it exist for readers."""
    return Artifact.objects.create(
        workspace=workspace,
        kind=kind,
        filename=filename,
        sha256=sha256,
        size_bytes=size_bytes,
        storage_key=storage_key,
        created_by_job_id=created_by_job_id,
    )


@transaction.atomic
def version_create(*, workspace: Workspace, model_name: str, source: Artifact) -> ModelVersion:
    """The next version of the model of that name, which is made if there is none. State `inspecting`."""
    model, _ = RegisteredModel.objects.get_or_create(workspace=workspace, name=model_name)
    # The lock makes two uploads to one model take different numbers.
    RegisteredModel.objects.select_for_update().get(pk=model.pk)
    last = ModelVersion.objects.filter(model=model).aggregate(last=Max("number"))["last"] or 0
    return ModelVersion.objects.create(
        model=model,
        number=last + 1,
        filename=source.filename,
        size_bytes=source.size_bytes,
        sha256=source.sha256,
        source_artifact=source,
    )


def version_mark_ready(
    *, version: ModelVersion, description: ModelDescription, findings: Sequence[Finding]
) -> bool:
    """inspecting -> ready. False: it was decided before, and nothing is changed."""
    changed = _inspecting(version).update(
        state=CheckState.READY,
        format=description.format[:30],
        description=to_json(description),
        findings=to_json(list(findings)),
    )
    return changed == 1


def version_reject(*, version: ModelVersion, failure: Failure, findings: Sequence[Finding]) -> bool:
    """inspecting -> rejected. False: it was decided before, and nothing is changed."""
    changed = _inspecting(version).update(
        state=CheckState.REJECTED, failure=to_json(failure), findings=to_json(list(findings))
    )
    return changed == 1


def dataset_create(*, workspace: Workspace, name: str, artifact: Artifact) -> Dataset:
    """Sample data is read when a run uses it, inside that job's sandbox, so it is ready at once."""
    return Dataset.objects.create(workspace=workspace, name=name, artifact=artifact, state=CheckState.READY)


def model_rename(*, model: RegisteredModel, name: str) -> None:
    """Conflict("NAME_TAKEN") if another model of the workspace has the name."""
    try:
        with transaction.atomic():
            RegisteredModel.objects.filter(pk=model.pk).update(name=name)
    except IntegrityError:
        raise Conflict("NAME_TAKEN", f"Another model is called {name}.") from None
    model.name = name


@transaction.atomic
def model_delete(*, model: RegisteredModel) -> None:
    """Removes the model with its versions, runs and files. Conflict("MODEL_IN_USE") while a run is open."""
    RegisteredModel.objects.select_for_update().get(pk=model.pk)
    versions = ModelVersion.objects.filter(model=model)
    if versions.filter(runs__isnull=False, runs__ended_at__isnull=True).exists():
        raise Conflict("MODEL_IN_USE")
    artifact_ids = set(versions.values_list("source_artifact_id", flat=True))
    job_ids = list(versions.filter(jobs__isnull=False).values_list("jobs__id", flat=True))
    artifact_ids |= set(Artifact.objects.filter(created_by_job_id__in=job_ids).values_list("pk", flat=True))
    model.delete()
    doomed = Artifact.objects.filter(pk__in=artifact_ids)
    keys = list(doomed.values_list("storage_key", flat=True))
    doomed.delete()
    transaction.on_commit(partial(files_delete, keys=keys), robust=True)


def files_delete(*, keys: Sequence[str]) -> None:
    """Removes bytes that no row names any more. A failure leaves them to the sweep of unnamed keys."""
    for key in keys:
        storage().delete(key)


def _inspecting(version: ModelVersion) -> QuerySet[ModelVersion, ModelVersion]:
    return ModelVersion.objects.filter(pk=version.pk, state=CheckState.INSPECTING)
