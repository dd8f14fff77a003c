"""Sign-up, sign-in and passwords through allauth's headless interface, as the page uses it."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

import pytest
from django.core import mail
from django.test import Client

from tests.factories.accounts import PASSWORD
from whetstone.accounts.models import Membership, User, Workspace

pytestmark = pytest.mark.django_db


class Page:
    """A browser: cookies, and the CSRF token read from one of them."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8000"})
        self.client.get("/sign-in")

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        token = self.client.cookies["csrftoken"].value
        return self.client.generic(
            method,
            f"/_allauth/browser/v1{path}",
            json.dumps(body or {}),
            content_type="application/json",
            headers={"x-csrftoken": token},
        )

    def sign_up(self, email: str, password: str = PASSWORD) -> Any:
        return self.send("POST", "/auth/signup", {"email": email, "password": password})

    def sign_in(self, email: str, password: str = PASSWORD) -> Any:
        return self.send("POST", "/auth/login", {"email": email, "password": password})

    def me(self) -> Any:
        return self.client.get("/api/v1/me")


def link_in(message: Any) -> str:
    found = re.search(r"http://\S+", message.body)
    assert found, message.body
    return found[0]


def key_in(link: str) -> str:
    return unquote(link.rsplit("/", 1)[-1])


def test_signing_up_makes_a_workspace_and_signs_in() -> None:
    page = Page()
    assert page.sign_up("alice@example.com").status_code == 200
    me = page.me().json()
    assert me["user"]["email"] == "alice@example.com"
    assert me["workspace"]["role"] == "owner"
    assert [w["id"] for w in me["workspaces"]] == [me["workspace"]["id"]]
    assert Workspace.objects.count() == 1


def test_a_new_address_is_confirmed_through_the_pages_own_link() -> None:
    page = Page()
    page.sign_up("alice@example.com")
    link = link_in(mail.outbox[-1])
    assert link.startswith("http://127.0.0.1:8000/verify-email/")
    answer = page.send("POST", "/auth/email/verify", {"key": key_in(link)})
    assert answer.status_code in {200, 401}
    user = User.objects.get()
    assert user.emailaddress_set.get().verified  # type: ignore[attr-defined]


def test_signing_out_and_in_again() -> None:
    page = Page()
    page.sign_up("alice@example.com")
    assert page.send("DELETE", "/auth/session").status_code == 401
    assert page.me().status_code == 401
    assert page.sign_in("alice@example.com", "wrong password").status_code == 400
    assert page.me().status_code == 401
    assert page.sign_in("Alice@Example.com").status_code == 200
    assert page.me().json()["user"]["email"] == "alice@example.com"


@pytest.mark.parametrize("password", ["", "short", "password1234", "alice@example.com"])
def test_a_weak_password_is_refused(password: str) -> None:
    page = Page()
    assert page.sign_up("alice@example.com", password).status_code == 400
    assert User.objects.count() == 0


@pytest.mark.parametrize(
    "email",
    ["", "alice", "alice@", "a@b@c.d", "a@b.cd\r\nBcc: c@b.cd", "a" * 250 + "@b.cd"],
)
def test_what_is_no_address_gets_no_account_and_no_mail(email: str) -> None:
    page = Page()
    assert page.sign_up(email).status_code == 400
    assert User.objects.count() == 0
    assert mail.outbox == []


def test_an_address_signs_up_once() -> None:
    Page().sign_up("alice@example.com")
    assert Page().sign_up("ALICE@example.com").status_code == 400
    assert User.objects.count() == 1
    assert Membership.objects.count() == 1


def test_a_forgotten_password_is_reset_through_the_pages_own_link() -> None:
    Page().sign_up("alice@example.com")
    page = Page()
    assert page.send("POST", "/auth/password/request", {"email": "alice@example.com"}).status_code == 200
    link = link_in(mail.outbox[-1])
    assert link.startswith("http://127.0.0.1:8000/reset-password/")
    key = key_in(link)
    answer = page.send("POST", "/auth/password/reset", {"key": key, "password": "another long passphrase"})
    assert answer.status_code in {200, 401}
    assert Page().sign_in("alice@example.com").status_code == 400
    assert Page().sign_in("alice@example.com", "another long passphrase").status_code == 200
    again = page.send("POST", "/auth/password/reset", {"key": key, "password": "a third long passphrase"})
    assert again.status_code == 400


def test_an_unknown_address_is_answered_like_a_known_one() -> None:
    Page().sign_up("alice@example.com")
    known = Page().send("POST", "/auth/password/request", {"email": "alice@example.com"})
    unknown = Page().send("POST", "/auth/password/request", {"email": "nobody@example.com"})
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)


def test_guessing_passwords_is_stopped() -> None:
    Page().sign_up("alice@example.com")
    page = Page()
    statuses = [page.sign_in("alice@example.com", f"guess number {n}").status_code for n in range(15)]
    assert statuses[0] == 400
    assert 429 in statuses or page.sign_in("alice@example.com").status_code != 200


def test_the_headless_interface_wants_the_csrf_token() -> None:
    client = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1"})
    body = json.dumps({"email": "alice@example.com", "password": PASSWORD})
    answer = client.post("/_allauth/browser/v1/auth/signup", body, content_type="application/json")
    assert answer.status_code == 403
    assert User.objects.count() == 0
