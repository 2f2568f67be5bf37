"""Addresses of the sign-in of programs, by the names that the library looks for."""

from django.urls import path

from people.views import programs

app_name = "oauth2_provider"

urlpatterns = [
    path("authorize", programs.consent, name="authorize"),
    path("token", programs.token, name="token"),
    path("revoke", programs.revoke, name="revoke-token"),
    path("register", programs.register, name="dcr-register"),
    path(
        "register/<str:client_id>",
        programs.registration,
        name="dcr-register-management",
    ),
    path(
        ".well-known/oauth-authorization-server",
        programs.server_metadata,
        name="oauth-server-metadata",
    ),
    path(
        ".well-known/oauth-protected-resource/mcp",
        programs.resource_metadata,
        name="oauth-resource-metadata",
    ),
]
