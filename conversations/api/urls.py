from django.urls import path

from conversations.api import operators
from conversations.api.ingest.receive import ingest
from conversations.api.openai import views as openai

app_name = "api"

urlpatterns = [
    path("v1/chat/completions", openai.chat_completions, name="chat_completions"),
    path("v1/models", openai.models, name="models"),
    path("v1/models/<path:name>", openai.model, name="model"),
    path("api/ingest", ingest, name="ingest"),
    path("api/memory", operators.show_snapshot, name="snapshot"),
    path("api/memory/refresh", operators.show_renewed, name="refresh"),
    path("api/memory/search", operators.search, name="search"),
]
