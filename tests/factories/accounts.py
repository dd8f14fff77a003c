"""The cast: Alice and Bob share a workspace, Charlie is a stranger with one of his own."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

from whetstone.accounts.models import Membership, Role, User, Workspace
from whetstone.accounts.services import token_create, workspace_create

PASSWORD = "correct horse battery staple"
_numbers = itertools.count(1)


def user_make(name: str = "user", *, password: str | None = None) -> User:
    """A user without a workspace; `password` None means that nobody can sign in with one (and is fast)."""
    return User.objects.create_user(f"{name}{next(_numbers)}@example.com", password, name=name.title())


def workspace_make(owner: User, *others: User, name: str = "") -> Workspace:
    workspace = workspace_create(name=name or f"{owner.name}'s workspace", owner=owner)
    for other in others:
        member_add(workspace, other)
    return workspace


def member_add(workspace: Workspace, user: User, role: Role = Role.MEMBER) -> Membership:
    return Membership.objects.create(workspace=workspace, user=user, role=role)


@dataclass(frozen=True)
class Api:
    """One user's way to the public interface: JSON in, Django's test response out (`.json()`)."""

    client: Client
    user: User
    workspace: Workspace

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(f"/api/v1{path}", **options)

    def delete(self, path: str, **options: Any) -> Any:
        return self.client.delete(f"/api/v1{path}", **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        return self._send("post", path, body, **options)

    def put(self, path: str, body: Any = None, **options: Any) -> Any:
        return self._send("put", path, body, **options)

    def patch(self, path: str, body: Any = None, **options: Any) -> Any:
        return self._send("patch", path, body, **options)

    def _send(self, method: str, path: str, body: Any, **options: Any) -> Any:
        text = b"" if body is None else json.dumps(body).encode()
        send = getattr(self.client, method)
        return send(f"/api/v1{path}", text, content_type="application/json", **options)


def api_signed_in(user: User, workspace: Workspace) -> Api:
    """Through the page's session cookie."""
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    return Api(client, user, workspace)


def api_with_token(user: User, workspace: Workspace, *, csrf: bool = True) -> Api:
    """Through a bearer token, with CSRF checks on: a token must not need them."""
    text = token_create(workspace=workspace, user=user, name="test", lifetime=None).text
    headers = {"host": "127.0.0.1", "authorization": f"Bearer {text}"}
    return Api(Client(enforce_csrf_checks=csrf, headers=headers), user, workspace)


@dataclass(frozen=True)
class Cast:
    alice: Api
    bob: Api
    charlie: Api


def cast_make() -> Cast:
    alice, bob, charlie = user_make("alice"), user_make("bob"), user_make("charlie")
    shared, own = workspace_make(alice, bob), workspace_make(charlie)
    return Cast(api_signed_in(alice, shared), api_signed_in(bob, shared), api_signed_in(charlie, own))
