from django.urls import path

from conversations.web.sheet import card_views, views

app_name = "sheet"

urlpatterns = [
    path("sheet", views.choose, name="choose"),
    path("sheet/links", views.share, name="share"),
    path("sheet/links/<uuid:pk>/end", views.end, name="end"),
    path("card", card_views.show, name="card"),
    path("card/choose", card_views.choose, name="card_choose"),
    path("card/picture", card_views.card_picture, name="card_picture"),
    path("shared-sheet/<str:token>", views.shared, name="shared"),
]
