from django.apps import AppConfig
from django.contrib.admin import apps

from meddie import checks  # noqa: F401 -- importing it registers the system checks


class MeddieConfig(AppConfig):
    name = "meddie"
    default = True


class AdminConfig(apps.AdminConfig):
    default = False
    default_site = "meddie.admin.Site"
