"""GET /errors: every code, for programs."""

from typing import Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from whetstone.core.errors import catalog

router = Router(tags=["Reference"])


class ErrorInfo(Schema):
    code: str = Field(examples=["PARTS_MISSING"])
    side: Literal["user", "system", "limit"] = Field(description="Who can mend it: you, us, or a limit.")
    status: int | None = Field(description="The HTTP status, or null for what a job or version carries.")
    message: str
    hint: str = Field(description="What to do next.")
    retryable: bool = Field(description="Whether the same request or job can end differently.")


class ErrorInfos(Schema):
    items: list[ErrorInfo]


@router.get(
    "/errors", response=ErrorInfos, auth=None, operation_id="error_list", summary="List the error codes"
)
def error_list(request: HttpRequest) -> ErrorInfos:
    """Codes are stable. The same list is a page at /docs/errors."""
    return ErrorInfos(
        items=[ErrorInfo.model_validate(kind, from_attributes=True) for kind in catalog().values()]
    )
