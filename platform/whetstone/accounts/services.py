"""Writes of accounts: workspaces and tokens."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.text import slugify

from whetstone.accounts.domain import SHOWN_LETTERS, USED_AT_STEP, token_hash, token_make
from whetstone.accounts.models import ApiToken, Membership, Role, User, Workspace
from whetstone.core.clock import db_now
from whetstone.core.errors import NotFound


@dataclass(frozen=True, slots=True)
class NewToken:
    """`text` exists here only: the database keeps its hash."""

    token: ApiToken
    text: str


@transaction.atomic
def workspace_create(*, name: str, owner: User) -> Workspace:
    slug = f"{slugify(name)[:45] or 'workspace'}-{secrets.token_hex(4)}"
    workspace = Workspace.objects.create(name=name[:100], slug=slug)
    Membership.objects.create(workspace=workspace, user=owner, role=Role.OWNER)
    return workspace


@transaction.atomic
def token_create(*, workspace: Workspace, user: User, name: str, lifetime: timedelta | None) -> NewToken:
    text = token_make()
    now = db_now()
    token = ApiToken.objects.create(
        workspace=workspace,
        user=user,
        name=name,
        prefix=text[:SHOWN_LETTERS],
        hash=token_hash(text),
        created_at=now,
        expires_at=now + lifetime if lifetime else None,
    )
    return NewToken(token, text)


def token_revoke(*, workspace: Workspace, user: User, token_id: str) -> None:
    """NotFound unless it is this user's own token in this workspace, not revoked before."""
    changed = ApiToken.objects.filter(
        workspace=workspace, user=user, pk=token_id, revoked_at__isnull=True
    ).update(revoked_at=db_now())
    if not changed:
        raise NotFound()


def token_touch(*, token: ApiToken, now: datetime) -> None:
    """Notes that a token was used, at most once a minute: a busy program must not write on every read."""
    if token.last_used_at is None or now - token.last_used_at >= USED_AT_STEP:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
