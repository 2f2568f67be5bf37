"""Admin pages of memory: staff read, search, filter and retract, and edit no fact."""

import re
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils.timezone import now

from meddie.admin import FirstRows
from memory.admin_events import summary_of
from memory.models import Memory, MemoryEvent, MemoryPolicy, ProfileFact
from memory.values import ProfileCandidate
from people.models import User
from tests.factories import MemoryFactory, ProfileFactFactory, SpaceFactory, UserFactory
from tests.memory.conftest import remember_profile, said
from tests.memory.jobs import run_due

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    user = UserFactory(is_staff=True, is_superuser=True)
    client.force_login(user)
    return client


def listing(staff, **filters):
    """The texts in the list."""
    page = staff.get(reverse("admin:memory_memory_changelist"), filters)
    assert page.status_code == 200
    return sorted(m.content for m in page.context["cl"].queryset)


@pytest.fixture
def facts(resolver, tell, others):
    tell("User is allergic to ibuprofen", "User weighs 80 kg")
    tell("User weighs 82 kg")
    run_due()
    tell("User is allergic to bees", scope=others[0])
    tell("User plays chess", scope=others[1])


def test_the_list_shows_texts_of_a_chosen_user_and_no_vector(staff, facts, ann):
    url = reverse("admin:memory_memory_changelist")
    assert "ibuprofen" not in staff.get(url).text
    page = staff.get(url, {"user": ann.pk}).text
    assert "User is allergic to ibuprofen" in page
    assert not re.search(r"\[-?0\.\d+[, ]", page)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("ibuprofen", ["User is allergic to ibuprofen"]),
        ("ALLERG user", ["User is allergic to bees", "User is allergic to ibuprofen"]),
        ("allergic chess", []),
        ("'", None),
        ("a:* | b & !", ["User is allergic to bees"]),
    ],
)
def test_search_goes_through_the_tsvector(staff, facts, words, found):
    result = listing(staff, q=words)
    assert result == found if found is not None else len(result) == 5


@pytest.mark.req("S0-59")
def test_active_memories_are_listed_with_the_latest_change_first(staff, ann, home):
    for text in ("first", "second", "third"):
        MemoryFactory(user=ann, space=home, content=text)
    Memory.objects.get(content="first").save()
    MemoryFactory(
        content="gone", active=False, retired_reason="archived", retired_at=now()
    )
    url = reverse("admin:memory_memory_changelist")
    page = staff.get(url, {"state": "active"})
    assert [m.content for m in page.context["cl"].queryset] == [
        "first",
        "third",
        "second",
    ]


def test_the_list_can_be_filtered(staff, facts, ann, bob, home, office):
    assert listing(staff, state="active", user=ann.pk, space=home.pk) == [
        "User is allergic to ibuprofen",
        "User weighs 82 kg",
    ]
    assert listing(staff, state="superseded") == ["User weighs 80 kg"]
    assert listing(staff, user=bob.pk) == ["User is allergic to bees"]
    assert listing(staff, space=office.pk) == ["User plays chess"]
    assert listing(staff, user=uuid.uuid4()) == []
    assert listing(staff, user="nonsense") == []
    Memory.objects.filter(content="User plays chess").update(kind="profile")
    assert listing(staff, kind__exact="profile") == ["User plays chess"]


def test_long_list_is_counted_up_to_a_limit(staff, facts, monkeypatch):
    monkeypatch.setattr(FirstRows, "MOST", 3)
    page = staff.get(reverse("admin:memory_memory_changelist"), {"q": "user"})
    assert page.context["cl"].result_count == 3
    assert len(page.context["cl"].result_list) > 0


@pytest.mark.parametrize("count", [1, 12])
def test_the_number_of_queries_does_not_grow(
    staff, scope, tell, django_assert_max_num_queries, count
):
    MemoryFactory.create_batch(count)
    for number in range(count):
        tell(f"User has note {number}")
        MemoryPolicy.objects.create(space=SpaceFactory())
        ProfileFactFactory()
    names = ("memory", "profilefact", "memoryevent", "memorypolicy")
    for name in names:
        with django_assert_max_num_queries(12):
            staff.get(reverse(f"admin:memory_{name}_changelist"))


