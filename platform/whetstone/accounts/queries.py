"""Reads of accounts."""

from typing import Any

from django.db.models import QuerySet

from whetstone.accounts.domain import token_hash
from whetstone.accounts.models import ApiToken, Membership, User, Workspace


def membership_for(user: User, workspace_id: str | None) -> Membership | None:
    """The user's place in that workspace, or in their first one."""
    places = Membership.objects.filter(user=user).select_related("workspace", "user").order_by("pk")
    if workspace_id:
        places = places.filter(workspace_id=workspace_id[:40])
    return places.first()


def memberships_of(user: User) -> list[Membership]:
    return list(Membership.objects.filter(user=user).select_related("workspace").order_by("pk"))


def token_by_text(text: str) -> ApiToken | None:
    return ApiToken.objects.filter(hash=token_hash(text)).select_related("user").first()


def tokens_of(workspace: Workspace, user: User) -> QuerySet[ApiToken, Any]:
    """The user's own live tokens in this workspace."""
    return ApiToken.objects.filter(workspace=workspace, user=user, revoked_at__isnull=True)
