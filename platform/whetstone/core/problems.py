"""Errors as `application/problem+json` (RFC 9457): one shape whoever refuses, Django's own refusals too."""

import json
import logging

from django.conf import settings
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import OperationalError
from django.http import Http404, HttpResponse
from django.http.request import UnreadablePostError
from ninja import Schema
from ninja.errors import HttpError, ValidationError
from pydantic import Field

from whetstone.core.errors import (
    BadRequest,
    FieldError,
    Forbidden,
    HttpErrorKind,
    InternalError,
    NotAllowed,
    NotFound,
    Throttled,
    TooLarge,
    Unauthorized,
    Unavailable,
    Unprocessable,
    WhetstoneError,
)
from whetstone.core.logs import request_id_var

logger = logging.getLogger("whetstone.errors")
CONTENT_TYPE = "application/problem+json"
MAX_FIELD_ERRORS = 20
_STATUS_OF: tuple[tuple[type[Exception], int], ...] = (
    (Http404, 404),
    (RequestDataTooBig, 413),
    (SuspiciousOperation, 400),
    (UnreadablePostError, 400),
    (PermissionDenied, 403),
)


class FieldErrorOut(Schema):
    loc: list[str | int] = Field(examples=[["body", "size_bytes"]])
    msg: str = Field(examples=["Input should be greater than 0"])


class Problem(Schema):
    """What every refusal looks like (RFC 9457)."""

    type: str = Field(description="Address of the code's documentation.")
    title: str = Field(description="The code's sentence; the same each time.")
    status: int
    detail: str = Field(description="What exactly is wrong this time.")
    code: str = Field(description="Stable, for programs.", examples=["NOT_FOUND"])
    hint: str = Field(description="What to do next.")
    request_id: str = Field(description="Tell us this one when you ask for help.")
    errors: list[FieldErrorOut] | None = Field(
        None, description="Where in the request, if it is the request."
    )


def problem_response(error: WhetstoneError) -> HttpResponse:
    kind: HttpErrorKind = error.kind
    body: dict[str, object] = {
        "type": f"{settings.WHETSTONE_PUBLIC_URL}/docs/errors#{error.code}",
        "title": kind.message,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
        "hint": error.hint,
        "request_id": request_id_var.get(),
    }
    if error.errors:
        body["errors"] = [{"loc": list(e.loc), "msg": e.msg} for e in error.errors[:MAX_FIELD_ERRORS]]
    response = HttpResponse(json.dumps(body), status=error.status, content_type=CONTENT_TYPE)
    for name, value in error.headers.items():
        response[name] = value
    if error.status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="whetstone"'
    return response


def error_from_exception(exc: Exception) -> WhetstoneError:
    """The platform's word for any exception that reaches the edge. What is not known is a 500, logged."""
    match exc:
        case WhetstoneError():
            return exc
        case ValidationError():
            return _validation(exc)
        case HttpError(__cause__=WhetstoneError() as cause):
            return cause
        case HttpError():
            return error_from_status(exc.status_code)
        case OperationalError():
            logger.error("the database refused", exc_info=exc)
            return Unavailable("UNAVAILABLE")
    for kind, status in _STATUS_OF:
        if isinstance(exc, kind):
            return error_from_status(status)
    logger.error("unhandled exception", exc_info=exc)
    return InternalError("INTERNAL_ERROR")


def error_from_status(status: int) -> WhetstoneError:
    """For refusals that only have a status: Django's bare responses and Ninja's own errors."""
    known: dict[int, WhetstoneError] = {
        400: BadRequest("BAD_REQUEST"),
        401: Unauthorized("NOT_SIGNED_IN"),
        403: Forbidden("FORBIDDEN"),
        404: NotFound(),
        405: NotAllowed("METHOD_NOT_ALLOWED"),
        413: TooLarge("BODY_TOO_LARGE"),
        422: Unprocessable("VALIDATION_FAILED"),
        429: Throttled("THROTTLED"),
        503: Unavailable("UNAVAILABLE"),
    }
    return known.get(status) or (
        BadRequest("BAD_REQUEST") if status < 500 else InternalError("INTERNAL_ERROR")
    )


def _validation(exc: ValidationError) -> WhetstoneError:
    """Ninja wraps the body in the view's parameter name; the sender knows only "body"."""
    errors = []
    for entry in exc.errors:
        loc = tuple(part for part in entry["loc"] if isinstance(part, str | int))
        if len(loc) > 1 and loc[0] == "body":
            loc = (loc[0], *loc[2:])
        errors.append(FieldError(tuple(_shorten(part) for part in loc), str(entry["msg"])[:300]))
    first = errors[0] if errors else None
    where = ".".join(map(str, first.loc)) if first else ""
    detail = f"{where}: {first.msg}" if first else ""
    return Unprocessable("VALIDATION_FAILED", detail, errors=errors)


def _shorten(part: str | int) -> str | int:
    return part[:80] if isinstance(part, str) else part
