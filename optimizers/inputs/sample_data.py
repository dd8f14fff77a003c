"""The user's own inputs: an .npz with one array per input, by name, [N, ...].

Each of the N samples has the input's whole shape, or that shape without its batch axis.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_name

if TYPE_CHECKING:
    from optimizers.backends.base import Array
    from optimizers.inputs.maker import InputMaker
    from optimizers.spec.model import TensorSpec

MAX_ARRAYS = 100


def load_samples(path: Path, maker: InputMaker, memory_bytes: int) -> dict[str, Array]:
    """The arrays, cast to the inputs' types; SAMPLE_DATA_INVALID says which array does not fit and why."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
        size = sum(member.file_size for member in members)
        if len(members) > MAX_ARRAYS or size > memory_bytes // 4:
            raise WhetstoneFailure("SAMPLE_DATA_INVALID", f"The sample data expands to {size:,} bytes.")
        with np.load(path, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, KeyError, TypeError) as error:
        why = "it holds Python objects" if "pickle" in str(error) else "it cannot be read"
        raise WhetstoneFailure(
            "SAMPLE_DATA_INVALID", f"The sample data is no .npz of plain arrays: {why}."
        ) from None
    names = {spec.name for spec in maker.specs}
    unknown = sorted(set(found) - names)
    if unknown or not found:
        listed = ", ".join(safe_name(name, 60) for name in sorted(names))
        wrong = f"'{safe_name(unknown[0], 60)}' is no input" if unknown else "it holds no array"
        raise WhetstoneFailure(
            "SAMPLE_DATA_INVALID", f"The sample data does not fit: {wrong}; inputs are {listed}."
        )
    return {spec.name: _fitted(spec, found[spec.name], maker) for spec in maker.specs if spec.name in found}


def _fitted(spec: TensorSpec, data: Array, maker: InputMaker) -> Array:
    shape = maker.shape(spec)
    batch_axis = maker.batch_axes.get(spec.name, 0)
    single = shape[:batch_axis] + shape[batch_axis + 1 :]
    one = (*shape[:batch_axis], 1, *shape[batch_axis + 1 :]) if shape else ()
    shown = safe_name(spec.name, 80)
    if data.ndim == 0 or len(data) == 0 or data.shape[1:] not in (shape, single, one):
        message = f"'{shown}' has shape {list(data.shape)}; [N, {', '.join(map(str, single))}] is needed."
        raise WhetstoneFailure("SAMPLE_DATA_INVALID", message)
    if not np.can_cast(data.dtype, spec.dtype, casting="same_kind"):
        raise WhetstoneFailure("SAMPLE_DATA_INVALID", f"'{shown}' is {data.dtype}; {spec.dtype} is needed.")
    return data.astype(spec.dtype, copy=False)
