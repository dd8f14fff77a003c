"""Cursor pages: the cursor is the last id seen, and ids sort by creation, newest first."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from ninja import Query, Schema
from pydantic import Field

from whetstone.core.errors import BadRequest
from whetstone.core.ids import is_id

RowT = TypeVar("RowT", bound=Model)
ItemT = TypeVar("ItemT")
OtherT = TypeVar("OtherT")

CursorParam = Annotated[
    str | None, Query(None, max_length=60, description="`next_cursor` of the page before")
]
LimitParam = Annotated[int, Query(50, ge=1, le=100, description="Items per page")]


class PageQuery(Schema):
    """Use as `page: Query[PageQuery]` in a view."""

    cursor: str | None = Field(None, max_length=60, description="The `next_cursor` of the page before.")
    limit: int = Field(50, ge=1, le=100, description="Items on a page.")


class PageOut(Schema, Generic[ItemT]):
    """One page of a list, newest first."""

    items: list[ItemT]
    next_cursor: str | None = Field(description="Send it as `cursor` to get the next page; null on the last.")


@dataclass(frozen=True, slots=True)
class Page(Generic[ItemT]):
    items: list[ItemT]
    next_cursor: str | None

    def map(self, shape: Callable[[ItemT], OtherT]) -> "Page[OtherT]":
        return Page([shape(item) for item in self.items], self.next_cursor)


def page_of(rows: QuerySet[RowT, Any], *, cursor: str | None, limit: int) -> Page[RowT]:
    """The `limit` rows after `cursor`. One query. BadRequest("CURSOR_INVALID") for what is not a cursor."""
    if cursor:
        if not is_id(cursor):
            raise BadRequest("CURSOR_INVALID")
        rows = rows.filter(pk__lt=cursor)
    found = list(rows.order_by("-pk")[: limit + 1])
    more = len(found) > limit
    return Page(found[:limit], str(found[limit - 1].pk) if more else None)
