"""Celery, and all of it: the platform sends by task name and imports nothing from here."""

__version__ = "0.1.0"
