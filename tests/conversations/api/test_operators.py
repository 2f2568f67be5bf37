"""The operators' API: who may read what, and the record of each look."""

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from memory import service
from memory.models import Memory, MemoryEvent, MemoryPolicy
from memory.operators.snapshots import write_changes
from people import api_keys
from people.models import ApiKey, Membership, User
from people.scope import scope_for
from tests.factories import ApiKeyFactory, MembershipFactory, SpaceFactory

pytestmark = pytest.mark.django_db
SNAPSHOT, REFRESH, SEARCH = ("/api/memory", "/api/memory/refresh", "/api/memory/search")


@pytest.fixture
def space(tell, ann, bob, home):
    """Ann likes tea, Bob likes tea with rum, and the space drinks tea on Mondays."""
    MemoryPolicy.objects.create(space=home, lore=True)
    tell("User likes green tea")
    of_bob = scope_for(bob, home.pk, channel="web")
    tell("User likes tea with rum", scope=of_bob)
    Memory.objects.create(
        space=home,
        audience="space",
        kind="lore",
        origin="lore",
        content="Memory line: tea on Mondays.",
        content_hash="lore",
        told_by=bob,
        vector=Memory.objects.first().vector,
        embedding_model=Memory.objects.first().embedding_model,
    )
    service.journal(of_bob, uuid4(), timezone.now(), "Bob", "I am Bob", ingested=True)
    return home


def key_of(user, space):
    """The secret of a new key."""
    number = ApiKey.objects.count()
    secret = f"sk-meddie-{number:043}"
    ApiKeyFactory(user=user, space=space, secret=secret)
    return secret


def ask(secret, path, method="GET", **parameters):
    if path != SEARCH:  # others refuse a query
        parameters.pop("q", None)
    headers = {"Authorization": f"Bearer {secret}"}
    return Client(headers=headers).generic(method, path, query_params=parameters)


@pytest.fixture
def admin(ann, space):
    return key_of(ann, space)


@pytest.fixture
def staff(space):
    """The key of a member of the space who may view all that is known."""
    member = MembershipFactory(space=space, role="member", user__is_staff=True)
    names = ("view_memory", "view_profilefact", "view_conversation")
    views = Permission.objects.filter(codename__in=names)
    member.user.user_permissions.set(views)
    return key_of(member.user, space)


def found(secret, q="tea", **parameters):
    answer = ask(secret, SEARCH, q=q, **parameters).json()
    return {result["fact"] for result in answer["results"]}


@pytest.mark.req("S3-67")
def test_admin_reads_lore_and_own_facts(admin):
    page = ask(admin, SNAPSHOT)
    assert page.headers["Content-Type"].startswith("text/markdown")
    assert "User likes green tea" in page.text
    assert "tea on Mondays" in page.text
    assert "rum" not in page.text
    assert "Bob" not in page.text


@pytest.mark.req("S3-67")
def test_staff_read_all_facts_of_the_space(staff, tell, ann, office):
    tell("User hides tea", scope=scope_for(ann, office.pk, channel="web"))
    page = ask(staff, SNAPSHOT).text
    assert "### Ann" in page
    assert "User likes tea with rum" in page
    assert "hides" not in page


@pytest.mark.req("S3-68")
def test_refresh_returns_the_new_page_and_has_the_files_written(
    admin, tell, tmp_path, settings
):
    settings.JOURNALS_FOLDER = tmp_path
    write_changes()
    tell("User likes new tea")
    for _ in range(2):
        assert "User likes new tea" in ask(admin, REFRESH, "POST").text
    assert write_changes() == 1
    (file,) = tmp_path.glob("*/MEMORY.md")
    assert "User likes new tea" in file.read_text()


@pytest.mark.req("S3-69")
def test_search_has_the_rights_of_its_reader(admin, staff):
    own, lore = "User likes green tea", "Memory line: tea on Mondays."
    assert found(admin) == {own, lore}
    assert found(staff) == {own, lore, "User likes tea with rum"}


@pytest.mark.req("S3-69")
def test_search_tells_whose_fact_it_is_and_how_well_it_fits(admin, staff):
    (result,) = ask(staff, SEARCH, q="green", limit="1").json()["results"]
    assert result["subject"] == "Ann"
    assert (result["fact"], result["channel"]) == ("User likes green tea", "web")
    assert 0 < result["score"] <= 1


@pytest.mark.req("S3-69")
def test_staff_search_the_facts_of_one_member(staff, admin, ann, bob):
    lore = "Memory line: tea on Mondays."
    for named in (str(bob.pk), bob.email.upper()):
        assert found(staff, user=named) == {"User likes tea with rum", lore}
    assert found(admin, user=ann.email) == {"User likes green tea", lore}
    User.objects.filter(pk=bob.pk).update(memory_on=False)
    assert found(staff, user=bob.email) == set()


@pytest.mark.req("S3-69")
def test_search_takes_the_names_of_space_and_room_that_bots_use(staff, home, office):
    named = {"q": "green", "guildId": str(home.pk).upper()}
    Memory.objects.update(room="kitchen")

    def score(**where):
        (result,) = ask(staff, SEARCH, **named, **where).json()["results"]
        return result["score"]

    elsewhere = score(channelId="garden")
    assert score(channelId="kitchen") > elsewhere + 0.01
    assert score(channel="web") > elsewhere + 0.01
    assert ask(staff, SEARCH, q="green", guildId="").status_code == 200
    answer = ask(staff, SEARCH, q="tea", guildId=str(office.pk))
    assert (answer.status_code, answer.json()["param"]) == (400, "guildId")


