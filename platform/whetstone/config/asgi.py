"""For an ASGI server; the product itself is served by gunicorn through `wsgi`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "whetstone.config.settings")
application = get_asgi_application()

from whetstone.config.checks import start_or_exit  # noqa: E402 (Django must be set up first)

start_or_exit()
