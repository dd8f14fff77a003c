"""Writes of uploads: start, sign parts, complete, abort, expire."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from django.conf import settings
from django.db import transaction

from whetstone.accounts.models import User, Workspace
from whetstone.core.clock import db_now
from whetstone.core.errors import Conflict, FieldError, TooLarge, Unprocessable
from whetstone.core.ids import new_id
from whetstone.core.storage import SignedRequest, storage
from whetstone.core.text import filename_clean, key_name
from whetstone.registry.models import ArtifactKind
from whetstone.registry.services import artifact_create, dataset_create, version_create
from whetstone.runs.services import inspect_start
from whetstone.uploads.domain import Cut, part_size_for
from whetstone.uploads.models import Upload, UploadPurpose, UploadState


@transaction.atomic
def upload_start(
    *,
    workspace: Workspace,
    user: User,
    purpose: UploadPurpose,
    filename: str,
    size_bytes: int,
    sha256: str,
    model_name: str,
) -> Upload:
    """Opens an upload. `model_name` "" means the file's name without its ending.

    Unprocessable("EMPTY_FILE", "FILENAME_INVALID"); TooLarge("FILE_TOO_LARGE").
    """
    clean = _acceptable(filename, size_bytes)
    upload_id = new_id("upl")
    key = f"ws/{workspace.pk}/uploads/{upload_id}/{key_name(clean)}"
    part_size = part_size_for(size_bytes, settings.UPLOAD_PART_BYTES)
    now = db_now()
    return Upload.objects.create(
        id=upload_id,
        workspace=workspace,
        user=user,
        purpose=purpose,
        filename=clean,
        model_name=model_name or PurePosixPath(clean).stem[:100],
        size_bytes=size_bytes,
        sha256=sha256,
        part_size=part_size,
        storage_key=key,
        multipart_id=storage().multipart_start(key, size=size_bytes, part_size=part_size),
        created_at=now,
        expires_at=now + settings.UPLOAD_LIFETIME,
    )


def _acceptable(filename: str, size_bytes: int) -> str:
    """The name to keep; Unprocessable or TooLarge where nothing may be sent."""
    clean = filename_clean(filename)
    if not clean:
        raise Unprocessable(
            "FILENAME_INVALID", errors=[FieldError(("body", "filename"), "nothing is left of it")]
        )
    if size_bytes == 0:
        raise Unprocessable("EMPTY_FILE")
    if size_bytes > settings.UPLOAD_MAX_BYTES:
        raise TooLarge(
            "FILE_TOO_LARGE", f"The largest file that is taken has {settings.UPLOAD_MAX_BYTES} bytes."
        )
    return clean


def parts_sign(*, upload: Upload, numbers: Sequence[int]) -> list[tuple[int, SignedRequest]]:
    """Where to send these parts. Unprocessable("PART_NUMBER_INVALID"); Conflict("UPLOAD_NOT_RECEIVING")."""
    _check_receiving(upload)
    cut = Cut(upload.size_bytes, upload.part_size)
    wrong = [number for number in numbers if not 1 <= number <= cut.count]
    if wrong:
        detail = f"Parts are numbered from 1 to {cut.count}; {wrong[0]} is not one of them."
        raise Unprocessable("PART_NUMBER_INVALID", detail)
    return [
        (
            number,
            storage().part_url(
                upload.storage_key,
                upload.multipart_id,
                number,
                size=cut.size_of(number),
                expires=settings.SIGNED_URL_LIFETIME,
            ),
        )
        for number in numbers
    ]


def upload_complete(*, upload: Upload) -> Upload:
    """receiving -> completed, with a version under inspection or a dataset. Twice is the same as once.

    The store first, then the row: a crash between them is mended by completing again.
    Unprocessable("PARTS_MISSING", "SIZE_MISMATCH"); Conflict("UPLOAD_NOT_RECEIVING").
    """
    if upload.state == UploadState.COMPLETED:
        return upload
    _check_receiving(upload)
    _assemble(upload)
    with transaction.atomic():
        locked = Upload.objects.select_for_update(of=("self",)).select_related("workspace").get(pk=upload.pk)
        if locked.state == UploadState.RECEIVING:
            return _finish(locked)
    if locked.state != UploadState.COMPLETED:
        storage().delete(upload.storage_key)
        raise Conflict("UPLOAD_NOT_RECEIVING")
    return locked


def upload_abort(*, upload: Upload) -> None:
    """receiving -> aborted; its bytes are removed. Conflict("UPLOAD_NOT_RECEIVING") if it has ended."""
    if not _end(upload, UploadState.ABORTED):
        raise Conflict("UPLOAD_NOT_RECEIVING")


def uploads_expire(*, limit: int = 100) -> int:
    """Ends uploads that nobody completed in time; how many. For the schedule; safe at any time."""
    late = Upload.objects.filter(state=UploadState.RECEIVING, expires_at__lte=db_now()).order_by("expires_at")
    return sum(_end(upload, UploadState.EXPIRED) for upload in late[:limit])


def _check_receiving(upload: Upload) -> None:
    if upload.state != UploadState.RECEIVING or upload.expires_at <= db_now():
        raise Conflict("UPLOAD_NOT_RECEIVING")


def _assemble(upload: Upload) -> None:
    key, multipart_id = upload.storage_key, upload.multipart_id
    if storage().stat(key) == upload.size_bytes:
        return
    cut = Cut(upload.size_bytes, upload.part_size)
    found = storage().parts_list(key, multipart_id)
    if wrong := cut.wrong(found):
        raise Unprocessable("SIZE_MISMATCH", f"Part {wrong[0]} has another size than it should.")
    parts = cut.arrived(found)
    if missing := cut.missing(parts):
        # Somebody else may have completed it between the two questions.
        if storage().stat(key) == upload.size_bytes:
            return
        errors = [FieldError(("part", number), "has not arrived") for number in missing]
        shown = ", ".join(map(str, missing[:10])) + (" ..." if len(missing) > 10 else "")
        raise Unprocessable("PARTS_MISSING", f"Missing: {shown} of {cut.count}.", errors=errors)
    storage().multipart_complete(key, multipart_id, parts)
    if storage().stat(key) != upload.size_bytes:
        storage().delete(key)
        raise Unprocessable("SIZE_MISMATCH")


def _finish(upload: Upload) -> Upload:
    is_model = upload.purpose == UploadPurpose.MODEL
    artifact = artifact_create(
        workspace=upload.workspace,
        kind=ArtifactKind.SOURCE_MODEL if is_model else ArtifactKind.SAMPLE_DATA,
        filename=upload.filename,
        sha256=upload.sha256,
        size_bytes=upload.size_bytes,
        storage_key=upload.storage_key,
    )
    if is_model:
        upload.version = version_create(
            workspace=upload.workspace, model_name=upload.model_name, source=artifact
        )
        inspect_start(version=upload.version)
    else:
        upload.dataset = dataset_create(workspace=upload.workspace, name=upload.model_name, artifact=artifact)
    upload.state = UploadState.COMPLETED
    upload.save(update_fields=["state", "version", "dataset"])
    return upload


def _end(upload: Upload, state: UploadState) -> bool:
    changed = Upload.objects.filter(pk=upload.pk, state=UploadState.RECEIVING).update(state=state)
    if changed:
        storage().multipart_abort(upload.storage_key, upload.multipart_id)
        storage().delete(upload.storage_key)
    return changed == 1
