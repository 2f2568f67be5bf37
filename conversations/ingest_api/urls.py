from django.urls import path

from conversations.ingest_api import views

app_name = "ingest_api"

urlpatterns = [path("api/ingest", views.ingest, name="ingest")]
