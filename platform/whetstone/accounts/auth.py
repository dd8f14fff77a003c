"""Who is asking, and in which workspace: the session cookie with CSRF, or a bearer token.

Either way the request carries `user`, `workspace` and `role` afterwards.
"""

from datetime import datetime

from django.conf import settings
from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from whetstone.accounts.models import ApiToken, Membership, Role, User, Workspace
from whetstone.accounts.queries import membership_for, token_by_text
from whetstone.accounts.services import token_touch
from whetstone.core.clock import db_now
from whetstone.core.errors import Forbidden, NotFound, Unauthorized

WORKSPACE_HEADER = "Whetstone-Workspace"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class ApiRequest(HttpRequest):
    """What a view of the public interface gets. A type only: the auth classes set the fields."""

    user: User
    workspace: Workspace
    role: str


class BearerToken(HttpBearer):
    """`Authorization: Bearer whst_...`"""

    def authenticate(self, request: HttpRequest, token: str) -> User:
        found = token_by_text(token)
        now = db_now()
        if found is None or _is_over(found, now):
            raise Unauthorized("TOKEN_INVALID")
        wanted = request.headers.get(WORKSPACE_HEADER)
        if wanted and wanted != found.workspace_id:
            raise NotFound("This token does not belong to that workspace.")
        membership = membership_for(found.user, found.workspace_id)
        if membership is None:
            raise Unauthorized("TOKEN_INVALID")
        token_touch(token=found, now=now)
        return _enter(request, membership)


class SessionCookie(APIKeyCookie):
    """The page's session cookie; anything but a read also needs `X-CSRFToken`."""

    param_name = settings.SESSION_COOKIE_NAME

    def __call__(self, request: HttpRequest) -> User | None:
        if not isinstance(request.user, User) or not request.user.is_active:
            return None
        if check_csrf(request):
            raise Forbidden("CSRF_FAILED")
        return self.authenticate(request, None)

    def authenticate(self, request: HttpRequest, key: str | None) -> User:
        assert isinstance(request.user, User)
        membership = membership_for(request.user, request.headers.get(WORKSPACE_HEADER))
        if membership is None:
            raise NotFound("You are not a member of that workspace.")
        return _enter(request, membership)


# A token that is present decides alone: a wrong token must not fall back to a cookie.
API_AUTH = (BearerToken(), SessionCookie())


def _is_over(token: ApiToken, now: datetime) -> bool:
    expired = token.expires_at is not None and token.expires_at <= now
    return token.revoked_at is not None or expired or not token.user.is_active


def _enter(request: HttpRequest, membership: Membership) -> User:
    if membership.role == Role.VIEWER and request.method not in SAFE_METHODS:
        raise Forbidden("ROLE_TOO_LOW")
    request.user = membership.user
    request.workspace = membership.workspace  # type: ignore[attr-defined]
    request.role = membership.role  # type: ignore[attr-defined]
    return membership.user
