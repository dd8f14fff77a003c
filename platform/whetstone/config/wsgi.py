"""The web process: `gunicorn whetstone.config.wsgi` with platform/ and the repository root on the path."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "whetstone.config.settings")
application = get_wsgi_application()

from whetstone.config.checks import start_or_exit  # noqa: E402 (Django must be set up first)

start_or_exit()
