from django.urls import path
from django.views.generic import TemplateView

from people.views import account, api_keys, invitations, people, programs, spaces

app_name = "people"

urlpatterns = [
    path("sign-in", account.sign_in, name="sign_in"),
    path("sign-out", account.sign_out, name="sign_out"),
    path("password/reset", account.password_reset, name="password_reset"),
    path(
        "password/reset/sent",
        TemplateView.as_view(template_name="people/password_reset_done.html"),
        name="password_reset_done",
    ),
    path(
        "password/reset/<uidb64>/<token>",
        account.password_reset_confirm,
        name="password_reset_confirm",
    ),
    path("password/change", account.password_change, name="password_change"),
    path("account", account.account, name="account"),
    path("account/email", account.change_email, name="change_email"),
    path("account/email/cancel", account.cancel_email, name="cancel_email"),
    path("account/email/<str:token>", account.confirm_email, name="confirm_email"),
    path(
        "account/programs/<uuid:key_pk>/disconnect",
        programs.disconnect,
        name="disconnect",
    ),
    path("theme", account.choose, name="theme"),
    path("invitation/<str:token>", invitations.invitation, name="invitation"),
    path("spaces/new", spaces.new, name="new_space"),
    path("spaces/switch", spaces.switch, name="switch_space"),
    path("spaces/settings", spaces.settings_here, name="space_settings"),
    path("spaces/<uuid:pk>/settings", spaces.settings, name="space_settings"),
    path("spaces/<uuid:pk>/leave", spaces.leave, name="leave_space"),
    path("spaces/<uuid:pk>/delete", spaces.delete, name="delete_space"),
    path("spaces/<uuid:pk>/invite", invitations.invite, name="invite"),
    path(
        "spaces/<uuid:pk>/invitations/<uuid:invitation_pk>/resend",
        invitations.resend,
        name="resend_invitation",
    ),
    path(
        "spaces/<uuid:pk>/invitations/<uuid:invitation_pk>/delete",
        invitations.delete,
        name="delete_invitation",
    ),
    path(
        "spaces/<uuid:pk>/members/<uuid:member_pk>/role",
        spaces.change_role,
        name="change_role",
    ),
    path(
        "spaces/<uuid:pk>/members/<uuid:member_pk>/remove",
        spaces.remove_member,
        name="remove_member",
    ),
    path("spaces/<uuid:pk>/keys", api_keys.keys, name="api_keys"),
    path(
        "spaces/<uuid:pk>/keys/<uuid:key_pk>/revoke",
        api_keys.revoke,
        name="revoke_key",
    ),
    path(
        "spaces/<uuid:pk>/external-users/<uuid:external_pk>/remove",
        api_keys.remove_external,
        name="remove_external_user",
    ),
    path("people", people.index, name="list"),
    path("people/new", people.new, name="new"),
    path("people/you", people.you, name="you"),
    path("people/<uuid:pk>", people.show, name="person"),
    path("people/<uuid:pk>/edit", people.edit, name="edit"),
    path("people/<uuid:pk>/move", people.move, name="move"),
    path("people/<uuid:pk>/delete", people.delete, name="delete"),
    path("people/<uuid:pk>/restore", people.restore, name="restore"),
    path("people/<uuid:pk>/history", people.history, name="history"),
    path("people/updates/<uuid:pk>/undo", people.undo, name="undo_update"),
]
