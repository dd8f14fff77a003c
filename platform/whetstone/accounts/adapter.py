"""What allauth asks us when somebody signs up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest

from whetstone.accounts.models import User
from whetstone.accounts.services import workspace_create

EMAIL_LENGTH = 254  # RFC 5321


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

    def clean_email(self, email: str) -> str:
        """Longer ones do not fit the column, which PostgreSQL would say with an error."""
        if len(email) > EMAIL_LENGTH:
            raise ValidationError(f"Use an address of at most {EMAIL_LENGTH} characters.")
        return email
