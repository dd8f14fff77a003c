from django.apps import AppConfig


class ComparisonsConfig(AppConfig):
    name = "whetstone.comparisons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from whetstone.comparisons.services import run_summarize
        from whetstone.runs.signals import run_ended

        run_ended.connect(run_summarize, dispatch_uid="comparisons.run_summarize")
