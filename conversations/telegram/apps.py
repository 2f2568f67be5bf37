from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TelegramConfig(AppConfig):
    name = "conversations.telegram"
    verbose_name = _("Telegram")

    def ready(self) -> None:
        # The models are ready here.
        from conversations.channels import register_channel  # noqa: PLC0415
        from conversations.telegram import links, notices  # noqa: PLC0415
        from conversations.telegram.channel import TELEGRAM  # noqa: PLC0415
        from conversations.telegram.models import TelegramNotice  # noqa: PLC0415
        from conversations.telegram.polling import Polling  # noqa: PLC0415
        from conversations.telegram.process import INBOX  # noqa: PLC0415
        from meddie.celery import app  # noqa: PLC0415
        from meddie.jobs.registry import DAILY, Queue, register  # noqa: PLC0415

        register(INBOX)
        register(Queue(TelegramNotice, notices.HANDLERS))
        DAILY.append(links.delete_expired_codes)
        register_channel(TELEGRAM)
        app.steps["worker"].add(Polling)
