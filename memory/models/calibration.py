"""The thresholds of embedding models, each the result of a job."""

from typing import Any, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from meddie.jobs.job import Job, JobQuerySet


class CalibrationJobQuerySet(JobQuerySet["CalibrationJob"]):
    def ended(self) -> Self:
        """None: their results are used."""
        return self.none()


class CalibrationJob(Job):
    QUEUE = "calibrations"
    MEASURE = "measure"

    model = models.CharField(_("embedding model"), max_length=128, unique=True)
    thresholds: "models.JSONField[Any, Any]" = models.JSONField(
        _("thresholds"), default=dict, blank=True
    )

    objects = CalibrationJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("calibration of an embedding model")
        verbose_name_plural = _("calibrations of embedding models")
