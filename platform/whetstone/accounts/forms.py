"""What our sign-up checks beyond allauth's own."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from whetstone.accounts.models import User


class SignUpForm(forms.Form):
    """allauth's headless sign-up validates the password before it knows whose it is."""

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        email, password = self.cleaned_data.get("email"), self.cleaned_data.get("password")
        if email and password:
            try:
                validate_password(password, User(email=email))
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned

    def signup(self, request: object, user: User) -> None:
        """allauth calls it; there is nothing to add."""
