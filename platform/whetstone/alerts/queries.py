"""Reads of mail that stayed here."""

from whetstone.alerts.models import LocalMail

SHOWN = 100


def local_mail_newest() -> list[LocalMail]:
    """The newest hundred, newest first."""
    return list(LocalMail.objects.order_by("-id")[:SHOWN])
