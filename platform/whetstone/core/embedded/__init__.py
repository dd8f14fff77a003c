"""The whole platform on one machine, as child processes of `manage.py up`."""
