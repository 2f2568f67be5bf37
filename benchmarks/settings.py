"""Meddie's settings, with the commands of `benchmarks` as further commands."""

from meddie.settings import *  # noqa: F403
from meddie.settings import INSTALLED_APPS as MEDDIE_APPS

INSTALLED_APPS = [*MEDDIE_APPS, "benchmarks"]
