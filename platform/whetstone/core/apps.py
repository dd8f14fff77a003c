from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "whetstone.core"
    default_auto_field = "django.db.models.BigAutoField"
