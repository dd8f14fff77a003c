#!/usr/bin/env bash
# Say in words what is missing when Node or npm is not there or too old for the page's build.
set -euo pipefail
for program in node npm; do
  if ! command -v "$program" >/dev/null; then
    echo "The page is built with Node 20 or newer, and there is no \`$program\` here. Install Node 20 with npm." >&2
    exit 1
  fi
done
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  echo "The page is built with Node 20.19 or newer; this is $(node --version)." >&2
  exit 1
fi