def test_a_memorys_page_shows_for_whom_it_is_recalled(staff, facts, ann):
    memory = Memory.objects.get(content="User weighs 82 kg")
    url = reverse("admin:memory_memory_change", args=[memory.pk])
    page = staff.get(url).content.decode()
    assert f"{ann} / Home" in page
    assert 'name="_save"' not in page
    assert not re.search(r"\[-?0\.\d+[, ]", page)


def test_policy_page_switches_the_line_off(staff, home):
    policy = MemoryPolicy.objects.create(space=home)
    page = reverse("admin:memory_memorypolicy_change", args=[policy.pk])
    fields = staff.get(page).context["adminform"].form.initial
    assert fields.pop("tells_remembered")
    posted = {name: value for name, value in fields.items() if value not in (None, "")}
    staff.post(page, posted)
    policy.refresh_from_db()
    assert not policy.tells_remembered


def test_rows_are_not_written_by_hand(staff, facts):
    memory = Memory.objects.first()
    for name in ("profilefact", "memoryevent"):
        assert staff.get(reverse(f"admin:memory_{name}_add")).status_code == 403
    change = reverse("admin:memory_memory_change", args=[memory.pk])
    assert staff.post(change, {"content": "changed"}).status_code == 403
    delete = reverse("admin:memory_memory_delete", args=[memory.pk])
    assert staff.post(delete, {"post": "yes"}).status_code == 403


def retract(client, *memories):
    return client.post(
        reverse("admin:memory_memory_changelist"),
        {"action": "retract_selected", "_selected_action": [m.pk for m in memories]},
        follow=True,
    )


def test_staff_retract_what_they_select(staff, facts):
    memory = Memory.objects.get(content="User plays chess")
    page = retract(staff, memory)
    assert "1 fact was retracted." in page.content.decode()
    memory.refresh_from_db()
    assert (memory.active, memory.retired_reason) == (False, "retracted")
    assert MemoryEvent.objects.filter(kind="memory_forget").count() == 1
    assert "0 facts were retracted." in retract(staff, memory).content.decode()


