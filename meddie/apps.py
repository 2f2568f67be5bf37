from django.apps import AppConfig

from meddie import checks  # noqa: F401 -- importing it registers the system checks


class MeddieConfig(AppConfig):
    name = "meddie"
