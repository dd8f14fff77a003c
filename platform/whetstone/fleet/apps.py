from django.apps import AppConfig


class FleetConfig(AppConfig):
    name = "whetstone.fleet"
    default_auto_field = "django.db.models.BigAutoField"
