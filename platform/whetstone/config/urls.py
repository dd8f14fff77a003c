"""Every address of the platform, and the one place where the apps' routers meet."""

from importlib import import_module
from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.http import require_safe

from whetstone.accounts.auth import API_AUTH
from whetstone.core import health, pages
from whetstone.core.api import api_build
from whetstone.core.catalog_api import router as catalog_router
from whetstone.core.files import files_view

PUBLIC_APPS = ("accounts", "uploads", "registry", "fleet", "runs", "comparisons", "alerts")
INTERNAL_APPS = ("fleet", "runs")

api = api_build(namespace="api", auth=API_AUTH)
for app in PUBLIC_APPS:
    if find_spec(f"whetstone.{app}.api"):
        api.add_router("", import_module(f"whetstone.{app}.api").router)
api.add_router("", catalog_router)
# Each router names its own auth: the host's credential.
internal = api_build(namespace="internal", auth=None)
for app in INTERNAL_APPS:
    if find_spec(f"whetstone.{app}.internal_api"):
        internal.add_router("", import_module(f"whetstone.{app}.internal_api").router)

urlpatterns = [
    path("api/v1/openapi.json", require_safe(api.document_view)),
    path("api/v1/docs", require_safe(api.docs_view)),
    path("api/v1/", api.urls),
    path("internal/v1/", internal.urls),
    path("files/<str:token>", files_view),
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("docs/errors", pages.errors_page),
    path("_allauth/", include("allauth.headless.urls")),
    path("admin/", admin.site.urls),
    *(path(route, pages.page) for route in pages.PAGE_ROUTES),
]
handler400 = "whetstone.core.pages.refused_400"
handler403 = "whetstone.core.pages.refused_403"
handler404 = "whetstone.core.pages.refused_404"
handler500 = "whetstone.core.pages.refused_500"
