"""Builds the HTTP interface. It knows no app: `config.urls` puts the apps' routers together."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI

from whetstone.core.json_body import BodyParser
from whetstone.core.openapi import document_finish
from whetstone.core.problems import error_from_exception, problem_response

DESCRIPTION = """\
Upload a model, start a run, read the comparison. Everything that the page does, it does through this interface.

**Signing in.** Send `Authorization: Bearer whst_...`; tokens are made on the tokens page. A token belongs to one
workspace. The page itself uses its session cookie with `X-CSRFToken`.

**Lists** answer `{"items": [...], "next_cursor": ...}`, newest first; send `next_cursor` back as `cursor`.

**Errors** are `application/problem+json` with a stable `code`; see [the error codes](/docs/errors).

**Sending a POST twice** is safe with an `Idempotency-Key`: the second one gets the first one's answer.
"""


class WhetstoneAPI(NinjaAPI):
    def get_openapi_schema(self, **options: Any) -> Any:
        return document_finish(super().get_openapi_schema(**options))

    def on_exception(self, request: HttpRequest, exc: Any) -> HttpResponse:
        return problem_response(error_from_exception(exc))


def api_build(
    *, namespace: str, auth: Sequence[Callable[[HttpRequest], object]] | None, public: bool
) -> WhetstoneAPI:
    """`public`: whether it has a document at `openapi.json`. The runners' interface has none."""
    return WhetstoneAPI(
        title="Whetstone",
        version="1",
        description=DESCRIPTION,
        urls_namespace=namespace,
        openapi_url="/openapi.json" if public else None,
        docs_url=None,
        auth=auth,
        parser=BodyParser(),
    )
