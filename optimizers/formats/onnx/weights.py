"""Reading weights where they lie: is every floating-point value finite?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from optimizers.formats.onnx.facts import DTYPES, TensorFacts
from optimizers.formats.onnx.walk import opened
from optimizers.formats.onnx.wire import Buffer

if TYPE_CHECKING:
    pass

_CHUNK = 1 << 22
# (name, bytes, mask of the exponent): all exponent bits set means infinity or NaN.
_FLOATS = {
    "float32": (4, 0x7F80_0000),
    "float16": (2, 0x7C00),
    "bfloat16": (2, 0x7F80),
    "float64": (8, 0x7FF0_0000_0000_0000),
}


def non_finite(model: Path, tensors: list[TensorFacts]) -> list[str]:
    """Names of the tensors that hold NaN or infinity, without a copy of any whole tensor."""
    found = []
    with opened(model) as inside:
        for tensor in tensors:
            kind = _FLOATS.get(DTYPES[tensor.dtype][0])
            if kind and _has_non_finite(inside, model.parent, tensor, *kind):
                found.append(tensor.name)
    return found


def _has_non_finite(inside: Buffer, folder: Path, tensor: TensorFacts, width: int, mask: int) -> bool:
    if tensor.is_external:
        values = dict(tensor.external)
        start = int(values.get("offset", "0"))
        if tensor.size_bytes == 0:
            return False
        with opened(folder / values["location"]) as outside:
            return _scan(outside, start, start + tensor.size_bytes, width, mask)
    span = tensor.raw or tensor.spans.get(4 if width == 4 else 10)
    return span is not None and _scan(inside, *span, width, mask)


def _scan(buffer: Buffer, begin: int, end: int, width: int, mask: int) -> bool:
    import numpy as np

    kind = np.dtype(f"<u{width}")
    exponent = kind.type(mask)
    for start in range(begin, end, _CHUNK):
        # A copy of one chunk: a view would keep the mapping open.
        values = np.frombuffer(bytes(buffer[start : min(start + _CHUNK, end)]), dtype=kind)
        if bool(((values & exponent) == exponent).any()):
            return True
    return False
