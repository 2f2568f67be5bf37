"""What one user stored, another never gets: every URL of people, every method.

All answers are compared with those for things that do not exist at all.
"""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from people import urls
from people.models import (
    ApiKey,
    ExternalUser,
    Invitation,
    Membership,
    Person,
    ProfileUpdate,
    Space,
)
from tests.factories import (
    ApiKeyFactory,
    ExternalUserFactory,
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    SpaceFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

SECRET = "SECRET-of-Ann"
METHODS = ["get", "head", "post", "put", "patch", "delete", "options"]
ADMINS_ONLY = {
    "space_settings",
    "delete_space",
    "invite",
    "resend_invitation",
    "delete_invitation",
    "change_role",
    "remove_member",
    "remove_external_user",
}
PLACES = sorted(
    {
        (pattern.name, tuple(pattern.pattern.converters))
        for pattern in urls.urlpatterns
        if not {"token", "uidb64"} & set(pattern.pattern.converters)
    }
)
THINGS = [(name, keys) for name, keys in PLACES if keys]
PAGES = [name for name, keys in PLACES if not keys]


@pytest.fixture
def ann():
    """An admin whose every word would be recognised."""
    ann = MembershipFactory(
        user__name=SECRET, user__email="secret@example.com", space__name=SECRET
    )
    person = PersonFactory(
        space=ann.space,
        user=ann.user,
        name=SECRET,
        health_notes=f"- {SECRET}",
        medications=f"- {SECRET}",
    )
    ProfileUpdateFactory(person=person, author=ann.user, text=SECRET)
    InvitationFactory(space=ann.space, email="secret-too@example.com")
    ApiKeyFactory(space=ann.space, user=ann.user, name=SECRET)
    ExternalUserFactory(space=ann.space, external_id=SECRET)
    return ann


def _outsider(kind, ann):
    if kind == "removed":
        member = MembershipFactory(space=ann.space)
        member.delete()
        return member.user
    if kind == "other space":
        return (
            PersonFactory(space=SpaceFactory(members=[UserFactory()]))
            .space.memberships.get()
            .user
        )
    return UserFactory()


@pytest.fixture(params=["removed", "other space", "no space"])
def outsider(request, client, ann):
    user = _outsider(request.param, ann)
    client.force_login(user)
    return user


def _keys_of(ann, name):
    person = ann.space.people.get()
    invitation = ann.space.invitations.get()
    own = person.profile_updates.get() if name == "undo_update" else person
    about_space = name in ADMINS_ONLY | {"leave_space", "api_keys", "revoke_key"}
    return {
        "pk": ann.space_id if about_space else own.pk,
        "invitation_pk": invitation.pk,
        "member_pk": ann.pk,
        "key_pk": ann.space.api_keys.get().pk,
        "external_pk": ann.space.external_users.get().pk,
    }


def _everything():
    return [
        list(model.objects.order_by("pk").values())
        for model in (
            *(Space, Membership, Person, ProfileUpdate, Invitation),
            *(ApiKey, ExternalUser),
        )
    ]


def _ask(client, method, name, keys, values):
    url = reverse(f"people:{name}", kwargs={key: values[key] for key in keys})
    data = {
        "name": SECRET,
        "role": "member",
        "email": "x@example.com",
        "to": "up",
        "sex": "male",
    }
    answer = getattr(client, method)(url, data if method in {"get", "post"} else None)
    body = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.text)
    return answer.status_code, _blurred(body, values)


def _blurred(body, values):
    for value in values.values():
        body = body.replace(str(value), "")
    return body


@pytest.mark.req("S0-08", "B-17", "B-19")
@pytest.mark.parametrize(("name", "keys"), THINGS, ids=str)
def test_outsiders_get_404_for_the_pages_of_ann(client, ann, outsider, name, keys):
    before = _everything()
    real = _keys_of(ann, name)
    made_up = {key: uuid4() for key in real}
    for method in METHODS:
        answer = _ask(client, method, name, keys, real)
        assert answer == _ask(client, method, name, keys, made_up), method
        assert answer[0] in ({405, 200} if method == "options" else {404, 405}), method
        assert SECRET not in answer[1]
    assert {_ask(client, m, name, keys, real)[0] for m in ("get", "post")} & {404}
    assert _everything() == before


@pytest.mark.parametrize("name", PAGES)
def test_pages_of_their_own_never_show_outsiders_what_ann_has(
    client, ann, outsider, name
):
    page = client.get(reverse(f"people:{name}"), follow=True).text
    for secret in (SECRET, "secret@example.com", "secret-too", str(ann.space_id)):
        assert secret not in page


@pytest.mark.parametrize(
    ("name", "keys"),
    [thing for thing in THINGS if thing[0] in ADMINS_ONLY],
    ids=str,
)
def test_plain_members_get_404_for_the_pages_of_admins(client, ann, name, keys):
    client.force_login(MembershipFactory(space=ann.space, role="member").user)
    before = _everything()
    real = _keys_of(ann, name)
    for method in ("get", "post"):
        answer = _ask(client, method, name, keys, real)
        assert answer[0] in {404, 405}
        assert answer == _ask(
            client, method, name, keys, {key: uuid4() for key in real}
        )
    assert _everything() == before


@pytest.mark.parametrize(("name", "keys"), THINGS, ids=str)
def test_visitors_are_asked_to_sign_in(client, ann, name, keys):
    before = _everything()
    url = reverse(
        f"people:{name}", kwargs={key: _keys_of(ann, name)[key] for key in keys}
    )
    assert client.get(url).headers["Location"] == f"/sign-in?next={url}"
    assert client.post(url).headers["Location"] == "/sign-in?next=/"
    assert _everything() == before


def test_visitor_returns_to_the_page_of_a_form(client, ann):
    page, url = "http://testserver/people", reverse("people:account")
    here = {"Referer": page}
    assert client.post(url, headers=here).headers["Location"] == "/sign-in?next=/people"
    here = {"Referer": "http://elsewhere.example/people"}
    assert client.post(url, headers=here).headers["Location"] == "/sign-in?next=/"


def test_things_of_one_space_are_not_reached_through_another(client, ann):
    """Admin of both, and still: a member or invitation belongs to one space only."""
    other = SpaceFactory(members=[ann.user])
    client.force_login(ann.user)
    before = _everything()
    for name, keys in THINGS:
        if name in ADMINS_ONLY and len(keys) > 1:
            mixed = {**_keys_of(ann, name), "pk": other.pk}
            assert _ask(client, "post", name, keys, mixed)[0] == 404
    assert _everything() == before
