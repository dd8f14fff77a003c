#!/usr/bin/env bash
# Say in words what is missing when the Python that this project runs on is not there.
set -euo pipefail
python=$1
if ! command -v "$python" >/dev/null; then
  echo "Whetstone needs Python 3.11 and found no \`$python\`." >&2
  echo "Install it (Debian 12: apt-get install python3.11 python3.11-venv), or name yours: make PYTHON=/path/to/python3.11 ..." >&2
  exit 1
fi
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
if [ "$version" != 3.11 ]; then
  echo "Whetstone needs Python 3.11; \`$python\` is $version. Name another: make PYTHON=/path/to/python3.11 ..." >&2
  exit 1
fi
