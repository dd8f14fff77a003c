#!/usr/bin/env python
"""Django's command line. `platform/` is a folder on the path, never a package: see ARCHITECTURE."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main() -> None:
    # Appended, not prepended: nothing in platform/ may win over an installed package.
    sys.path.append(str(ROOT / "platform"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "whetstone.config.settings")
    if sys.argv[1:2] == ["up"]:  # the embedded platform brings its own settings
        os.environ.setdefault("WHETSTONE_EMBEDDED", "1")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
