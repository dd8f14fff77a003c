"""`Idempotency-Key`: a creating POST that is sent twice creates once and is answered alike.

The record is written in the transaction that creates, so there is never an answer without the thing or
a thing without its answer. Of two at once, the second waits for the first at the record's unique key.
"""

import base64
import functools
import hashlib
import hmac
import inspect
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from ninja import Schema

from whetstone.core.clock import db_now
from whetstone.core.errors import BadRequest, Conflict
from whetstone.core.models import IdempotencyRecord

HEADER = "Idempotency-Key"
KEPT_FOR = timedelta(hours=24)
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
View = Callable[..., Schema]


def idempotent(*, status: int) -> Callable[[View], Callable[..., HttpResponse]]:
    """For a view that creates and returns its answer as a Schema instance; put it under the route.

    A refusal is not recorded: nothing was created, and the next try may succeed.
    """

    def decorate(view: View) -> Callable[..., HttpResponse]:
        @functools.wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            key = request.headers.get(HEADER)
            if key is None:
                return _response(status, view(request, *args, **kwargs).model_dump_json())
            if not _KEY.fullmatch(key):
                raise BadRequest("IDEMPOTENCY_KEY_INVALID")
            return _once(request, key, lambda: (status, view(request, *args, **kwargs).model_dump_json()))

        # Ninja reads the parameters here; resolved, since its own lookup would use this module's names.
        wrapper.__signature__ = inspect.signature(view, eval_str=True)  # type: ignore[attr-defined]
        wrapper.idempotent = True  # type: ignore[attr-defined]
        return wrapper

    return decorate


def idempotency_purge() -> int:
    """Forgets answers older than a day; call it from the schedule."""
    deleted, _ = IdempotencyRecord.objects.filter(created_at__lt=db_now() - KEPT_FOR).delete()
    return deleted


def _once(request: HttpRequest, key: str, answer: Callable[[], tuple[int, str]]) -> HttpResponse:
    record = _record_for(request, key)
    if earlier := _find(record):
        return _replay(earlier, record, key)
    try:
        with transaction.atomic():
            with transaction.atomic():
                record.save(force_insert=True)
            status, body = answer()
            record.status, record.sealed_response = status, _seal(key).encrypt(body.encode()).decode()
            record.save(update_fields=["status", "sealed_response"])
        return _response(status, body)
    except IntegrityError:
        # Somebody else's record, or the view's own conflict: only the first is ours to answer.
        if earlier := _find(record):
            return _replay(earlier, record, key)
        raise


def _record_for(request: HttpRequest, key: str) -> IdempotencyRecord:
    workspace_id: str = request.workspace.pk  # type: ignore[attr-defined]
    user_id = request.user.pk
    return IdempotencyRecord(
        workspace_id=workspace_id,
        key_hash=hashlib.sha256(f"{user_id}:{key}".encode()).hexdigest(),
        endpoint=f"{request.method} {request.path}"[:300],
        body_sha256=hashlib.sha256(request.body).hexdigest(),
        created_at=db_now(),
    )


def _find(record: IdempotencyRecord) -> IdempotencyRecord | None:
    return IdempotencyRecord.objects.filter(
        workspace_id=record.workspace_id, key_hash=record.key_hash
    ).first()


def _replay(earlier: IdempotencyRecord, record: IdempotencyRecord, key: str) -> HttpResponse:
    if (earlier.endpoint, earlier.body_sha256) != (record.endpoint, record.body_sha256):
        raise Conflict("IDEMPOTENCY_KEY_REUSED")
    if earlier.status is None:
        raise Conflict("IDEMPOTENCY_IN_PROGRESS", headers={"Retry-After": "1"})
    response = _response(earlier.status, _seal(key).decrypt(earlier.sealed_response).decode())
    response["Idempotency-Replayed"] = "true"
    return response


def _seal(key: str) -> Fernet:
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"idempotency:{key}".encode(), "sha256")
    return Fernet(base64.urlsafe_b64encode(digest))


def _response(status: int, body: str) -> HttpResponse:
    return HttpResponse(body, status=status, content_type="application/json; charset=utf-8")
