#!/bin/sh
# Runs once before everything else: tables, the price book, and the credential of this file's worker.
set -eu
python manage.py migrate --noinput
python manage.py createcachetable
python manage.py prices_import
if [ ! -s "$WHETSTONE_HOST_CREDENTIAL_FILE" ]; then
  umask 077
  python manage.py host_enroll local --replace >"$WHETSTONE_HOST_CREDENTIAL_FILE"
fi
