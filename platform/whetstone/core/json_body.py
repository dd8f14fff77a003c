"""Reads JSON from strangers: what our own JSON could not say is refused before anything looks at it."""

import json
import math
import re
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from whetstone.core.errors import BadRequest

MAX_DIGITS = 19
# An escaped NUL or lone surrogate cannot be stored: PostgreSQL refuses the one, UTF-8 the other.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class _Refused(ValueError):
    """The JSON is well formed but says something that has no place here."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("An object names a key twice.")
    return found


def _constant(text: str) -> float:
    raise _Refused(f"{text} is not a JSON number.")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS + 1:
        raise _Refused(f"A whole number has more than {MAX_DIGITS} digits.")
    return int(text)


def _real(text: str) -> float:
    if len(text) > 400 or not math.isfinite(value := float(text)):
        raise _Refused("A number is too large.")
    return value


def json_read(body: bytes) -> Any:
    """The value in `body`. BadRequest("JSON_INVALID") in one short sentence for anything else."""
    try:
        if _NUL.search(body):
            raise _Refused("A text holds the NUL character.")
        value = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_pairs,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_real,
        )
        if _SURROGATE.search(body):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except _Refused as refused:
        raise BadRequest("JSON_INVALID", str(refused)) from None
    except RecursionError:
        raise BadRequest("JSON_INVALID", "The JSON is nested too deeply.") from None
    except UnicodeError:
        raise BadRequest("JSON_INVALID", "A text is not valid Unicode.") from None
    except json.JSONDecodeError as broken:
        where = f"line {broken.lineno}, column {broken.colno}"
        raise BadRequest("JSON_INVALID", f"The body is not valid JSON ({where}).") from None
    return value


class BodyParser(Parser):
    def parse_body(self, request: HttpRequest) -> Any:
        return json_read(request.body)
