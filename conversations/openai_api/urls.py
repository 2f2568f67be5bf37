from django.urls import path

from conversations.openai_api import views

app_name = "openai_api"

urlpatterns = [
    path("v1/chat/completions", views.chat_completions, name="chat_completions"),
    path("v1/models", views.models, name="models"),
]
