"""A real SMTP server that demands AUTH and keeps what it is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.servers.processes import free_port


@dataclass
class ReceivedMail:
    """One accepted message: the envelope's addresses and the parsed content."""

    sender: str
    recipients: list[str]
    message: EmailMessage


@dataclass
class SmtpServer:
    """Where the server listens, whom it lets in, and what it has received so far."""

    host: str
    port: int
    user: str
    password: str
    messages: list[ReceivedMail] = field(default_factory=list)
    refuse_with: str | None = None

    @property
    def url(self) -> str:
        """The value for WHETSTONE_EMAIL_URL."""
        return f"smtp://{self.user}:{self.password}@{self.host}:{self.port}"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.refuse_with:
            return self.refuse_with
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        message = BytesParser(policy=default).parsebytes(content)
        assert isinstance(message, EmailMessage)
        self.messages.append(ReceivedMail(envelope.mail_from or "", list(envelope.rcpt_tos), message))
        return "250 kept"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        known = (
            isinstance(data, LoginPassword)
            and data.login.decode() == self.user
            and data.password.decode() == self.password
        )
        return AuthResult(success=known)


@contextmanager
def smtp_server() -> Iterator[SmtpServer]:
    server = SmtpServer("127.0.0.1", free_port(), "whetstone", "a-password-of-the-tests")
    controller = Controller(
        server,
        hostname=server.host,
        port=server.port,
        authenticator=server.authenticate,
        auth_required=True,
        auth_require_tls=False,
    )
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
