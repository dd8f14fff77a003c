"""What accounts say over HTTP."""

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from whetstone.core.text import PlainName


class UserOut(Schema):
    id: str
    email: str = Field(examples=["alice@example.com"])
    name: str


class WorkspaceOut(Schema):
    id: str = Field(examples=["ws_01k6q0000000000000000000aa"])
    name: str
    role: str = Field(examples=["owner"])


class FeaturesOut(Schema):
    local_mail: bool = Field(description="Mail stays on this machine and is shown by GET /local-mail.")


class MeOut(Schema):
    user: UserOut
    workspace: WorkspaceOut = Field(description="The workspace of this request.")
    workspaces: list[WorkspaceOut]
    features: FeaturesOut


class TokenIn(Schema):
    name: PlainName = Field(description="Where the token is used.", examples=["ci"])
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = Field(
        None, description="Left out: the token does not expire.", examples=[90]
    )


class TokenOut(Schema):
    id: str
    name: str
    prefix: str = Field(
        description="The token's first letters, to tell it from others.", examples=["whst_h2Xk9a"]
    )
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None = Field(description="To the minute.")


class TokenCreatedOut(TokenOut):
    token: str = Field(description="The whole token. It is shown this once.")
