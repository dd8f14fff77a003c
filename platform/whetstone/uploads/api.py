"""Uploads: start, send parts to signed links, complete."""

from typing import cast

from django.http import HttpRequest
from ninja import Query, Router, Status
from pydantic import Field

from whetstone.accounts.auth import ApiRequest
from whetstone.core.idempotency import idempotent
from whetstone.core.pagination import PageOut, PageQuery
from whetstone.core.storage import url_as_seen_by
from whetstone.uploads import queries, services
from whetstone.uploads.models import UploadPurpose, UploadState
from whetstone.uploads.queries import UploadRow
from whetstone.uploads.schemas import (
    PartsIn,
    PartsOut,
    PurposeName,
    SignedPart,
    UploadIn,
    UploadOut,
    UploadStateName,
)

router = Router(tags=["Uploads"])


class UploadFilter(PageQuery):
    state: UploadStateName | None = Field(None, description="Only uploads in this state.")


@router.post("/uploads", response={201: UploadOut}, operation_id="upload_start", summary="Start an upload")
@idempotent(status=201)
def upload_start(request: ApiRequest, body: UploadIn) -> UploadOut:
    """Then ask for links with `POST /uploads/{upload_id}/parts`, PUT each part, and complete.

    The file's SHA-256 is verified when it is inspected.
    """
    upload = services.upload_start(
        workspace=request.workspace,
        user=request.user,
        purpose=UploadPurpose(body.purpose),
        filename=body.filename,
        size_bytes=body.size_bytes,
        sha256=body.sha256,
        model_name=body.model_name or "",
    )
    return _upload_out(queries.row_of(upload))


@router.get("/uploads", response=PageOut[UploadOut], operation_id="upload_list", summary="List uploads")
def upload_list(request: ApiRequest, page: Query[UploadFilter]) -> PageOut[UploadOut]:
    """Those in state `receiving` can be resumed: send the parts that `received_parts` lacks."""
    state = UploadState(page.state) if page.state else None
    found = queries.uploads_page(request.workspace, state=state, cursor=page.cursor, limit=page.limit)
    return PageOut[UploadOut](items=[_upload_out(row) for row in found.items], next_cursor=found.next_cursor)


@router.get("/uploads/{upload_id}", response=UploadOut, operation_id="upload_get", summary="Get an upload")
def upload_get(request: ApiRequest, upload_id: str) -> UploadOut:
    """Which parts have arrived, and after completion the version or dataset it became."""
    return _upload_out(queries.upload_row(request.workspace, upload_id))


@router.delete(
    "/uploads/{upload_id}", response={204: None}, operation_id="upload_abort", summary="Abort an upload"
)
def upload_abort(request: ApiRequest, upload_id: str) -> Status[None]:
    """Removes its bytes. A completed upload cannot be aborted: delete its model instead."""
    services.upload_abort(upload=queries.upload_get(request.workspace, upload_id))
    return Status(204, None)


@router.post(
    "/uploads/{upload_id}/parts",
    response=PartsOut,
    operation_id="upload_parts",
    summary="Get links for parts",
)
def upload_parts(request: ApiRequest, upload_id: str, body: PartsIn) -> PartsOut:
    """Part n holds the bytes from `(n - 1) * part_size`. Parts may be sent in parallel and again."""
    upload = queries.upload_get(request.workspace, upload_id)
    signed = services.parts_sign(upload=upload, numbers=body.part_numbers)
    return PartsOut(
        parts=[
            SignedPart(
                part_number=number,
                url=url_as_seen_by(cast(HttpRequest, request), link.url),
                method=link.method,
                headers=dict(link.headers),
            )
            for number, link in signed
        ]
    )


@router.post(
    "/uploads/{upload_id}/complete",
    response=UploadOut,
    operation_id="upload_complete",
    summary="Complete an upload",
)
def upload_complete(request: ApiRequest, upload_id: str) -> UploadOut:
    """Makes a version, whose inspection starts at once, or a dataset. Sending it twice changes nothing."""
    upload = services.upload_complete(upload=queries.upload_get(request.workspace, upload_id))
    return _upload_out(queries.row_of(upload))


def _upload_out(row: UploadRow) -> UploadOut:
    upload = row.upload
    return UploadOut(
        id=upload.pk,
        state=cast(UploadStateName, upload.state),
        purpose=cast(PurposeName, upload.purpose),
        filename=upload.filename,
        size_bytes=upload.size_bytes,
        sha256=upload.sha256,
        part_size=upload.part_size,
        part_count=upload.part_count,
        received_parts=[part.number for part in row.received],
        received_bytes=sum(part.size for part in row.received),
        expires_at=upload.expires_at,
        created_at=upload.created_at,
        model_id=upload.version.model_id if upload.version else None,
        version_id=upload.version_id,
        dataset_id=upload.dataset_id,
    )
