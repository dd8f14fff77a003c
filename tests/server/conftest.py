"""For the platform's tests: the cast, and nothing left over from the test before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

# Pytest reads this file before Django is set up, so what needs Django is imported when it is used.
if TYPE_CHECKING:
    from tests.factories.accounts import Api, Cast


@pytest.fixture(autouse=True)
def _fresh_limits() -> Iterator[None]:
    """Sign-in limits live in the cache, which no transaction rolls back."""
    from django.core.cache import cache

    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def everybody(db: None) -> Cast:
    from tests.factories.accounts import cast_make

    return cast_make()


@pytest.fixture
def alice(everybody: Cast) -> Api:
    return everybody.alice


@pytest.fixture
def bob(everybody: Cast) -> Api:
    return everybody.bob


@pytest.fixture
def charlie(everybody: Cast) -> Api:
    return everybody.charlie
