from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """An app without models, so that its start-up checks are registered."""

    name = "whetstone.config"

    def ready(self) -> None:
        from whetstone.config import checks  # noqa: F401
