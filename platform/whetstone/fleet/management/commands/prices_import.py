"""`manage.py prices_import [FILE]`: adds a CSV file of list prices to the price book."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from whetstone.fleet.domain import PriceBookInvalid, price_book_read
from whetstone.fleet.services import prices_import

BUNDLED = Path(__file__).resolve().parents[2] / "data" / "list_prices.csv"


class Command(BaseCommand):
    help = "Imports list prices; without FILE, the ones that come with Whetstone. Safe to run again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, default=BUNDLED)
        parser.add_argument(
            "--source", default="", help="what to show as the source; default: the file's name"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            with file.open(encoding="utf-8-sig", newline="") as text:
                lines = price_book_read(text)
        except OSError as fault:
            raise CommandError(f"{file}: {fault.strerror}") from None
        except UnicodeDecodeError:
            raise CommandError(f"{file}: not UTF-8 text") from None
        except PriceBookInvalid as invalid:
            raise CommandError(f"{file}: nothing was imported\n{invalid}") from None
        done = prices_import(lines=lines, source=(options["source"] or file.name)[:200])
        self.stdout.write(
            f"{len(lines)} prices: {done.created} new, {done.changed} changed, {done.unchanged} as before"
        )
