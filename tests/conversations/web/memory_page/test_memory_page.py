"""The page on which users see, correct and forget what Meddie remembers of them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from conversations.fact_texts import RELATION_LABELS
from conversations.forgetting.deletion import delete_conversation
from memory.facts import store
from memory.models import (
    Memory,
    MemoryPolicy,
    ProfileFact,
)
from memory.subjects import NAMED
from people.models import Space
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.web.memory_page.listing import (
    FACT,
    METHODS,
    SHOWN,
    addresses,
    groups,
)
from tests.factories import (
    MemoryFactory,
    PersonFactory,
    ProfileFactFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


class TestSetting:
    @pytest.mark.req("S0-06")
    def test_without_it_no_page_exists_and_none_is_offered(self, anns, fact):
        Space.objects.update(memory_page=False)
        for address in addresses(fact):
            for method in METHODS:
                assert getattr(anns, method)(address).status_code in (404, 405)
        assert anns.get("/memory").status_code == 404
        assert "/memory" not in anns.get("/account").text

    def test_with_it_the_menu_leads_there(self, anns, home):
        assert 'href="/memory"' in anns.get("/account").text

    def test_without_a_session_one_signs_in(self, client, fact):
        for address in addresses(fact):
            answer = client.get(address)
            assert answer.status_code == 405 or "/sign-in" in answer.headers["Location"]


class TestList:
    def test_facts_are_grouped_by_whom_they_are_about(
        self, anns, remembered, home, ann
    ):
        leo = PersonFactory(space=home, name="Leo Green")
        gone = PersonFactory(space=home, name="Ola", deleted_at=timezone.now())
        for text, subject, person in (
            (FACT, "", None),
            ("User's mother has diabetes", "mother", None),
            ("User's mum takes metformin", "mother", None),
            ("Leo: he cannot eat peanuts", "Leo", leo),
            ("Ola has asthma", "daughter Ola", gone),
            ("She is allergic to cats", "?", None),
            ("The house has stairs", None, None),
        ):
            remembered(text, subject=subject, person=person)
        ProfileFactFactory(user=ann, space=home, key="home_town", value="Leeds")
        shown = groups(anns)
        assert list(shown)[:3] == ["About whom?", "You", "Leo Green"]
        assert shown == {
            "About whom?": ["The house has stairs", "She is allergic to cats"],
            "You": ["Home town: Leeds", SHOWN],
            "Leo Green": ["He cannot eat peanuts"],
            "Your daughter Ola": ["Ola has asthma"],
            "Your mother": ["Mum takes metformin", "Mother has diabetes"],
        }

    def test_headings_and_labels_are_in_the_language_of_the_page(
        self, anns, ann, home, remembered
    ):
        remembered(FACT, safety=True)
        remembered("Mama użytkownika gra w szachy", subject="mother")
        ProfileFactFactory(user=ann, space=home, key="name", value="Ann")
        ann.locale = "pl"
        ann.save()
        assert groups(anns) == {
            "O Tobie": [SHOWN, "Imię: Ann"],
            "Twoja matka": ["Mama użytkownika gra w szachy"],
        }

    def test_facts_of_a_person_who_is_the_user_are_theirs(
        self, anns, ann, home, remembered
    ):
        own = PersonFactory(space=home, name="Ann", user=ann)
        remembered("Ann has a cat", subject="Ann", person=own)
        assert groups(anns) == {"You": ["Ann has a cat"]}

    def test_every_relation_has_a_label(self):
        assert RELATION_LABELS.keys() == NAMED

    def test_nothing_yet_is_said(self, anns):
        assert "Nothing yet." in anns.get("/memory").text

    def test_date_and_conversation_are_linked_while_it_exists(
        self, anns, ann, home, remembered
    ):
        conversation = transcripts.start_conversation(ann, home, title="Hay fever")
        message = transcripts.say(conversation, "user", "I am allergic.")
        told = timezone.now().replace(year=2025, month=11, day=22)
        remembered(FACT, source_message=message, stated_at=told)
        link = f"/chat/message/{message.pk}"
        assert "22 November 2025" in anns.get("/memory").text
        assert link in anns.get("/memory").text
        assert "from “Hay fever”" in anns.get("/memory").text
        delete_conversation(conversation)
        assert "Hay fever" not in anns.get("/memory").text
        assert SHOWN in anns.get("/memory").text

    def test_replaced_facts_fold_under_their_successor(self, anns, remembered, fact):
        for text in ("User is allergic to amoxicillin", "User is allergic to nothing"):
            form = {"text": text}
            key = Memory.objects.get(active=True).pk
            anns.post(f"/memory/{key}/edit", form)
        page = anns.get("/memory").text
        assert "2 earlier versions" in page
        before = page.partition("2 earlier versions")[2]
        assert before.index("Is allergic to amoxicillin") < before.index(SHOWN)

    def test_former_value_of_a_profile_fact_folds_too(self, anns, ann, home):
        fact = ProfileFactFactory(user=ann, space=home, key="name", value="Ann")
        anns.post(f"/memory/{fact.pk}/edit", {"text": "Anna"})
        assert groups(anns) == {"You": ["Name: Anna"]}
        before = anns.get("/memory").text.partition("1 earlier version")[2]
        assert '<span dir="auto">Ann</span>' in before

    def test_long_list_has_pages(self, anns, remembered):
        for number in range(51):
            remembered(f"User has book {number}")
        assert len(groups(anns)["You"]) == 50
        second = anns.get("/memory?page=2")
        assert "Page 2 of 2" in second.text
        assert second.text.count('class="fact"') == 1
        assert anns.get("/memory?page=nonsense").status_code == 200

    def test_lore_is_read_only_and_names_its_teller(self, anns, ann, bob, home):
        MemoryPolicy.objects.update_or_create(space=home, defaults={"lore": True})
        line = MemoryFactory(
            user=None,
            space=home,
            audience="space",
            told_by=bob,
            content="Memory line: Dinner is at six.",
            linked=False,
        )
        page = anns.get("/memory").text
        assert groups(anns) == {"Shared in this household": ["Dinner is at six"]}
        assert "told by" in page
        assert "Bob" in page
        assert anns.get(f"/memory/{line.pk}/edit").status_code == 404
        assert anns.post(f"/memory/{line.pk}/forget").status_code == 404

    def test_while_memory_is_off_it_says_so_and_shows_what_is_there(
        self, anns, ann, fact
    ):
        ann.memory_on = False
        ann.save()
        page = anns.get("/memory").text
        assert "Memory is off." in page
        assert SHOWN in page


class TestForget:
    def test_it_asks_and_then_no_text_remains(self, anns, fact):
        assert "Forget this?" in anns.get(f"/memory/{fact.pk}/forget").text
        fact.refresh_from_db()
        assert fact.active
        answer = anns.post(f"/memory/{fact.pk}/forget", follow=True)
        assert "Forgotten." in answer.text
        fact.refresh_from_db()
        assert (fact.content, fact.retired_reason) == ("", "retracted")
        assert anns.post(f"/memory/{fact.pk}/forget").status_code == 404

    def test_profile_fact_is_forgotten_alike(self, anns, ann, home):
        fact = ProfileFactFactory(user=ann, space=home, value="Ann")
        anns.post(f"/memory/{fact.pk}/forget")
        assert not ProfileFact.objects.exclude(value="").exists()

    def test_all_is_confirmed_with_the_number(self, anns, ann, home, remembered):
        for number in range(3):
            remembered(f"User has book {number}")
        assert "Forget all 3 things" in anns.get("/memory/forget").text
        answer = anns.post("/memory/forget", follow=True)
        assert "3 things forgotten." in answer.text
        assert "Nothing yet." in answer.text
        assert not Memory.objects.exclude(content="").exists()


def test_stated_last_comes_first(anns, remembered):
    for days in (3, 1, 2):
        told = timezone.now() - timedelta(days=days)
        remembered(f"User has book {days}", stated_at=told)
    assert groups(anns)["You"] == [f"Has book {days}" for days in (1, 2, 3)]


class TestTime:
    def test_versions_are_a_line_of_time(self, anns, ann, home):
        times = [datetime(2025, month, 5, 12, tzinfo=UTC) for month in (1, 6)]
        old, new = (
            MemoryFactory(user=ann, space=home, content=text, stated_at=at)
            for text, at in zip(
                ("User weighs 92 kg", "User weighs 84 kg"), times, strict=True
            )
        )
        scope = scope_for(ann, home.pk, channel="web")
        store.supersede(scope, Memory.objects.get(pk=old.pk), new, "newer")
        page = anns.get("/memory").text
        now, before = (
            page.index(text)
            for text in ("since 5 June 2025", "5 January 2025 to 5 June 2025")
        )
        assert now < before
        assert page.index("Weighs 92 kg") > before

    def test_stated_times_are_shown_as_they_were_stated(self, anns, ann, home):
        times = {
            "valid_from": datetime(2019, 5, 1, tzinfo=UTC),
            "valid_until": datetime(2024, 3, 1, tzinfo=UTC),
        }
        MemoryFactory(user=ann, space=home, content="User was vegan", **times)
        assert "May 2019 to February 2024" in anns.get("/memory").text
