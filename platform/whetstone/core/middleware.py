"""The outermost layers: an id and a log line for every request, size and character limits, problem+json."""

import logging
import re
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from whetstone.core.errors import BadRequest, TooLarge, WhetstoneError
from whetstone.core.ids import new_id
from whetstone.core.logs import request_id_var
from whetstone.core.problems import CONTENT_TYPE, error_from_status, problem_response

GetResponse = Callable[[HttpRequest], HttpResponseBase]
access_log = logging.getLogger("whetstone.access")
MACHINE_PATHS = ("/api/", "/internal/", "/files/", "/health/")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_QUIET = ("/health/", "/static/", "/internal/v1/hosts/heartbeat")


class RequestMiddleware:
    """Names the request, logs it in one line, and turns bare refusals of machine paths into problems."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        token = request_id_var.set(new_id("req"))
        started = time.perf_counter()
        try:
            response = self._as_problem(request, self.get_response(request))
            response["X-Request-Id"] = request_id_var.get()
            if "Content-Security-Policy" not in response:
                response["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY
            self._log(request, response, time.perf_counter() - started)
            return response
        finally:
            request_id_var.reset(token)

    def _as_problem(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code < 400 or not request.path.startswith(MACHINE_PATHS):
            return response
        if response.headers.get("Content-Type", "").startswith(CONTENT_TYPE):
            return response
        replaced = problem_response(error_from_status(response.status_code))
        for name in ("Allow", "Retry-After"):
            if name in response.headers:
                replaced[name] = response.headers[name]
        return replaced

    def _log(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        level = logging.DEBUG if request.path.startswith(_QUIET) else logging.INFO
        # A signed link is a credential while it lives; the log keeps none.
        path = "/files/..." if request.path.startswith("/files/") else request.path[:300]
        access_log.log(
            level,
            "%s %s %s",
            request.method,
            path,
            response.status_code,
            extra={"status": response.status_code, "ms": round(seconds * 1000, 1)},
        )


class GuardMiddleware:
    """Refuses by the request's head alone, before any of the body is read."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if refused := self._refusal(request):
            return problem_response(refused)
        return self.get_response(request)

    def _refusal(self, request: HttpRequest) -> WhetstoneError | None:
        if _CONTROL.search(request.path) or "%00" in request.META.get("QUERY_STRING", ""):
            return BadRequest("BAD_REQUEST", "The address holds a control character.")
        if request.path.startswith("/files/"):
            return None
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return TooLarge("BODY_TOO_LARGE")
        return None
