"""Is frontend/openapi.json what the views say, and schema.d.ts what openapi.json says?

python scripts/openapi_drift.py            exit 1 and a diff when not
python scripts/openapi_drift.py --write    make them so
"""

from __future__ import annotations

import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"
DOCUMENT = FRONTEND / "openapi.json"
TYPES = FRONTEND / "src" / "api" / "schema.d.ts"
GENERATOR = FRONTEND / "node_modules" / ".bin" / "openapi-typescript"


def export_document(path: Path) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "export_openapi", "--output", str(path)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def export_types(document: Path, path: Path) -> None:
    command = [str(GENERATOR), str(document), "-o", str(path), "--default-non-nullable=false"]
    subprocess.run(command, cwd=FRONTEND, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def differences(committed: Path, generated: Path) -> list[str]:
    old = committed.read_text(encoding="utf-8").splitlines() if committed.exists() else []
    new = generated.read_text(encoding="utf-8").splitlines()
    name = str(committed.relative_to(ROOT))
    return list(difflib.unified_diff(old, new, name, f"{name} (generated now)", lineterm="", n=1))


def main() -> int:
    if "--write" in sys.argv:
        export_document(DOCUMENT)
        export_types(DOCUMENT, TYPES)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        document, types = Path(folder) / "openapi.json", Path(folder) / "schema.d.ts"
        export_document(document)
        export_types(document, types)
        drift = [*differences(DOCUMENT, document), *differences(TYPES, types)]
    if drift:
        print("\n".join(drift[:60]))
        print("The page's types are older than the interface: run `make fix`.")
    return 1 if drift else 0


if __name__ == "__main__":
    sys.exit(main())
