from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from oauth2_provider.apps import DOTConfig


class PeopleConfig(AppConfig):
    name = "people"
    verbose_name = _("People")


class ProgramsConfig(DOTConfig):  # type: ignore[misc]
    """django-oauth-toolkit, under the word that Meddie's pages have for it."""

    verbose_name = _("Programs")
