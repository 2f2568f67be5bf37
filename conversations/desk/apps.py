from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "conversations.desk"
