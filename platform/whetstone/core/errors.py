"""The platform's errors: one tree, one stable code each, always answered as problem+json.

    WhetstoneError
    +-- BadRequest 400        the request cannot be read
    +-- Unauthorized 401      nobody is signed in
    +-- Forbidden 403         signed in, but may not
    +-- NotFound 404          there is no such thing for this workspace
    +-- NotAllowed 405        there is such a thing, but not this method
    +-- Conflict 409          it is in another state than the request needs
    +-- LengthRequired 411
    +-- TooLarge 413
    +-- RangeNotSatisfiable 416
    +-- Unprocessable 422     readable, but cannot be done as asked
    +-- Throttled 429
    +-- Unavailable 503       something the platform needs does not answer; try again

What a job or a file can fail with is the engine's catalog (`optimizers.spec.errors`); `catalog()` is both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from optimizers.spec.errors import CATALOG as ENGINE_CATALOG


@dataclass(frozen=True, slots=True)
class HttpErrorKind:
    """`status`: the HTTP status, or null for what a job or a version carries instead of a response."""

    code: str
    side: str
    status: int | None
    message: str
    hint: str
    retryable: bool = False


@dataclass(frozen=True, slots=True)
class FieldError:
    """`loc`: where in the request, for example ("body", "size_bytes")."""

    loc: tuple[str | int, ...]
    msg: str


_USER: dict[int, dict[str, tuple[str, str]]] = {
    400: {
        "BAD_REQUEST": (
            "The request cannot be understood.",
            "Compare it with the examples in the documentation.",
        ),
        "JSON_INVALID": ("The body is not valid JSON.", "Send one JSON object, UTF-8 encoded."),
        "CURSOR_INVALID": ("The cursor is not one that a list gave.", "Start without a cursor."),
        "IDEMPOTENCY_KEY_INVALID": (
            "The Idempotency-Key is empty, too long or not plain text.",
            "Use 1 to 200 printable ASCII characters, for example a UUID.",
        ),
    },
    401: {
        "NOT_SIGNED_IN": (
            "Sign in, or send a token.",
            "Send `Authorization: Bearer whst_...`; tokens are made on the tokens page.",
        ),
        "TOKEN_INVALID": (
            "The token is unknown, revoked or expired.",
            "Make a new token on the tokens page.",
        ),
        "HOST_CREDENTIAL_INVALID": (
            "The host's credential is unknown.",
            "Register the host again on the platform.",
        ),
    },
    403: {
        "FORBIDDEN": ("You may not do this.", "Ask an owner of the workspace."),
        "CSRF_FAILED": (
            "The CSRF token is missing or old.",
            "Reload the page; programs send a bearer token instead of a cookie.",
        ),
        "ROLE_TOO_LOW": (
            "Viewers cannot change anything.",
            "Ask an owner of the workspace for another role.",
        ),
        "LINK_INVALID": ("The link is not valid or has expired.", "Ask the platform for a new link."),
    },
    404: {
        "NOT_FOUND": ("There is no such thing here.", "Check the id and the workspace."),
    },
    405: {"METHOD_NOT_ALLOWED": ("This address does not take this method.", "See the documentation.")},
    409: {
        "IDEMPOTENCY_KEY_REUSED": (
            "This Idempotency-Key was used for another request.",
            "Use a new key for a new request.",
        ),
        "IDEMPOTENCY_IN_PROGRESS": (
            "A request with this Idempotency-Key is still being answered.",
            "Send the same request again in a moment.",
        ),
        "NAME_TAKEN": ("Another one has this name.", "Choose another name."),
        "MODEL_IN_USE": ("Runs of this model are still open.", "Wait for them or cancel them first."),
        "UPLOAD_NOT_RECEIVING": (
            "This upload has ended: it was completed, aborted or has expired.",
            "Start a new upload.",
        ),
        "VERSION_NOT_READY": (
            "This version is not ready to run.",
            "Wait for its inspection, or see why it was rejected.",
        ),
        "DATASET_NOT_READY": (
            "This dataset is not ready.",
            "Wait for its inspection, or see why it was rejected.",
        ),
        "RUN_ENDED": ("The run has ended.", "Retry the run."),
        "JOB_ENDED": ("The job has ended.", "Retry the job or the run."),
        "JOB_NOT_RETRYABLE": ("Only a job that ended without success can be retried.", "Wait for it to end."),
        "LEASE_LOST": ("The job's lease is no longer yours.", "Stop the work and write nothing."),
    },
    411: {"LENGTH_REQUIRED": ("The request does not say how long its body is.", "Send Content-Length.")},
    413: {
        "BODY_TOO_LARGE": (
            "The body is larger than 1 MiB.",
            "Files are uploaded in parts: see POST /uploads.",
        ),
        "FILE_TOO_LARGE": ("The file is larger than this platform takes.", "Upload a smaller file."),
    },
    416: {"RANGE_NOT_SATISFIABLE": ("The file has no such range.", "Ask for bytes that the file has.")},
    422: {
        "VALIDATION_FAILED": (
            "Some fields are not valid.",
            "See `errors`: each names a field and what it needs.",
        ),
        "FILENAME_INVALID": ("The file's name cannot be used.", "Use a plain file name without folders."),
        "PARTS_MISSING": ("Parts of the file have not arrived.", "Upload the parts that `errors` names."),
        "PART_NUMBER_INVALID": (
            "There is no part with this number.",
            "Parts are numbered from 1 to part_count.",
        ),
        "SIZE_MISMATCH": ("The bytes received are not the size that was stated.", "Upload the file again."),
        "NO_TARGET": ("There is no target to run on.", "Start a worker, or choose targets that are online."),
        "NO_RECIPE": ("There is no recipe to run.", "Choose at least one recipe."),
        "DIM_UNKNOWN": (
            "The model has no dynamic axis of this name.",
            "Use the names in the version's `dims`.",
        ),
        "PRICE_INVALID": (
            "This price cannot be used.",
            "Choose one from GET /prices, or state one per hour.",
        ),
    },
    429: {"THROTTLED": ("Too many requests.", "Wait as long as Retry-After says.")},
}
_SYSTEM: dict[int, dict[str, tuple[str, str]]] = {
    500: {
        "INTERNAL_ERROR": (
            "Something went wrong on our side.",
            "Try again; tell us the request_id if it stays.",
        )
    },
    503: {
        "UNAVAILABLE": ("The platform is not ready.", "Try again in a moment."),
        "FILES_UNAVAILABLE": ("The file store does not answer.", "Try again in a moment."),
    },
}


def _http_catalog() -> dict[str, HttpErrorKind]:
    kinds: dict[str, HttpErrorKind] = {}
    for side, table in (("user", _USER), ("system", _SYSTEM)):
        for status, rows in table.items():
            for code, (message, hint) in rows.items():
                retryable = status in {429, 500, 503} or code == "IDEMPOTENCY_IN_PROGRESS"
                kinds[code] = HttpErrorKind(code, side, status, message, hint, retryable)
    return kinds


HTTP_CATALOG: Mapping[str, HttpErrorKind] = _http_catalog()
# Engine codes that can also be said at the door, before any job: they are answered with this status.
_ENGINE_AT_THE_DOOR = 422


def catalog() -> dict[str, HttpErrorKind]:
    """Every code of the platform and of the engine, sorted. A code in both has the platform's status."""
    kinds = {
        code: HttpErrorKind(code, str(kind.side), None, kind.message, kind.hint, kind.retryable)
        for code, kind in ENGINE_CATALOG.items()
    }
    kinds.update(HTTP_CATALOG)
    return dict(sorted(kinds.items()))


