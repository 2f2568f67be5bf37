from django.apps import AppConfig
from django.contrib.admin import apps

from meddie import checks  # noqa: F401 -- importing it registers the system checks


class MeddieConfig(AppConfig):
    name = "meddie"
    default = True

    def ready(self) -> None:
        from meddie.embedded.restoring import drop_former  # noqa: PLC0415
        from meddie.jobs.registry import DAILY  # noqa: PLC0415

        DAILY.append(drop_former)


class AdminConfig(apps.AdminConfig):
    default = False
    default_site = "meddie.admin.Site"
