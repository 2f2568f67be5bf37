from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConversationsConfig(AppConfig):
    name = "conversations"
    verbose_name = _("Conversations")

    def ready(self) -> None:
        # The models are ready here.
        from conversations.attachments.derivations import derive  # noqa: PLC0415
        from conversations.blanked_facts import withhold_statements  # noqa: PLC0415
        from conversations.channels import WEB, register_channel  # noqa: PLC0415
        from conversations.episodes.writing import HANDLERS  # noqa: PLC0415
        from conversations.erasing import erase_from  # noqa: PLC0415
        from conversations.inbox.forgotten import end_forgotten  # noqa: PLC0415
        from conversations.models import DerivationJob, SummaryJob  # noqa: PLC0415
        from conversations.withheld import telling_again  # noqa: PLC0415
        from meddie.jobs.registry import Queue, register  # noqa: PLC0415
        from memory.hooks import hooks  # noqa: PLC0415

        register_channel(WEB)
        register(Queue(SummaryJob, HANDLERS))
        register(Queue(DerivationJob, {DerivationJob.DERIVE: derive}))
        hooks.before_blanking = withhold_statements
        hooks.forgetting = end_forgotten
        hooks.restoring = telling_again
        hooks.erasing = erase_from
