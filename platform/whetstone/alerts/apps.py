from django.apps import AppConfig


class AlertsConfig(AppConfig):
    name = "whetstone.alerts"
    default_auto_field = "django.db.models.BigAutoField"
