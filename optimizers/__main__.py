"""`python -m optimizers`: run one job, say what this machine is, inspect a model, compare recipes."""

from __future__ import annotations

import sys

from optimizers.cli.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
