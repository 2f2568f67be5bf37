from django.urls import path

from conversations.web.memory_page import (
    importing,
    relatives,
    several,
    tidying,
    views,
)

app_name = "memory_page"

urlpatterns = [
    path("memory", views.index, name="index"),
    path("memory/new", views.add, name="add"),
    path("memory/import", importing.import_file, name="import_file"),
    path("memory/on", views.turn_on, name="turn_on"),
    path("memory/forget", views.forget_all, name="forget_all"),
    path("memory/changes", several.change, name="change"),
    path("memory/changes/undo", several.undo_changes, name="undo_changes"),
    path("memory/person", relatives.become_person, name="become_person"),
    path(
        "people/<uuid:pk>/relative", relatives.answer_relative, name="answer_relative"
    ),
    path("people/<uuid:pk>/same", relatives.join_people, name="join_people"),
    path("people/<uuid:pk>/part", relatives.part_people, name="part_people"),
    path("memory/older", several.answer_older, name="settle_older"),
    path("memory/tidy", tidying.preview, name="tidy"),
    path("memory/tidy/note", tidying.tidy_state, name="tidy_note"),
    path("memory/tidy/start", tidying.start_tidy, name="tidy_start"),
    path("memory/tidy/settle", tidying.settle_tidy, name="tidy_settle"),
    path("memory/<uuid:pk>/note", several.note, name="note"),
    path("memory/<uuid:pk>/edit", views.edit, name="edit"),
    path("memory/<uuid:pk>/forget", views.forget, name="forget"),
    path("memory/<uuid:pk>/settle", several.answer_doubt, name="settle"),
    path("memory/<uuid:pk>/undo", views.undo, name="undo"),
]
