"""Every address of the platform, and the one place where the apps' routers meet."""

from importlib import import_module
from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

from whetstone.accounts.auth import API_AUTH
from whetstone.core.api import api_build

PUBLIC_APPS = ("accounts", "registry", "uploads", "fleet", "runs", "comparisons", "alerts")
INTERNAL_APPS = ("fleet", "runs")

api = api_build(namespace="api", auth=API_AUTH, public=True)
for app in PUBLIC_APPS:
    if find_spec(f"whetstone.{app}.api"):
        api.add_router("", import_module(f"whetstone.{app}.api").router)
# Each router names its own auth: the host's credential.
internal = api_build(namespace="internal", auth=None, public=False)
for app in INTERNAL_APPS:
    if find_spec(f"whetstone.{app}.internal_api"):
        internal.add_router("", import_module(f"whetstone.{app}.internal_api").router)

urlpatterns = [
    path("api/v1/", api.urls),
    path("internal/v1/", internal.urls),
    path("_allauth/", include("allauth.headless.urls")),
    path("admin/", admin.site.urls),
]
