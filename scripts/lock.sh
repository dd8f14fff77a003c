#!/usr/bin/env bash
# Compile requirements/*.txt from pyproject.toml: pinned, hashed, for every platform, naming no host.
# torch is never pulled: its wheels are chosen by hand where an engine needs it.
# The build tool `ninja`, which NNCF names for its torch extensions, stays out: it and django-ninja both
# install a package called `ninja`, and the later one would win. So the files are installed with --no-deps.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=.venv-lock/bin/uv
if [ ! -x "$uv" ]; then
  scripts/need-python.sh "${PYTHON:-python3.11}"
  "${PYTHON:-python3.11}" -m venv .venv-lock
  .venv-lock/bin/python -m pip install --disable-pip-version-check --quiet uv==0.13.9
fi
compile() { "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-package ninja "$@"; }
dev=requirements/dev.txt
compile pyproject.toml --extra web --extra worker --extra test --output-file "$dev"
compile pyproject.toml --extra web --extra worker --constraint "$dev" --output-file requirements/run.txt
compile pyproject.toml --extra web --constraint "$dev" --output-file requirements/web.txt
compile pyproject.toml --extra worker --constraint "$dev" --output-file requirements/worker.txt
for set in demo s3-ministack s3-juicefs; do
  flags=()
  [ "$set" = demo ] && flags=(--no-deps)
  compile "${flags[@]}" "requirements/$set.in" --output-file "requirements/$set.txt"
done
if grep -qE '^(torch|nvidia-|triton)' requirements/*.txt; then
  echo "A requirement pulls torch or CUDA; find out which and leave it out." >&2
  exit 1
fi
