from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Memory")

    def ready(self) -> None:
        # The models are ready here.
        from meddie.jobs.registry import Queue, register  # noqa: PLC0415
        from memory import checks  # noqa: F401, PLC0415
        from memory.facts.worker import HANDLERS  # noqa: PLC0415
        from memory.models import CalibrationJob, CaptureJob  # noqa: PLC0415
        from memory.recall.calibration import measure_model  # noqa: PLC0415

        register(Queue(CaptureJob, HANDLERS))
        register(Queue(CalibrationJob, {CalibrationJob.MEASURE: measure_model}))
