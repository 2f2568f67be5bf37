from django.apps import AppConfig


class MeddieConfig(AppConfig):
    name = "meddie"
