from django.urls import path

from conversations.telegram import views
from conversations.telegram.webhook import webhook

app_name = "telegram"

urlpatterns = [
    path("telegram/<int:bot_id>", webhook, name="webhook"),
    path("spaces/<uuid:pk>/telegram", views.settings, name="settings"),
    path("spaces/<uuid:pk>/telegram/connect", views.connect, name="connect"),
    path("spaces/<uuid:pk>/telegram/reconnect", views.reconnect, name="reconnect"),
    path("spaces/<uuid:pk>/telegram/disconnect", views.disconnect, name="disconnect"),
    path("spaces/<uuid:pk>/telegram/mine", views.link_mine, name="link_mine"),
    path("spaces/<uuid:pk>/telegram/links", views.add_link, name="add_link"),
    path(
        "spaces/<uuid:pk>/telegram/links/<uuid:link_pk>/confirm",
        views.confirm_link,
        name="confirm_link",
    ),
    path(
        "spaces/<uuid:pk>/telegram/links/<uuid:link_pk>/remove",
        views.remove_link,
        name="remove_link",
    ),
]
