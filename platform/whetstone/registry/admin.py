from django.contrib import admin

from whetstone.registry.models import Artifact, Dataset, ModelVersion, RegisteredModel


@admin.register(RegisteredModel)
class RegisteredModelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "name", "workspace", "created_at")
    search_fields = ("id", "name")
    raw_id_fields = ("workspace",)


@admin.register(ModelVersion)
class ModelVersionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "model", "number", "state", "format", "size_bytes", "created_at")
    list_filter = ("state", "format")
    search_fields = ("id", "sha256")
    raw_id_fields = ("model", "source_artifact")


@admin.register(Artifact)
class ArtifactAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "kind", "filename", "size_bytes", "workspace", "created_at")
    list_filter = ("kind",)
    search_fields = ("id", "sha256", "filename")
    raw_id_fields = ("workspace",)


@admin.register(Dataset)
class DatasetAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "name", "state", "workspace", "created_at")
    raw_id_fields = ("workspace", "artifact")
