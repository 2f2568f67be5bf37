from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "conversations.web"
