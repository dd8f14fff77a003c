"""Pages that Django itself serves."""

from django.http import HttpRequest, HttpResponse

from whetstone.core.errors import Forbidden
from whetstone.core.problems import problem_response


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    return problem_response(Forbidden("CSRF_FAILED"))
