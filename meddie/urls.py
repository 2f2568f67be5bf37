from django.contrib import admin
from django.urls import include, path

from meddie.http import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("people.urls")),
    path("", include("people.program_urls")),
    path("", include("conversations.web.urls")),
    path("", include("conversations.web.takeout.urls")),
    path("", include("conversations.web.proofs.urls")),
    path("", include("conversations.web.memory_page.urls")),
    path("", include("conversations.web.sheet.urls")),
    path("", include("conversations.telegram.urls")),
    path("", include("conversations.api.urls")),
    path("readyz", health.ready),
    path("", include("conversations.metrics")),
]

handler400 = "meddie.http.error_views.bad_request"
handler403 = "meddie.http.error_views.not_allowed"
handler404 = "meddie.http.error_views.not_found"
handler500 = "meddie.http.error_views.server_error"
