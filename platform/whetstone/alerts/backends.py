"""Where the embedded platform's mail goes: into the database, for the page to show."""

from collections.abc import Sequence

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from whetstone.alerts.models import LocalMail


class LocalOutboxBackend(BaseEmailBackend):
    """Stores what it should send; a Message-ID that is there already is not stored again."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        return sum(_store(message) for message in email_messages)


def _store(message: EmailMessage) -> int:
    html = ""
    if isinstance(message, EmailMultiAlternatives):
        html = next((str(part[0]) for part in message.alternatives if part[1] == "text/html"), "")
    fields = {
        "to": ", ".join(message.recipients())[:1000],
        "subject": str(message.subject)[:500],
        "text": str(message.body),
        "html": html,
    }
    LocalMail.objects.get_or_create(message_id=str(message.message()["Message-ID"])[:200], defaults=fields)
    return 1
