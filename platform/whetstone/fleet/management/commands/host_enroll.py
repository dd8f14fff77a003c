"""`manage.py host_enroll NAME`: gives a machine its place in the fleet and prints its credential once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from whetstone.core.errors import Conflict
from whetstone.fleet.services import host_enroll


class Command(BaseCommand):
    help = "Enrols a host and prints its credential, which is shown this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="lower case letters, digits and dashes")
        parser.add_argument(
            "--replace", action="store_true", help="give a host that is enrolled already a new credential"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            new = host_enroll(name=options["name"], replace=options["replace"])
        except ValueError as fault:
            raise CommandError(str(fault)) from None
        except Conflict as conflict:
            raise CommandError(f"{conflict.detail} Use --replace to give it a new credential.") from None
        self.stdout.write(new.credential)
