"""A recipe: ordered passes, a backend and its options, with a fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from optimizers.spec.codec import dumps
from optimizers.spec.names import Precision

Scalar = str | int | float | bool


@dataclass(frozen=True)
class PassSpec:
    """One transformation, model to model, by its registered name."""

    name: str
    options: Mapping[str, bool | int | float | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """`id` and the texts are for people; the fingerprint is over what changes the result."""

    id: str
    label: str
    description: str
    backend: str
    precision: Precision
    passes: tuple[PassSpec, ...] = ()
    options: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    is_baseline: bool = False


def fingerprint(recipe: Recipe) -> str:
    """Sixteen hex digits that are equal exactly when two recipes ask for the same work."""
    work = (recipe.backend, recipe.precision, recipe.passes, recipe.options)
    return hashlib.sha256(dumps(work).encode()).hexdigest()[:16]
