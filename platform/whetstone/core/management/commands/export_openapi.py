"""Writes the public interface's document, sorted, so that it changes only when the interface does."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string


class Command(BaseCommand):
    help = "Write frontend/openapi.json from the views (--check: only say whether it is up to date)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--output", type=Path, default=settings.ROOT / "frontend" / "openapi.json")
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        document = import_string("whetstone.config.urls.api").document
        text = json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        path: Path = options["output"]
        if not options["check"]:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            self.stderr.write(f"{path.name} is not up to date: python manage.py export_openapi")
            raise SystemExit(1)
