"""Write the parts of docs/ that are lists in the code: errors, metrics, recipes, backends, endpoints.

    python scripts/generate_docs.py            write them
    python scripts/generate_docs.py --check    exit 1 when a page is not current

A page holds its generated part between two marker lines; the text around it is written by hand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from optimizers.search.recipes import BUILTIN  # noqa: E402
from optimizers.spec.metrics import METRICS  # noqa: E402
from optimizers.spec.recipe import Recipe, fingerprint  # noqa: E402
from whetstone.core.errors import HttpErrorKind, catalog  # noqa: E402

METHODS = ("get", "post", "put", "patch", "delete")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def errors() -> str:
    """One heading-like anchor per code: a problem's `type` and the page link to it."""

    def row(kind: HttpErrorKind) -> list[str]:
        status = str(kind.status) if kind.status else "-"
        retry = "yes" if kind.retryable else "no"
        return [f'<a id="{kind.code}"></a>`{kind.code}`', kind.side, status, kind.message, kind.hint, retry]

    return table(
        ["code", "side", "HTTP", "meaning", "next step", "retry helps"], map(row, catalog().values())
    )


def metrics() -> str:
    rows = [[f"`{m.name}`", m.title, m.unit or "-", m.direction, m.formula, m.description] for m in METRICS]
    return table(["name", "title", "unit", "better", "formula", "how it is taken"], rows)


def recipes() -> str:
    def row(recipe: Recipe) -> list[str]:
        options = ", ".join(f"{name}={value}" for name, value in sorted(recipe.options.items()))
        passes = ", ".join(item.name for item in recipe.passes) or "-"
        head = [f"`{recipe.id}`", recipe.backend, str(recipe.precision), passes, options or "-"]
        return [*head, recipe.description, f"`{fingerprint(recipe)}`"]

    head = ["id", "backend", "precision", "passes", "options", "what it does", "fingerprint"]
    return table(head, map(row, BUILTIN))


def backends() -> str:
    folders = (ROOT / "optimizers" / "backends").iterdir()
    rows = []
    for folder in sorted(path for path in folders if (path / "__init__.py").exists()):
        text = (folder / "__init__.py").read_text(encoding="utf-8")
        first = text.partition('"""')[2].partition('"""')[0].strip().partition("\n\n")[0]
        rows.append([f"`{folder.name}`", " ".join(first.split())])
    return table(["backend", "what it is"], rows)


def endpoints() -> str:
    document = json.loads((ROOT / "frontend" / "openapi.json").read_text(encoding="utf-8"))
    rows = []
    for path, item in sorted(document["paths"].items()):
        for method in (name for name in METHODS if name in item):
            operation = item[method]
            names = {parameter["name"] for parameter in operation.get("parameters", [])}
            repeat = "yes" if "Idempotency-Key" in names else ""
            rows.append([f"`{method.upper()} {path}`", operation.get("summary", ""), repeat])
    return table(["endpoint", "what it does", "Idempotency-Key"], rows)


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "errors": ("docs/errors.md", errors),
    "metrics": ("docs/metrics.md", metrics),
    "recipes": ("docs/recipes.md", recipes),
    "backends": ("docs/recipes.md", backends),
    "endpoints": ("docs/api.md", endpoints),
}


def replaced(text: str, name: str, content: str) -> str:
    """`text` with what stands between the markers of `name` exchanged; ValueError without markers."""
    start, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
    before, found_start, rest = text.partition(start)
    _, found_end, after = rest.partition(end)
    if not found_start or not found_end:
        raise ValueError(f"the markers of {name} are missing")
    return f"{before}{start}\n\n{content}\n\n{end}{after}"


def outdated() -> dict[Path, str]:
    """The pages that are not current, with what they should say."""
    pages: dict[Path, str] = {}
    for name, (page, write) in PARTS.items():
        path = ROOT / page
        pages[path] = replaced(pages.get(path) or path.read_text(encoding="utf-8"), name, write())
    return {path: text for path, text in pages.items() if path.read_text(encoding="utf-8") != text}


def main() -> int:
    pages = outdated()
    if "--check" in sys.argv:
        for path in pages:
            print(f"{path.relative_to(ROOT)} is not current: run `make fix`")
        return 1 if pages else 0
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
