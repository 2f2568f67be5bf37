from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConversationsConfig(AppConfig):
    name = "conversations"
    verbose_name = _("Conversations")

    def ready(self) -> None:
        # The models are ready here.
        from conversations.attachments.derivations import derive  # noqa: PLC0415
        from conversations.channels import WEB, register_channel  # noqa: PLC0415
        from conversations.episodes.writing import HANDLERS  # noqa: PLC0415
        from conversations.forgetting.erasing import erase_from  # noqa: PLC0415
        from conversations.forgetting.withheld import (  # noqa: PLC0415
            telling_again,
            withhold_statements,
        )
        from conversations.inbox import end_received  # noqa: PLC0415
        from conversations.limits import count_background_calls  # noqa: PLC0415
        from conversations.models import (  # noqa: PLC0415
            AnswerCheck,
            DeletionProof,
            DerivationJob,
            SummaryJob,
        )
        from conversations.outdated import check  # noqa: PLC0415
        from conversations.probes import jobs as probes  # noqa: PLC0415
        from conversations.proofs.noting import note_forgotten  # noqa: PLC0415
        from conversations.proofs.sealing import HANDLERS as PROOFS  # noqa: PLC0415
        from conversations.reply.lookup import forget_queries  # noqa: PLC0415
        from meddie.ai.background import CALL_COUNTERS  # noqa: PLC0415
        from meddie.jobs.registry import DAILY, Queue, register  # noqa: PLC0415
        from memory.copies import COPIES, Copies  # noqa: PLC0415

        register_channel(WEB)
        register(Queue(SummaryJob, HANDLERS))
        register(Queue(DerivationJob, {DerivationJob.DERIVE: derive}))
        register(Queue(AnswerCheck, check.HANDLERS))
        register(Queue(DeletionProof, PROOFS))
        register(probes.PROBES)
        DAILY.append(probes.put_probes)
        CALL_COUNTERS.append(count_background_calls)
        COPIES.append(Copies(forget=end_received))
        COPIES.append(Copies(forget=forget_queries))
        COPIES.append(Copies(forgotten=note_forgotten))
        COPIES.append(Copies(first_vital=probes.put_at_once))
        COPIES.append(
            Copies(check=check.put_check, withhold=check.check_before_erasing)
        )
        COPIES.append(
            Copies(
                withhold=withhold_statements, restoring=telling_again, erase=erase_from
            )
        )