@pytest.mark.parametrize("user", ["bob", str(UUID(int=1)), "unknown@example.com"])
def test_admin_searches_no_one_else(admin, bob, user):
    for named in (user, bob.email, str(bob.pk)):
        assert ask(admin, SEARCH, q="tea", user=named).status_code == 400


@pytest.mark.req("B-37")
@pytest.mark.parametrize("q", ["", " \n", "\x00"])
def test_search_without_a_query_is_empty(admin, q):
    assert ask(admin, SEARCH, q=q).json() == {"results": [], "limit": 0}
    assert ask(admin, SEARCH).json() == {"results": [], "limit": 0}


@pytest.mark.req("S3-69")
@pytest.mark.parametrize(
    ("limit", "used"),
    [("0", 1), ("-3", 1), ("5", 5), ("99999999999999999999", 24), ("x", 8), ("²", 8)],
)
def test_limit_is_between_1_and_24(admin, limit, used):
    assert ask(admin, SEARCH, q="tea", limit=limit).json()["limit"] == used


@pytest.mark.parametrize(
    ("path", "method"), [(SNAPSHOT, "GET"), (REFRESH, "POST"), (SEARCH, "GET")]
)
class TestRights:
    def test_member_is_refused(self, space, path, method):
        member = MembershipFactory(space=space, role="member")
        answer = ask(key_of(member.user, space), path, method, q="tea")
        assert answer.status_code == 403
        assert answer.json()["reason"] == "not_an_operator"
        assert "Only admins" in answer.json()["detail"]

    @pytest.mark.parametrize(
        "missing", ["view_memory", "view_profilefact", "view_conversation"]
    )
    def test_staff_without_a_permission_are_refused(self, staff, path, method, missing):
        user = User.objects.get(is_staff=True)
        user.user_permissions.remove(Permission.objects.get(codename=missing))
        assert ask(staff, path, method).status_code == 403

    def test_key_of_a_proxy_is_refused(self, space, ann, path, method):
        _row, secret = api_keys.create(space, ann, trusted_proxy=True)
        answer = ask(secret, path, method, q="tea")
        assert answer.status_code == 403
        assert "trusted proxy" in answer.json()["detail"]

    def test_permission_without_staff_is_refused(self, staff, path, method):
        User.objects.filter(is_staff=True).update(is_staff=False)
        assert ask(staff, path, method).status_code == 403

    def test_admin_of_another_space_sees_nothing_of_this_one(
        self, space, ann, bob, path, method
    ):
        other = SpaceFactory(members=[bob])
        answer = ask(key_of(bob, other), path, method, q="tea")
        assert "tea" not in answer.text

    def test_former_admin_is_refused(self, admin, ann, path, method):
        Membership.objects.filter(user=ann).delete()
        assert ask(admin, path, method).status_code == 401

    def test_unknown_key_is_refused(self, db, path, method):
        for secret in ("", "sk-meddie-unknown", "ż"):
            answer = ask(secret, path, method)
            assert answer.status_code == 401
            assert answer.json()["reason"] == "invalid_api_key"

    def test_other_methods_are_refused(self, admin, path, method):
        other = "POST" if method == "GET" else "GET"
        answer = ask(admin, path, other)
        assert (answer.status_code, answer.headers["Allow"]) == (405, method)

    def test_calls_are_limited(self, admin, path, method):
        ApiKey.objects.update(calls_per_minute=1)
        ask(admin, path, method)
        answer = ask(admin, path, method)
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 60

    def test_each_look_is_recorded_with_its_reader(self, staff, ann, bob, path, method):
        ask(staff, path, method, q="tea")
        looks = MemoryEvent.objects.filter(kind="inspection")
        assert {ann.pk, bob.pk} <= set(looks.values_list("user", flat=True))
        reader = str(ApiKey.objects.get(user__is_staff=True).user_id)
        assert {str(look.by_id) for look in looks} == {reader}

    def test_look_at_nothing_is_recorded_for_the_reader(self, bob, path, method):
        empty = SpaceFactory(members=[bob])
        ask(key_of(bob, empty), path, method, q="tea")
        look = MemoryEvent.objects.get(kind="inspection")
        assert (look.user_id, look.space_id) == (bob.pk, empty.pk)


def test_memory_that_is_off_shows_no_own_facts(admin, ann):
    User.objects.filter(pk=ann.pk).update(memory_on=False)
    page = ask(admin, SNAPSHOT).text
    assert "green" not in page
    assert found(admin) == set()


@pytest.mark.parametrize("how", ["left", "inactive", "off"])
def test_search_leaves_out_former_members_and_memory_that_is_off(staff, bob, how):
    if how == "left":
        Membership.objects.filter(user=bob).delete()
    elif how == "inactive":
        User.objects.filter(pk=bob.pk).update(is_active=False)
    else:
        User.objects.filter(pk=bob.pk).update(memory_on=False)
    assert found(staff) == {"User likes green tea", "Memory line: tea on Mondays."}
