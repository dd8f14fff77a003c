"""/files/<token>: the bytes of the local store, for whoever holds a signed link. Nothing is buffered.

Sign-in plays no part here: the link is the right. It is for one key, one method, one size, for a while.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.views.decorators.csrf import csrf_exempt

from whetstone.core.errors import (
    Conflict,
    Forbidden,
    LengthRequired,
    NotAllowed,
    NotFound,
    RangeNotSatisfiable,
    Unprocessable,
    WhetstoneError,
)
from whetstone.core.problems import problem_response
from whetstone.core.storage import local_storage
from whetstone.core.storage.body import body_reader
from whetstone.core.storage.gateway import CHUNK_BYTES
from whetstone.core.storage.links import Grant, grant_read
from whetstone.core.storage.local import UploadGone, WrongBytes

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@csrf_exempt
def files_view(request: HttpRequest, token: str) -> HttpResponseBase:
    try:
        grant = grant_read(token)
        if grant is None:
            raise Forbidden("LINK_INVALID")
        if grant.method == "GET" and request.method in {"GET", "HEAD"}:
            return _send(request, grant)
        if grant.method == "PUT" and request.method == "PUT":
            return _receive(request, grant)
        raise NotAllowed("METHOD_NOT_ALLOWED", headers={"Allow": grant.method})
    except WhetstoneError as error:
        return problem_response(error)


def _receive(request: HttpRequest, grant: Grant) -> HttpResponse:
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length.isdecimal():
        raise LengthRequired("LENGTH_REQUIRED")
    if int(length) != grant.size:
        raise Unprocessable(
            "SIZE_MISMATCH", f"This link takes exactly {grant.size} bytes, not {int(length)}."
        )
    try:
        if grant.part:
            local_storage().part_write(grant.multipart_id, grant.part, body_reader(request))
        else:
            local_storage().object_write(grant.key, grant.size, grant.sha256, body_reader(request))
    except UploadGone:
        raise Conflict("UPLOAD_NOT_RECEIVING") from None
    except WrongBytes:
        raise Unprocessable("CHECKSUM_MISMATCH" if grant.sha256 else "SIZE_MISMATCH") from None
    return HttpResponse(status=200, headers={"ETag": f'"{grant.part or grant.sha256}"'})


def _send(request: HttpRequest, grant: Grant) -> HttpResponseBase:
    path = local_storage().path(grant.key)
    try:
        facts = path.stat()
    except FileNotFoundError:
        raise NotFound("The file is gone.") from None
    etag = f'"{facts.st_size:x}-{facts.st_mtime_ns:x}"'
    span = _span(request, facts.st_size, etag)
    response: HttpResponseBase
    if request.method == "HEAD":
        response = HttpResponse()
        response["Content-Length"] = str(facts.st_size)
    elif span is None:
        response = FileResponse(path.open("rb"))
    else:
        response = StreamingHttpResponse(_slice(path, *span), status=206)
        response["Content-Length"] = str(span[1] - span[0])
        response["Content-Range"] = f"bytes {span[0]}-{span[1] - 1}/{facts.st_size}"
    response["Content-Type"] = "application/octet-stream"
    response["Content-Disposition"] = (
        content_disposition_header(as_attachment=True, filename=grant.filename) or "attachment"
    )
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Cache-Control"] = "private, no-store"
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    return response


def _span(request: HttpRequest, size: int, etag: str) -> tuple[int, int] | None:
    """(first byte, byte after the last) for one readable range; None for the whole file."""
    found = _RANGE.fullmatch(request.headers.get("Range", ""))
    if found is None or request.headers.get("If-Range", etag) != etag or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if first:
        start, end = int(first), min(int(last) + 1 if last else size, size)
    else:
        start, end = max(0, size - int(last)), size
    if start >= end:
        raise RangeNotSatisfiable("RANGE_NOT_SATISFIABLE", headers={"Content-Range": f"bytes */{size}"})
    return start, end


def _slice(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (chunk := file.read(min(CHUNK_BYTES, end - start))):
            start += len(chunk)
            yield chunk
