from django.urls import path

from memory.operators import api

app_name = "operators"

urlpatterns = [
    path("api/memory", api.show_snapshot, name="snapshot"),
    path("api/memory/refresh", api.show_renewed, name="refresh"),
    path("api/memory/search", api.search, name="search"),
]
