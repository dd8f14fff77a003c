"""What mail looks like over HTTP."""

from datetime import datetime

from ninja import Schema


class LocalMailOut(Schema):
    id: str
    to: str
    subject: str
    text: str
    html: str
    created_at: datetime


class LocalMailList(Schema):
    items: list[LocalMailOut]
