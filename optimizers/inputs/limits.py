"""How large inputs may get."""

MAX_INPUT_BYTES = 2 << 30
