from django.urls import path

from conversations.web.sheet import views

app_name = "sheet"

urlpatterns = [
    path("sheet", views.choose, name="choose"),
    path("sheet/links", views.share, name="share"),
    path("sheet/links/<uuid:pk>/end", views.end, name="end"),
    path("shared-sheet/<str:token>", views.shared, name="shared"),
]
