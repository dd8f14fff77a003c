#!/usr/bin/env bash
# Write .env for docker compose: .env.example with a random secret for each empty value.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -e .env ]; then
  echo ".env exists already; it is left as it is."
  exit 0
fi
umask 077
while IFS= read -r line; do
  if [[ $line =~ ^[A-Z0-9_]+=$ ]]; then
    line+=$(head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n')
  fi
  printf '%s\n' "$line"
done <.env.example >.env
echo "Wrote .env (readable by you alone)."