def test_staff_with_view_permission_only_cannot_retract(client, facts):
    viewer = UserFactory(is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_memory"))
    client.force_login(viewer)
    memory = Memory.objects.get(content="User plays chess")
    retract(client, memory)
    memory.refresh_from_db()
    assert memory.active


def test_users_who_are_not_staff_are_sent_to_sign_in(client, facts, bob):
    client.force_login(bob)
    page = client.get(reverse("admin:memory_memory_changelist"))
    assert page.status_code == 302


def test_an_event_shows_its_facts(staff, facts):
    event = MemoryEvent.objects.order_by("created_at").first()
    url = reverse("admin:memory_memoryevent_change", args=[event.pk])
    assert "User is allergic to ibuprofen" in staff.get(url).content.decode()


@pytest.fixture
def viewer(client):
    """Staff with the right to view memories and their events, and no other."""
    viewer = UserFactory(is_staff=True, email="viewer@example.com")
    rights = ("view_memory", "view_memoryevent")
    viewer.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(viewer)
    return client


def looks(name):
    """What was seen, by the address of its owner."""
    events = MemoryEvent.objects.filter(kind="inspection").select_related("user")
    seen = {event.user.email: set(event.data[name]) for event in events}
    viewer = User.objects.get(email="viewer@example.com")
    assert {event.by_id for event in events} <= {viewer.pk}
    return seen


def test_each_owner_of_a_found_text_has_a_record_of_the_look(viewer, ann, bob, home):
    mine, other = (
        MemoryFactory(user=owner, space=home, content="User knits")
        for owner in (ann, bob)
    )
    viewer.get(reverse("admin:memory_memory_changelist"), {"q": "user"})
    assert looks("memories") == {ann.email: {str(mine.pk)}, bob.email: {str(other.pk)}}


def test_a_list_of_all_users_shows_no_text_and_is_no_look(viewer, ann, home):
    MemoryFactory(user=ann, space=home, content="User knits")
    url = reverse("admin:memory_memory_changelist")
    for filters in ({}, {"state": "active"}):
        assert "knits" not in viewer.get(url, filters).text
    assert looks("memories") == {}


@pytest.mark.parametrize("user", ["", "nonsense"])
def test_a_user_who_is_no_user_shows_no_text(staff, ann, home, user):
    MemoryFactory(user=ann, space=home, content="User knits")
    ProfileFactFactory(user=ann, space=home, key="hobby", value="knits")
    for name in ("memory", "profilefact"):
        url = reverse(f"admin:memory_{name}_changelist")
        assert "knits" not in staff.get(url, {"user": user}).text


def test_choosing_a_user_is_recorded_once_a_day(viewer, ann, home):
    mine = MemoryFactory(user=ann, space=home, content="User knits")
    url = reverse("admin:memory_memory_changelist")
    for _ in range(2):
        assert "User knits" in viewer.get(url, {"user": ann.pk}).text
    event = MemoryEvent.objects.get(kind="inspection")
    assert (event.user, event.data["memories"]) == (ann, [str(mine.pk)])
    MemoryEvent.objects.update(created_at=now() - timedelta(days=1))
    viewer.get(url, {"user": ann.pk})
    assert MemoryEvent.objects.filter(kind="inspection").count() == 2


def test_search_that_finds_nothing_is_recorded(viewer, ann, home):
    MemoryFactory(user=ann, space=home, content="User knits")
    viewer.get(reverse("admin:memory_memory_changelist"), {"q": "cancer"})
    assert looks("memories") == {"viewer@example.com": set()}


def test_page_of_a_memory_or_event_is_recorded(viewer, facts, ann):
    memory = Memory.objects.get(content="User weighs 82 kg")
    viewer.get(reverse("admin:memory_memory_change", args=[memory.pk]))
    assert looks("memories") == {ann.email: {str(memory.pk)}}
    MemoryEvent.objects.filter(kind="inspection").delete()
    event = MemoryEvent.objects.filter(user=ann).first()
    viewer.get(reverse("admin:memory_memoryevent_change", args=[event.pk]))
    assert looks("events") == {ann.email: {str(event.pk)}}


@pytest.mark.parametrize("page", ["change", "changelist"])
def test_texts_of_others_that_an_event_shows_are_recorded(viewer, ann, bob, home, page):
    lent = MemoryFactory(user=bob, space=home, content="Bob keeps bees")
    decision = {
        "action": "ignore",
        "reason": "",
        "fact": None,
        "target": str(lent.pk),
    }
    event = MemoryEvent.objects.create(
        kind="memory_decision", user=ann, space=home, data={"decisions": [decision]}
    )
    name = f"admin:memory_memoryevent_{page}"
    one = [event.pk] if page == "change" else []
    answer = viewer.get(reverse(name, args=one), {"user": ann.pk})
    assert "Bob keeps bees" in answer.text
    look = MemoryEvent.objects.get(kind="inspection", user=bob)
    assert look.data["memories"] == [str(lent.pk)]


def test_refused_look_is_not_recorded(client, facts):
    client.force_login(UserFactory(is_staff=True))
    memory = Memory.objects.first()
    page = reverse("admin:memory_memory_change", args=[memory.pk])
    for path in (page, reverse("admin:memory_memory_changelist")):
        assert client.get(path).status_code == 403
    assert not MemoryEvent.objects.filter(kind="inspection").exists()


def test_events_have_a_summary_and_are_found_by_user_and_memory(staff, facts, ann, bob):
    memory = Memory.objects.get(content="User is allergic to bees")
    retract(staff, memory)
    url = reverse("admin:memory_memoryevent_changelist")

    def found(**filters):
        rows = staff.get(url, filters).context["cl"].queryset
        return {summary_of(event) for event in rows if event.kind != "inspection"}

    assert found(user=bob.pk) == found(q=bob.email) == {"added 1", "forgot 1"}
    assert found(q=str(memory.pk)) == {"added 1", "forgot 1"}
    assert "added 2" in found(user=ann.pk)
    assert "forgot 1" in staff.get(url).text


def test_events_of_a_chosen_user_tell_what_happened_to_which_fact(viewer, facts, ann):
    url = reverse("admin:memory_memoryevent_changelist")
    assert "80 kg" not in viewer.get(url).text
    page = viewer.get(url, {"user": ann.pk}).text
    assert "Added: <a" in page
    assert "User is allergic to ibuprofen</a>" in page
    assert "in place of <a" in page
    assert ann.email in looks("events")


def test_events_are_found_by_the_words_of_a_fact(viewer, facts, ann, bob):
    url = reverse("admin:memory_memoryevent_changelist")
    rows = viewer.get(url, {"q": "allergic bees"}).context["cl"].queryset
    assert {event.user for event in rows} == {bob}
    rows = viewer.get(url, {"q": "bees", "user": ann.pk}).context["cl"].queryset
    assert not rows


def test_words_of_facts_are_neither_shown_nor_searched_without_the_right(
    viewer, facts, bob
):
    User.objects.get(email="viewer@example.com").user_permissions.remove(
        Permission.objects.get(codename="view_memory")
    )
    url = reverse("admin:memory_memoryevent_changelist")
    assert not viewer.get(url, {"q": "bees"}).context["cl"].queryset
    page = viewer.get(url, {"user": bob.pk}).text
    assert "Added: <a" in page
    assert "bees" not in page


def test_repairs_leave_no_text_in_the_log_of_the_admin(staff, facts):
    memory = Memory.objects.get(content="User plays chess")
    assert str(memory) == "User plays chess"
    staff.post(reverse("admin:memory_memory_retire", args=[memory.pk]))
    entry = LogEntry.objects.get()
    assert entry.object_id == str(memory.pk)
    assert entry.object_repr.startswith("Memory, ")


def test_the_admin_is_meddies_and_has_british_dates(staff, ann, home):
    at = datetime(2026, 11, 22, 14, 5, tzinfo=UTC)
    MemoryFactory(user=ann, space=home, stated_at=at)
    page = staff.get(reverse("admin:memory_memory_changelist")).text
    assert "22 November 2026, 14:05" in page
    assert "Django administration" not in page


def test_the_policy_of_a_space_can_be_chosen(staff, home):
    staff.post(
        reverse("admin:memory_memorypolicy_add"),
        {
            "space": home.pk,
            "ranking": "chat_literal",
            "api_ranking": "fused",
            "decay_half_life": 30,
            "facts_tokens": 500,
            "keep_lore": 60,
            "journal": "never",
            "inline_capture": "on",
            "background_capture": "always",
        },
    )
    policy = MemoryPolicy.objects.get()
    assert (policy.ranking, policy.facts_tokens) == ("chat_literal", 500)
    assert (policy.api_ranking, policy.decay_half_life) == ("fused", 30)


def test_profile_facts_are_listed_filtered_and_retracted(viewer, ann, bob, home):
    mine, other = (
        ProfileFactFactory(user=owner, space=home, key="name", value=owner.name)
        for owner in (ann, bob)
    )
    url = reverse("admin:memory_profilefact_changelist")
    chosen = {"action": "retract_selected", "_selected_action": [mine.pk]}
    User.objects.get(email="viewer@example.com").user_permissions.add(
        Permission.objects.get(codename="view_profilefact")
    )
    page = viewer.get(url, {"user": ann.pk, "state": "active"})
    assert list(page.context["cl"].queryset) == [mine]
    assert looks("profile_facts") == {ann.email: {str(mine.pk)}}
    viewer.get(reverse("admin:memory_profilefact_change", args=[other.pk]))
    assert looks("profile_facts")[bob.email] == {str(other.pk)}
    viewer.post(url, chosen)
    assert ProfileFact.objects.active().count() == 2


def test_staff_retract_a_profile_fact_with_its_former_values(staff, scope):
    for at, value in enumerate(("Alex", "Sasha")):
        candidate = ProfileCandidate("identity", "name", value)
        date = now() - timedelta(days=9 - at)
        remember_profile(scope, [candidate], said(date))
    url = reverse("admin:memory_profilefact_changelist")
    fact = ProfileFact.objects.active().get()
    chosen = {"action": "retract_selected", "_selected_action": [fact.pk]}
    for told in ("1 fact was retracted.", "0 facts were retracted."):
        assert told in staff.post(url, chosen, follow=True).text
    assert ProfileFact.objects.retracted().count() == 2
    event = MemoryEvent.objects.filter(kind="memory_decision").first()
    page = staff.get(reverse("admin:memory_memoryevent_change", args=[event.pk]))
    assert "name: Alex" in page.text
