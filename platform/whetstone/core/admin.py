from django.contrib import admin

from whetstone.core.models import OutboxMessage


@admin.register(OutboxMessage)
class OutboxAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("topic", "key", "created_at", "available_at", "sent_at", "attempts", "last_error")
    list_filter = ("topic",)
    search_fields = ("key",)
