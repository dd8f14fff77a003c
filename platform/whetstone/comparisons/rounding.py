"""Three significant digits, for sentences. Figures themselves are never rounded."""

import math


def short(value: float) -> str:
    """16.2, 1230, 0.000123: three digits that mean something, without an exponent where people read."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = 2 - math.floor(math.log10(abs(value)))
    rounded = round(value, digits)
    if abs(rounded) >= 1e15 or abs(rounded) < 1e-6:
        return f"{rounded:.3g}"
    return f"{rounded:.{max(0, 2 - math.floor(math.log10(abs(rounded))))}f}"
