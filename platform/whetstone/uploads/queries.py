"""Reads of uploads. Which parts have arrived is asked of the store, not of the database."""

from dataclasses import dataclass

from whetstone.accounts.models import Workspace
from whetstone.core.errors import NotFound
from whetstone.core.pagination import Page, page_of
from whetstone.core.storage import PartInfo, storage
from whetstone.uploads.domain import Cut
from whetstone.uploads.models import Upload, UploadState


@dataclass(frozen=True, slots=True)
class UploadRow:
    upload: Upload
    received: list[PartInfo]


def upload_get(workspace: Workspace, upload_id: str) -> Upload:
    rows = Upload.objects.filter(workspace=workspace).select_related("version")
    upload = rows.filter(pk=upload_id).first()
    if upload is None:
        raise NotFound()
    return upload


def upload_row(workspace: Workspace, upload_id: str) -> UploadRow:
    return row_of(upload_get(workspace, upload_id))


def uploads_page(
    workspace: Workspace, *, state: UploadState | None, cursor: str | None, limit: int
) -> Page[UploadRow]:
    rows = Upload.objects.filter(workspace=workspace).select_related("version")
    if state:
        rows = rows.filter(state=state)
    page = page_of(rows, cursor=cursor, limit=limit)
    return Page([row_of(upload) for upload in page.items], page.next_cursor)


def row_of(upload: Upload) -> UploadRow:
    """Of an upload that has ended, all parts have arrived (completed) or none are kept."""
    cut = Cut(upload.size_bytes, upload.part_size)
    if upload.state == UploadState.COMPLETED:
        return UploadRow(upload, [PartInfo(n, cut.size_of(n), "") for n in range(1, cut.count + 1)])
    if upload.state != UploadState.RECEIVING:
        return UploadRow(upload, [])
    return UploadRow(upload, cut.arrived(storage().parts_list(upload.storage_key, upload.multipart_id)))
