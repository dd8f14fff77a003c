"""Builds the HTTP interface. It knows no app: `config.urls` puts the apps' routers together."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from ninja import NinjaAPI

from whetstone.core.docs import groups_of, schemas_of
from whetstone.core.json_body import BodyParser
from whetstone.core.openapi import JsonObject, document_finish
from whetstone.core.problems import error_from_exception, problem_response

WALKTHROUGH = Path(__file__).with_name("walkthrough.sh")
DESCRIPTION = """\
Upload a model, start a run, read the comparison. Everything that the page does, it does through \
this interface.

**Signing in.** Send `Authorization: Bearer whst_...`; tokens are made on the tokens page. A token \
belongs to one workspace. The page itself uses its session cookie with `X-CSRFToken`.

**Lists** answer `{"items": [...], "next_cursor": ...}`, newest first; send `next_cursor` back as `cursor`.

**Errors** are `application/problem+json` with a stable `code`; see /docs/errors.

**Sending a POST twice** is safe with an `Idempotency-Key`: the second one gets the first one's answer.
"""


class WhetstoneAPI(NinjaAPI):
    """Ninja's, with our errors and a finished document."""

    @cached_property
    def document(self) -> JsonObject:
        return document_finish(dict(self.get_openapi_schema()), idempotent=self._idempotent())

    def on_exception(self, request: HttpRequest, exc: Any) -> HttpResponse:
        return problem_response(error_from_exception(exc))

    def document_view(self, request: HttpRequest) -> HttpResponse:
        return JsonResponse(self.document)

    def docs_view(self, request: HttpRequest) -> HttpResponse:
        plain = re.sub(r"[*`]", "", DESCRIPTION)
        context = {
            "introduction": plain.strip().split("\n\n"),
            "origin": request.build_absolute_uri("/").rstrip("/"),
            "walkthrough": WALKTHROUGH.read_text(encoding="utf-8"),
            "groups": groups_of(self.document),
            "schemas": schemas_of(self.document),
        }
        return render(request, "core/docs.html", context)

    def _idempotent(self) -> frozenset[str]:
        return frozenset(
            operation.operation_id
            for bound in self._get_bound_routers()
            for path_view in bound.path_operations.values()
            for operation in path_view.operations
            if operation.operation_id and hasattr(operation.view_func, "idempotent")
        )


def api_build(*, namespace: str, auth: Sequence[Callable[[HttpRequest], object]] | None) -> WhetstoneAPI:
    return WhetstoneAPI(
        title="Whetstone",
        version="1",
        description=DESCRIPTION,
        urls_namespace=namespace,
        openapi_url=None,
        docs_url=None,
        auth=auth,
        parser=BodyParser(),
    )
