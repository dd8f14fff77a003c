"""Let the real Compose read docker-compose.yml, with the values that it requires and without them.

Without them it must refuse: a platform that starts with an empty password is worse than none.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import compose

ROOT = Path(__file__).resolve().parent.parent
# Not the `docker-compose` script beside Python: that one exits with 0 whatever happens.
COMPOSE = Path(compose.__file__).parent / "docker-compose"


def compose_config(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [str(COMPOSE), "--env-file", os.devnull, "-f", str(ROOT / "docker-compose.yml"), "config", "-q"]
    clean = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **environment}
    return subprocess.run(command, env=clean, capture_output=True, text=True, check=False, cwd=ROOT)


def main() -> int:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    required = sorted(set(re.findall(r"\$\{([A-Z0-9_]+):\?", text)))
    filled = compose_config(dict.fromkeys(required, "value-of-the-check"))
    if filled.returncode != 0:
        print(filled.stderr, end="")
        return 1
    for name in required:
        others = {other: "value-of-the-check" for other in required if other != name}
        if compose_config(others).returncode == 0:
            print(f"docker-compose.yml starts without {name}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
