"""Tokens: shown once, one workspace each, revoked at once."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from tests.factories.accounts import Api, api_with_token, member_add, user_make, workspace_make
from whetstone.accounts.models import ApiToken, Membership
from whetstone.accounts.services import token_create
from whetstone.core.clock import db_now


def with_token(text: str, **headers: str) -> Client:
    return Client(headers={"host": "127.0.0.1", "authorization": f"Bearer {text}", **headers})


def test_a_token_is_shown_once_and_works(alice: Api) -> None:
    created = alice.post("/tokens", {"name": "ci", "expires_in_days": 30}).json()
    assert re.fullmatch(r"whst_[A-Za-z0-9]{40}", created["token"])
    assert created["token"].startswith(created["prefix"])
    listed = alice.get("/tokens").json()["items"]
    assert [t["id"] for t in listed] == [created["id"]]
    assert "token" not in listed[0]
    me = with_token(created["token"]).get("/api/v1/me").json()
    assert me["user"]["email"] == alice.user.email
    assert me["workspace"]["id"] == alice.workspace.pk


def test_a_revoked_token_is_refused_from_the_next_request_on(alice: Api) -> None:
    created = alice.post("/tokens", {"name": "ci"}).json()
    assert alice.delete(f"/tokens/{created['id']}").status_code == 204
    refused = with_token(created["token"]).get("/api/v1/me")
    assert (refused.status_code, refused.json()["code"]) == (401, "TOKEN_INVALID")
    assert alice.delete(f"/tokens/{created['id']}").status_code == 404
    assert alice.get("/tokens").json()["items"] == []


def test_an_expired_token_is_refused(alice: Api) -> None:
    created = alice.post("/tokens", {"name": "ci", "expires_in_days": 1}).json()
    ApiToken.objects.update(expires_at=db_now() - timedelta(seconds=1))
    assert with_token(created["token"]).get("/api/v1/me").status_code == 401


def test_a_token_ends_with_its_users_membership_or_account(alice: Api, bob: Api) -> None:
    robot = api_with_token(bob.user, bob.workspace)
    assert robot.get("/me").status_code == 200
    Membership.objects.filter(user=bob.user).delete()
    assert robot.get("/me").status_code == 401
    robot = api_with_token(alice.user, alice.workspace)
    alice.user.is_active = False
    alice.user.save()
    assert robot.get("/me").status_code == 401


def test_a_token_works_in_its_own_workspace_only(alice: Api) -> None:
    other = workspace_make(alice.user)
    text = token_create(workspace=alice.workspace, user=alice.user, name="ci", lifetime=None).text
    stays = with_token(text, **{"whetstone-workspace": alice.workspace.pk}).get("/api/v1/me")
    assert stays.json()["workspace"]["id"] == alice.workspace.pk
    refused = with_token(text, **{"whetstone-workspace": other.pk}).get("/api/v1/me")
    assert refused.status_code == 404


def test_a_wrong_token_does_not_fall_back_to_the_cookie(alice: Api) -> None:
    answer = alice.get("/me", headers={"authorization": "Bearer whst_" + "0" * 40})
    assert answer.status_code == 401


@pytest.mark.parametrize("value", ["Bearer", "Bearer \u00e9", "Basic YTpi", "Bearer " + "x" * 8000, "whst_x"])
@pytest.mark.django_db
def test_odd_authorization_headers_are_401(value: str) -> None:
    answer = Client(headers={"host": "127.0.0.1", "authorization": value}).get("/api/v1/me")
    assert answer.status_code == 401


def test_use_is_noted_at_most_once_a_minute(alice: Api) -> None:
    robot = api_with_token(alice.user, alice.workspace)
    robot.get("/me")
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    robot.get("/me")
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(seconds=61))
    robot.get("/me")
    latest = ApiToken.objects.get().last_used_at
    assert latest is not None
    assert latest >= first


def test_the_page_chooses_its_workspace_by_a_header(alice: Api) -> None:
    guest = user_make("guest")
    elsewhere = workspace_make(guest, name="Elsewhere")
    assert alice.get("/me", headers={"whetstone-workspace": elsewhere.pk}).status_code == 404
    member_add(elsewhere, alice.user)
    me = alice.get("/me", headers={"whetstone-workspace": elsewhere.pk}).json()
    assert (me["workspace"]["name"], me["workspace"]["role"]) == ("Elsewhere", "member")
    assert len(me["workspaces"]) == 2
    assert alice.get("/me").json()["workspace"]["id"] == alice.workspace.pk
