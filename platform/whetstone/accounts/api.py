"""GET /me and the tokens."""

from datetime import timedelta

from django.conf import settings
from ninja import Query, Router, Status

from whetstone.accounts import queries, services
from whetstone.accounts.auth import ApiRequest
from whetstone.accounts.models import ApiToken, Membership
from whetstone.accounts.schemas import (
    FeaturesOut,
    MeOut,
    TokenCreatedOut,
    TokenIn,
    TokenOut,
    UserOut,
    WorkspaceOut,
)
from whetstone.core.idempotency import idempotent
from whetstone.core.pagination import PageOut, PageQuery, page_of

router = Router(tags=["Account"])


@router.get("/me", response=MeOut, operation_id="me", summary="Who am I")
def me(request: ApiRequest) -> MeOut:
    """The signed-in user, the workspace of this request and every workspace the user belongs to."""
    places = queries.memberships_of(request.user)
    here = next(place for place in places if place.workspace_id == request.workspace.pk)
    return MeOut(
        user=UserOut(id=str(request.user.pk), email=request.user.email, name=request.user.display_name),
        workspace=_workspace_out(here),
        workspaces=[_workspace_out(place) for place in places],
        features=FeaturesOut(local_mail=settings.LOCAL_MAIL),
    )


@router.get("/tokens", response=PageOut[TokenOut], operation_id="token_list", summary="List my tokens")
def token_list(request: ApiRequest, page: Query[PageQuery]) -> PageOut[TokenOut]:
    """Your own tokens in this workspace, without the secret part. Revoked ones are not listed."""
    rows = queries.tokens_of(request.workspace, request.user)
    found = page_of(rows, cursor=page.cursor, limit=page.limit)
    return PageOut[TokenOut](items=[_token_out(row) for row in found.items], next_cursor=found.next_cursor)


@router.post("/tokens", response={201: TokenCreatedOut}, operation_id="token_create", summary="Make a token")
@idempotent(status=201)
def token_create(request: ApiRequest, body: TokenIn) -> TokenCreatedOut:
    """The token works in this workspace only. Its text is in this answer and nowhere else."""
    new = services.token_create(
        workspace=request.workspace,
        user=request.user,
        name=body.name,
        lifetime=timedelta(days=body.expires_in_days) if body.expires_in_days else None,
    )
    return TokenCreatedOut(**_token_out(new.token).model_dump(), token=new.text)


@router.delete(
    "/tokens/{token_id}", response={204: None}, operation_id="token_revoke", summary="Revoke a token"
)
def token_revoke(request: ApiRequest, token_id: str) -> Status[None]:
    """From the next request on it is refused."""
    services.token_revoke(workspace=request.workspace, user=request.user, token_id=token_id)
    return Status(204, None)


def _workspace_out(place: Membership) -> WorkspaceOut:
    return WorkspaceOut(id=place.workspace_id, name=place.workspace.name, role=place.role)


def _token_out(token: ApiToken) -> TokenOut:
    return TokenOut(
        id=token.pk,
        name=token.name,
        prefix=token.prefix,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
    )
