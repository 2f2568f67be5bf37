from django.contrib import admin
from django.urls import include, path

from meddie import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("people.urls")),
    path("", include("conversations.web.urls")),
    path("healthz", health.alive),
    path("readyz", health.ready),
]

handler500 = "meddie.errors.server_error"
