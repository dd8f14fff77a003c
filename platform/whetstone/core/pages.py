"""Pages that the web process serves itself: the built page, the documentation, refusals."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from whetstone.core.errors import Forbidden, catalog
from whetstone.core.middleware import MACHINE_PATHS
from whetstone.core.problems import error_from_status, problem_response

# Written out, not a catch-all: an address that the page does not know is a 404, for search engines too.
PAGE_ROUTES = (
    "",
    "sign-in",
    "sign-up",
    "reset-password",
    "reset-password/<str:key>",
    "verify-email/<str:key>",
    "models",
    "models/<str:model_id>",
    "versions/<str:version_id>",
    "versions/<str:version_id>/run",
    "uploads",
    "runs",
    "runs/<str:run_id>",
    "runs/<str:run_id>/comparison",
    "jobs/<str:job_id>",
    "targets",
    "prices",
    "tokens",
    "local-mail",
    "metrics-help",
)


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest, **parts: str) -> HttpResponse:
    """The single page's index.html, whatever the address; its router reads the address itself."""
    return _index(request, 200)


def _index(request: HttpRequest, status: int) -> HttpResponse:
    built = settings.FRONTEND_DIST / "index.html"
    if not built.is_file():
        return render(request, "core/not_built.html", status=503)
    response = HttpResponse(_read(built, built.stat().st_mtime_ns), status=status)
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _read(path: Path, modified: int) -> bytes:
    return path.read_bytes()


@require_safe
def errors_page(request: HttpRequest) -> HttpResponse:
    """Every error code with an anchor; a problem's `type` points here."""
    return render(request, "core/errors.html", {"kinds": list(catalog().values())})


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    return problem_response(Forbidden("CSRF_FAILED"))


def _refused(request: HttpRequest, status: int) -> HttpResponse:
    wants_page = "text/html" in request.headers.get("Accept", "")
    if status == 404 and wants_page and not request.path.startswith(MACHINE_PATHS):
        return _index(request, 404)
    return problem_response(error_from_status(status))


def refused_400(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _refused(request, 400)


def refused_403(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _refused(request, 403)


def refused_404(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _refused(request, 404)


def refused_500(request: HttpRequest) -> HttpResponse:
    return _refused(request, 500)
