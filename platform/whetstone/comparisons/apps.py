from django.apps import AppConfig


class ComparisonsConfig(AppConfig):
    name = "whetstone.comparisons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from whetstone.comparisons import receivers  # noqa: F401 - connects them
