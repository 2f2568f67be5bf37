from django.urls import path
from django.views.generic import RedirectView

from conversations.web import streams
from conversations.web.views import (
    files,
    installed,
    model,
    organise,
    pages,
    replies,
    send,
)

app_name = "conversations"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="conversations:new"), name="home"),
    path(
        "ask-meddie/new",
        RedirectView.as_view(pattern_name="conversations:new", query_string=True),
    ),
    path("chat", pages.index, name="list"),
    path("chat/new", pages.new, name="new"),
    path("manifest.webmanifest", installed.manifest, name="manifest"),
    path("service-worker.js", installed.service_worker, name="service_worker"),
    path("offline", installed.offline, name="offline"),
    path("share", installed.share, name="share"),
    path("model", model.real_model, name="real_model"),
    path("model/provider", model.provider, name="provider"),
    path("model/try", model.try_the_model, name="try_model"),
    path("examples/remove", organise.remove_examples, name="remove_examples"),
    path("chat/send", send.send, name="send"),
    path("chat/keys", pages.keys, name="keys"),
    path("chat/organise", organise.organise, name="organise"),
    path("chat/<uuid:pk>", pages.show, name="show"),
    path("chat/<uuid:pk>/actions", organise.actions, name="actions"),
    path("chat/<uuid:pk>/before/<int:before>", pages.earlier, name="earlier"),
    path("chat/<uuid:pk>/rename", organise.rename, name="rename"),
    path("chat/<uuid:pk>/remember", organise.remember, name="remember"),
    path("chat/<uuid:pk>/delete", organise.delete, name="delete"),
    path("chat/<uuid:pk>/export", pages.export, name="export"),
    path("chat/attachment/<uuid:pk>", files.attachment, name="attachment"),
    path("chat/attachment/<uuid:pk>/thumbnail", files.thumbnail, name="thumbnail"),
    path("chat/files", files.upload, name="upload"),
    path("chat/files/<uuid:pk>/encoding", files.read_as, name="read_as"),
    path("chat/files/<uuid:pk>/remove", files.remove, name="remove_file"),
    path("chat/message/<uuid:pk>", pages.message, name="message"),
    path("chat/message/<uuid:pk>/files", files.progress, name="files"),
    path("chat/reply/<uuid:pk>", streams.show_reply, name="reply"),
    path("chat/reply/<uuid:pk>/stream", streams.follow_reply, name="stream"),
    path("chat/reply/<uuid:pk>/stop", replies.stop, name="stop"),
    path("chat/reply/<uuid:pk>/again", replies.regenerate, name="regenerate"),
    path("chat/reply/<uuid:pk>/feedback", replies.feedback, name="feedback"),
    path("chat/message/<uuid:pk>/edit", replies.edit, name="edit"),
    path("chat/message/<uuid:pk>/use", replies.use_version, name="use_version"),
    path("chat/message/<uuid:pk>/line", replies.line, name="line"),
    path("chat/message/<uuid:pk>/undo", replies.undo, name="undo"),
    path("chat/message/<uuid:pk>/forget", replies.forget, name="forget"),
    path("chat/message/<uuid:pk>/answer", replies.answer, name="answer"),
]