def error_kind(code: str) -> HttpErrorKind:
    """The kind of a code, from the platform's catalog or else the engine's. KeyError for an unknown one."""
    if code in HTTP_CATALOG:
        return HTTP_CATALOG[code]
    kind = ENGINE_CATALOG[code]
    return HttpErrorKind(code, str(kind.side), _ENGINE_AT_THE_DOOR, kind.message, kind.hint, kind.retryable)


class WhetstoneError(Exception):
    """Base of the tree: raise a subclass with a code of the catalog.

    `detail` is a more exact sentence, `errors` say where in the request. Neither may hold a server's
    path or another tenant's data: both are shown.
    """

    status = 500

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        hint: str = "",
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = error_kind(code)
        if self.kind.status != self.status:
            raise ValueError(f"{code} has status {self.kind.status}, not {self.status}")
        self.code = code
        self.detail = detail or self.kind.message
        self.hint = hint or self.kind.hint
        self.errors = tuple(errors)
        self.headers = dict(headers or {})
        super().__init__(f"{code}: {self.detail}")


class BadRequest(WhetstoneError):
    status = 400


class Unauthorized(WhetstoneError):
    status = 401


class Forbidden(WhetstoneError):
    status = 403


class NotFound(WhetstoneError):
    """Also for what belongs to another workspace: a stranger must not learn that it exists."""

    status = 404

    def __init__(self, detail: str = "", *, hint: str = "") -> None:
        super().__init__("NOT_FOUND", detail, hint=hint)


class NotAllowed(WhetstoneError):
    status = 405


class Conflict(WhetstoneError):
    status = 409


class LengthRequired(WhetstoneError):
    status = 411


class TooLarge(WhetstoneError):
    status = 413


class RangeNotSatisfiable(WhetstoneError):
    status = 416


class Unprocessable(WhetstoneError):
    status = 422


class Throttled(WhetstoneError):
    status = 429


class InternalError(WhetstoneError):
    status = 500


class Unavailable(WhetstoneError):
    status = 503
