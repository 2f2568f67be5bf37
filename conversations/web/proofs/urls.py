from django.urls import path

from conversations.web.proofs import views

app_name = "proofs"

urlpatterns = [
    path("account/proofs", views.index, name="index"),
    path("proofs/check", views.check, name="check"),
    path("proofs/key.pem", views.key, name="key"),
    path("proofs/<uuid:proof_pk>", views.show, name="show"),
    path("proofs/<uuid:proof_pk>/file", views.download, name="download"),
]
