"""What the fake backend claims; needs no library."""

from __future__ import annotations

from optimizers.backends.base import Capabilities
from optimizers.spec.names import Precision

CAPABILITIES = Capabilities(
    name="fake",
    title="Fake",
    distribution="",
    precisions=tuple(Precision),
    simulated=True,
    note="Deterministic results from the recipe's fingerprint; for tests.",
)
