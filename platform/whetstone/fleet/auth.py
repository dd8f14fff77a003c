"""Which host is asking: `Authorization: Host <credential>`, for the internal interface alone."""

from django.http import HttpRequest

from whetstone.core.errors import Unauthorized
from whetstone.fleet.models import Host
from whetstone.fleet.queries import host_by_credential

SCHEME = "Host "


class HostRequest(HttpRequest):
    """What a view of the internal interface gets. A type only: `host_auth` sets the field."""

    auth: Host


def host_auth(request: HttpRequest) -> Host:
    """The host whose credential it is. Unauthorized("HOST_CREDENTIAL_INVALID") for anything else."""
    header = request.headers.get("Authorization", "")
    host = host_by_credential(header.removeprefix(SCHEME)) if header.startswith(SCHEME) else None
    if host is None:
        raise Unauthorized("HOST_CREDENTIAL_INVALID")
    return host
