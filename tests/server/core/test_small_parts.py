"""Ids, the database's clock, storage keys, text."""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whetstone.core.clock import db_now
from whetstone.core.errors import BadRequest
from whetstone.core.ids import ID_LENGTH, ID_PATTERN, is_id, new_id
from whetstone.core.json_body import json_read
from whetstone.core.storage import check_key
from whetstone.core.text import FILENAME_BYTES, filename_clean, is_plain, key_name


def test_ids_grow_even_within_a_millisecond_and_across_threads() -> None:
    made: list[str] = []
    lock = threading.Lock()

    def make() -> None:
        for _ in range(500):
            with lock:
                made.append(new_id("mdl"))

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == sorted(made)
    assert len(set(made)) == 2000
    assert all(is_id(i) and len(i) <= ID_LENGTH for i in made)
    assert re.fullmatch(ID_PATTERN, made[0])


@pytest.mark.django_db
def test_the_databases_clock_is_utc_and_moves() -> None:
    first = db_now()
    assert first.utcoffset() == timedelta(0)
    assert abs(first - datetime.now(UTC)) < timedelta(seconds=5)
    assert db_now() >= first


@pytest.mark.parametrize(
    "key", ["", "/", "a//b", "../a", "a/..", "a/./b", "/a", "a/", ".a", "a b", "a\\b", "a\n", "ä", "x" * 401]
)
def test_what_is_no_storage_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="key"):
        check_key(key)


@given(st.text(max_size=400))
def test_a_cleaned_name_is_short_visible_and_without_folders(name: str) -> None:
    clean = filename_clean(name)
    assert len(clean.encode()) <= FILENAME_BYTES
    assert is_plain(clean)
    assert not set(clean) & set('/\\<>:"|?*')
    assert clean not in {".", ".."}
    assert filename_clean(clean) == clean


@given(st.text(max_size=400))
def test_a_name_always_makes_a_storage_key(name: str) -> None:
    assert check_key(key_name(name)) == key_name(name)


@given(st.binary(max_size=200))
def test_any_bytes_are_json_or_a_bad_request(body: bytes) -> None:
    """Nothing else is ever raised."""
    with suppress(BadRequest):
        json_read(body)
