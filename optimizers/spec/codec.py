"""Frozen dataclasses <-> JSON, strict in both directions.

Reading refuses unknown keys, missing keys and wrong types with the path of the offending value,
since one side of every exchange is a process that opens strangers' files.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, cast

T = TypeVar("T")

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class CodecError(ValueError):
    """A document does not have the shape of the class it should become. `path` says where."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path or '$'}: {problem}")
        self.path = path
        self.problem = problem


def to_json(value: object) -> Json:
    """Turn a dataclass (or a container of them) into plain JSON values. NaN and infinity become null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise CodecError("", f"{type(value).__name__} has no JSON form")


def dumps(value: object, *, indent: int | None = None) -> str:
    """JSON text with sorted keys, so that equal values give equal text."""
    separators = (",", ":") if indent is None else None
    return json.dumps(
        to_json(value), sort_keys=True, indent=indent, separators=separators, ensure_ascii=False
    )


def loads(cls: type[T], text: str | bytes) -> T:
    """Parse JSON text into `cls`; raises CodecError for anything else."""
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise CodecError("", f"not JSON: {error}") from None
    return from_json(cls, data)


def from_json(cls: type[T], data: object, path: str = "") -> T:
    """Build `cls` from plain JSON values; raises CodecError with the path of the first wrong value."""
    return cast(T, _read(cls, data, path))


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _read(hint: Any, data: object, path: str) -> object:
    origin = typing.get_origin(hint)
    if origin in (Union, types.UnionType):
        return _read_union(typing.get_args(hint), data, path)
    if origin is tuple:
        return _read_tuple(typing.get_args(hint), data, path)
    if origin in (dict, Mapping):
        return _read_mapping(typing.get_args(hint), data, path)
    if dataclasses.is_dataclass(hint):
        return _read_dataclass(cast(type, hint), data, path)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _read_enum(hint, data, path)
    return _read_scalar(hint, data, path)


def _read_union(options: tuple[Any, ...], data: object, path: str) -> object:
    if data is None and type(None) in options:
        return None
    problem: CodecError | None = None
    for option in options:
        if option is type(None):
            continue
        try:
            return _read(option, data, path)
        except CodecError as error:
            problem = problem or error
    raise problem or CodecError(path, "no form fits")


def _read_tuple(args: tuple[Any, ...], data: object, path: str) -> object:
    if not isinstance(data, list):
        raise CodecError(path, f"expected a list, got {type(data).__name__}")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_read(args[0], item, f"{path}[{i}]") for i, item in enumerate(data))
    if len(args) != len(data):
        raise CodecError(path, f"expected {len(args)} items, got {len(data)}")
    return tuple(
        _read(hint, item, f"{path}[{i}]") for i, (hint, item) in enumerate(zip(args, data, strict=True))
    )


def _read_mapping(args: tuple[Any, ...], data: object, path: str) -> object:
    if not isinstance(data, dict):
        raise CodecError(path, f"expected an object, got {type(data).__name__}")
    return {str(key): _read(args[1], item, f"{path}.{key}") for key, item in data.items()}


def _read_dataclass(cls: type, data: object, path: str) -> object:
    if not isinstance(data, dict):
        raise CodecError(path, f"expected an object, got {type(data).__name__}")
    fields = {f.name: f for f in dataclasses.fields(cls)}
    for key in data:
        if key not in fields:
            raise CodecError(f"{path}.{key}"[:200], "unknown key")
    values: dict[str, object] = {}
    for name, field in fields.items():
        if name in data:
            values[name] = _read(_hints(cls)[name], data[name], f"{path}.{name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise CodecError(f"{path}.{name}", "missing")
    return cls(**values)


def _read_enum(cls: type[StrEnum], data: object, path: str) -> object:
    try:
        return cls(cast(str, data))
    except ValueError:
        raise CodecError(path, f"expected one of {', '.join(cls)}") from None


def _read_scalar(hint: Any, data: object, path: str) -> object:
    if hint is float and isinstance(data, (int, float)) and not isinstance(data, bool):
        return float(data)
    if hint in (int, str, bool) and type(data) is hint:
        return data
    raise CodecError(path, f"expected {getattr(hint, '__name__', hint)}, got {type(data).__name__}")
