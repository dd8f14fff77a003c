#!/bin/sh
# The web process. Threads, since a request mostly waits for the database.
set -eu
exec gunicorn whetstone.config.wsgi:application --bind 0.0.0.0:8000 --workers "${WEB_WORKERS:-2}" --threads 8 \
  --timeout 120 --graceful-timeout 50 --max-requests 20000 --max-requests-jitter 2000 --access-logfile - \
  --worker-tmp-dir /dev/shm --no-control-socket
