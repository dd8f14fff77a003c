"""The embedded platform's outbox."""

from django.conf import settings
from django.http import HttpRequest
from ninja import Router

from whetstone.alerts.queries import local_mail_newest
from whetstone.alerts.schemas import LocalMailList, LocalMailOut
from whetstone.core.errors import NotFound

router = Router(tags=["Mail"])


@router.get(
    "/local-mail",
    response=LocalMailList,
    auth=None,
    operation_id="local_mail_list",
    summary="List mail kept on this machine",
)
def local_mail_list(request: HttpRequest) -> LocalMailList:
    """Embedded mode only, else 404. No sign-in, so that a forgotten password can be reset; the embedded
    platform answers on loopback alone."""
    if not settings.LOCAL_MAIL:
        raise NotFound()
    return LocalMailList(items=[LocalMailOut.model_validate(mail) for mail in local_mail_newest()])
