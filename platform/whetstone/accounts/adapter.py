"""What allauth asks us when somebody signs up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest

from whetstone.accounts.models import User
from whetstone.accounts.services import workspace_create


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """A new user has a workspace of their own from the first moment, or does not exist."""

    @transaction.atomic
    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: Form, commit: bool = True
    ) -> AbstractBaseUser:
        saved: AbstractBaseUser = super().save_user(request, user, form, commit=commit)
        if commit and isinstance(saved, User):
            workspace_create(name=f"{saved.display_name}'s workspace", owner=saved)
        return saved
