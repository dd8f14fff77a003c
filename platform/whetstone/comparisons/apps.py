from django.apps import AppConfig


class ComparisonsConfig(AppConfig):
    name = "whetstone.comparisons"
    default_auto_field = "django.db.models.BigAutoField"
