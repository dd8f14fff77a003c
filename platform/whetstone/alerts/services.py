"""Mail that leaves because something happened. Each is named by its effect and leaves once."""

from dataclasses import dataclass
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from whetstone.runs.models import Run

SUBJECT_LENGTH = 150


@dataclass(frozen=True, slots=True)
class FailedJob:
    label: str
    target: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class RunEndedMail:
    """What the templates show."""

    model: str
    version: int
    run: str
    state: str
    headline: str
    failed: tuple[FailedJob, ...]
    link: str


def mail_run_ended_send(*, run_id: str) -> bool:
    """Tells who started the run how it ended. False: nobody is left to tell.

    The Message-ID is the effect's, so that a second send after a lost answer is the same message.
    """
    run = (
        Run.objects.select_related("user", "version__model").filter(pk=run_id, ended_at__isnull=False).first()
    )
    if run is None or run.user is None or not run.user.email:
        return False
    context = {"mail": _mail_of(run)}
    message = EmailMultiAlternatives(
        subject=_subject(run),
        body=render_to_string("alerts/run_ended.txt", context),
        to=[run.user.email],
        headers={"Message-ID": f"<run-ended.{run.pk}@{_domain()}>", "Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(render_to_string("alerts/run_ended.html", context), "text/html")
    message.send()
    return True


def _domain() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


def _subject(run: Run) -> str:
    headline = str((run.summary or {}).get("headline") or f"The run ended: {run.state}")
    text = f"{run.version.model.name}: {headline}"
    return "".join(c if c.isprintable() else " " for c in text)[:SUBJECT_LENGTH]


def _mail_of(run: Run) -> RunEndedMail:
    summary: dict[str, Any] = run.summary or {}
    failed = tuple(
        FailedJob(item["label"], item["target"], item["code"], item["message"])
        for item in summary.get("failed", [])
    )
    return RunEndedMail(
        model=run.version.model.name,
        version=run.version.number,
        run=run.name or run.pk,
        state=str(run.state).replace("_", " "),
        headline=summary.get("headline") or f"The run ended: {run.state}.",
        failed=failed,
        link=f"{settings.WHETSTONE_PUBLIC_URL}/runs/{run.pk}/comparison",
    )
