from django.urls import include, path

from conversations.api import document
from conversations.api.mcp import views as mcp
from conversations.api.mem0 import routes as mem0
from conversations.api.openai import views as openai

app_name = "api"

urlpatterns = [
    path("v1/chat/completions", openai.chat_completions, name="chat_completions"),
    path("v1/responses", openai.responses, name="responses"),
    path("v1/embeddings", openai.embeddings, name="embeddings"),
    path("v1/models", openai.models, name="models"),
    path("v1/models/<path:name>", openai.model, name="model"),
    path("mcp", mcp.mcp, name="mcp"),
    path("mcp/", mcp.mcp),
    path("api/", include((document.urlpatterns, "memories"))),
    path("", include((mem0.urlpatterns, "mem0"))),
    path("v1/<path:path>", openai.nothing),
]
