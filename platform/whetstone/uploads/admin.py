from django.contrib import admin

from whetstone.uploads.models import Upload


@admin.register(Upload)
class UploadAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "filename", "state", "size_bytes", "workspace", "created_at", "expires_at")
    list_filter = ("state", "purpose")
    search_fields = ("id", "filename", "sha256")
    raw_id_fields = ("workspace", "user", "version", "dataset")
