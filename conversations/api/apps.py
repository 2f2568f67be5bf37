from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    name = "conversations.api"
    verbose_name = _("API")

    def ready(self) -> None:
        # The models are ready here.
        from conversations.api.channel import API, INGESTION  # noqa: PLC0415
        from conversations.api.ingest.handle import INBOX  # noqa: PLC0415
        from conversations.api.models import AnsweredCall  # noqa: PLC0415
        from conversations.channels import register_channel  # noqa: PLC0415
        from meddie.jobs.registry import DAILY, register  # noqa: PLC0415

        register(INBOX)
        DAILY.append(AnsweredCall.clean_up)
        register_channel(API)
        register_channel(INGESTION)
