from django.urls import path
from django.views.generic import TemplateView

from conversations.web.takeout import views

app_name = "takeout"

urlpatterns = [
    path("account/download", views.download, name="download"),
    path("account/delete", views.delete, name="delete"),
    path(
        "account/deleted",
        TemplateView.as_view(template_name="conversations/takeout/deleted.html"),
        name="deleted",
    ),
]
