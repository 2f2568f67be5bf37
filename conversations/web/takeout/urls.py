from django.urls import path

from conversations.web.takeout import views

app_name = "takeout"

urlpatterns = [
    path("account/download", views.download, name="download"),
    path("account/delete", views.delete, name="delete"),
    path("account/deleted", views.deleted, name="deleted"),
]
