"""An import-linter contract of our own: a package may import the standard library and what is listed.

import-linter's `forbidden` contract names what must not be imported, so a library that nobody thought
of passes. `only` names what may be, so it does not.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


@dataclass(frozen=True)
class Violation:
    """One import statement that the contract does not allow."""

    importer: str
    imported: str
    line: int | None

    def __str__(self) -> str:
        return f"{self.importer} -> {self.imported} (l.{self.line})"


def is_inside(module: str, packages: list[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _names(field: object) -> list[str]:
    """import-linter puts the parsed value where the class has the field."""
    return [str(name) for name in field] if isinstance(field, list) else []


class OnlyContract(Contract):
    """`source` imports itself, the standard library and `allowed`; and the packages that it is in, since
    importing it runs them anyway.

    With `within`, only imports of those packages are looked at: everything else is free.
    """

    type_name = "only"

    source = fields.StringField()
    allowed = fields.ListField(subfield=fields.StringField(), required=False)
    within = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        source = str(self.source)
        if source not in graph.modules:
            raise ValueError(f"{source} does not exist")
        modules = {source} | graph.find_descendants(source)
        pairs = [(m, i) for m in sorted(modules) for i in sorted(graph.find_modules_directly_imported_by(m))]
        bad = [self._violation(graph, m, i) for m, i in pairs if not self._may_import(i)]
        return ContractCheck(kept=not bad, metadata={"violations": bad})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for violation in check.metadata["violations"]:
            output.print_error(f"- {violation}", bold=False)

    def _may_import(self, imported: str) -> bool:
        source, allowed, within = str(self.source), _names(self.allowed), _names(self.within)
        if is_inside(imported, [source, *allowed]) or is_inside(source, [imported]):
            return True
        if within:
            return not is_inside(imported, within)
        return imported.partition(".")[0] in sys.stdlib_module_names

    def _violation(self, graph: ImportGraph, importer: str, imported: str) -> Violation:
        details = graph.get_import_details(importer=importer, imported=imported)
        return Violation(importer, imported, details[0]["line_number"] if details else None)
