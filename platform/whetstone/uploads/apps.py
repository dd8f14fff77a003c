from django.apps import AppConfig


class UploadsConfig(AppConfig):
    name = "whetstone.uploads"
    default_auto_field = "django.db.models.BigAutoField"
