"""Add, list, search, correct, forget and look back through /api/memories."""

import json
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from conversations.api.models import AnsweredCall
from memory.models import CaptureJob, Memory, MemoryPolicy
from people.models import User
from tests.conversations.api.memories.client import Memories, named
from tests.conversations.api.openai.client import api_for
from tests.conversations.outdated.checking import answered, run_checks
from tests.factories import MembershipFactory
from tests.memory.jobs import run_due
from tests.verdicts import replaces_other_numbers

pytestmark = [pytest.mark.django_db(transaction=True)]


class TestAdding:
    def test_one_text_is_remembered_with_its_reason(self, ann):
        added = ann.send("POST", json={"text": "I live in Gdynia"})
        (decision,) = added["decisions"]
        assert (decision["action"], decision["reason"]) == ("add", "new")
        assert decision["message"] == "It was not known."
        assert ann.texts() == ["I live in Gdynia"]

    def test_new_memory_has_an_address_and_a_known_one_is_not_created(self, ann):
        body = {"text": "I live in Gdynia"}
        created = ann.api.send("POST", "/api/memories", json=body)
        assert created.status_code == 201
        shown = ann.api.send("GET", created.headers["Location"])
        assert shown.json()["text"] == "I live in Gdynia"
        again = ann.api.send("POST", "/api/memories", json=body)
        assert (again.status_code, "Location" in again.headers) == (200, False)

    def test_text_has_one_limit_in_every_call(self, ann):
        key, text = ann.tell("I live in Gdynia"), {"text": "x" * 501}
        for method, path in (("POST", ""), ("PATCH", f"/{key}"), ("POST", "/forget")):
            assert ann.send(method, path, 422, json=text)["param"] == "text"

    def test_known_fact_is_ignored(self, ann):
        key = ann.tell("I live in Gdynia")
        (decision,) = ann.add("I live in Gdynia")
        assert (decision["action"], decision["reason"]) == ("ignore", "duplicate")
        assert decision["message"] == "This is known already."
        assert decision["id"] == key

    def test_many_are_decided_in_their_order(self, ann, member):
        MemoryPolicy.objects.create(space=member.space, lore=True)
        facts = [
            {"kind": "lore", "text": "We eat at seven"},
            {"text": "I play the violin"},
            {
                "kind": "profile",
                "category": "identity",
                "key": "location",
                "value": "Oslo",
            },
            {"text": "My password is hunter22"},
            {"kind": "profile", "key": "allergy", "value": "peanuts"},
        ]
        added = ann.send("POST", json={"memories": facts})
        decided = [(d["text"], d["action"], d["reason"]) for d in added["decisions"]]
        assert decided == [
            ("We eat at seven", "add", "new"),
            ("I play the violin", "add", "new"),
            ("location: Oslo", "add", "new"),
            ("My password is hunter22", "reject", "secret"),
            ("allergy: peanuts", "add", "new"),
        ]
        assert ann.texts(kind="lore") == ["We eat at seven"]
        assert ann.texts(kind="profile") == ["location: Oslo"]
        assert len(ann.texts()) == 4

    def test_lore_of_a_space_that_keeps_none_is_refused(self, ann):
        (decision,) = ann.add(memories=[{"kind": "lore", "text": "We eat at seven"}])
        assert (decision["action"], decision["reason"]) == ("reject", "lore_off")

    def test_nothing_is_remembered_while_memory_is_off(self, ann, member):
        key = ann.tell("I live in Gdynia")
        User.objects.filter(pk=member.user.pk).update(memory_on=False)
        (decision,) = ann.add("I play the violin")
        assert (decision["action"], decision["reason"]) == ("reject", "no_memory")
        assert ann.texts() == ["I live in Gdynia"]  # and may be forgotten
        ann.send("DELETE", f"/{key}")
        assert ann.texts() == []

    def test_date_is_when_it_was_stated(self, ann):
        at = timezone.now() - timedelta(days=30)
        ann.add("I live in Gdynia", stated_at=at.isoformat())
        assert Memory.objects.get().stated_at == at

    def test_forgotten_fact_is_remembered_when_it_is_told_again(self, ann):
        key = ann.tell("I live in Gdynia")
        ann.send("DELETE", f"/{key}")
        assert ann.add("I live in Gdynia")[0]["action"] == "add"
        assert ann.texts() == ["I live in Gdynia"]

    def test_messages_that_are_not_inferred_are_stored_as_they_are(self, ann):
        messages = [
            {"role": "user", "content": "I live in Gdynia"},
            {"role": "assistant", "content": "A fine town."},
            {"role": "user", "content": "I play the violin"},
        ]
        ann.send("POST", json={"messages": messages, "infer": False})
        assert set(ann.texts()) == {"I live in Gdynia", "I play the violin"}

    def test_facts_are_extracted_from_messages_by_a_job(self, ann):
        messages = [
            {"role": "assistant", "content": "Where do you live?"},
            {"role": "user", "content": "I live in Gdynia by the sea"},
        ]
        added = ann.send("POST", "", 202, json={"messages": messages})
        (key,) = added["jobs"]
        assert ann.send("GET", f"/jobs/{key}")["state"] in {"waiting", "done"}
        job = CaptureJob.objects.get(pk=key)
        assert (job.kind, job.user.name) == ("extract", "Ann")

    def test_messages_of_a_space_that_extracts_nothing_are_refused(self, ann, member):
        MemoryPolicy.objects.create(space=member.space, background_capture="never")
        messages = [{"role": "user", "content": "I live in Gdynia by the sea"}]
        (decision,) = ann.add(messages=messages)
        assert (decision["action"], decision["reason"]) == ("reject", "capture_off")

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"text": ""},
            {"text": "A", "memories": [{"text": "B"}]},
            {"memories": [{"kind": "profile", "text": "A"}]},
            {"memories": [{"text": "A", "key": "city"}]},
            {"memories": [{"text": "A"}] * 21},
            {"text": "A", "unknown": 1},
            {"text": "A", "stated_at": "2999-01-01T00:00:00Z"},
            {"text": "A", "stated_at": "2020-01-01T00:00:00"},
            {"messages": [{"role": "tool", "content": "x"}]},
        ],
    )
    def test_a_body_that_is_not_valid_is_a_problem(self, ann, body):
        problem = ann.send("POST", "", 422, json=body)
        assert problem["reason"] == "invalid_value"
        assert problem["detail"].endswith(".")

    def test_a_body_that_is_no_json_is_a_problem(self, ann):
        assert ann.send("POST", "", 400, content="{")["reason"] == "invalid_json"


class TestSendingAgain:
    def test_same_key_and_body_are_carried_out_once(self, ann):
        again = {"headers": {"Idempotency-Key": "1"}}
        first = ann.add("I live in Gdynia", **again)
        assert ann.add("I live in Gdynia", **again) == first
        assert first[0]["action"] == "add"
        assert ann.add("I live in Gdynia")[0]["action"] == "ignore"

    def test_no_text_is_kept_of_the_answer(self, ann):
        ann.add("I live in Gdynia", headers={"Idempotency-Key": "1"})
        assert "Gdynia" not in json.dumps(AnsweredCall.objects.get().answer)

    def test_extraction_is_enqueued_once(self, ann):
        messages = [{"role": "user", "content": "I live in Gdynia by the sea"}]
        again = {"headers": {"Idempotency-Key": "1"}, "json": {"messages": messages}}
        first = ann.send("POST", "", 202, **again)
        assert ann.send("POST", "", 202, **again) == first
        assert CaptureJob.objects.count() == 1

    def test_same_key_for_another_body_is_refused(self, ann):
        ann.add("I live in Gdynia", headers={"Idempotency-Key": "1"})
        problem = ann.add(
            "I live in Oslo", status=422, headers={"Idempotency-Key": "1"}
        )
        assert problem["reason"] == "idempotency_key_reused"

    def test_keys_of_two_users_differ(self, ann, bob):
        for user in (ann, bob):
            user.add("I live in Gdynia", headers={"Idempotency-Key": "1"})
            assert user.texts() == ["I live in Gdynia"]

    def test_answers_are_kept_for_a_day(self, ann):
        ann.add("I live in Gdynia", headers={"Idempotency-Key": "1"})
        AnsweredCall.clean_up()
        assert AnsweredCall.objects.exists()
        long_ago = timezone.now() - timedelta(days=1, minutes=1)
        AnsweredCall.objects.update(created_at=long_ago)
        AnsweredCall.clean_up()
        assert not AnsweredCall.objects.exists()


class TestReading:
    def test_pages_follow_each_other(self, ann):
        now = timezone.now()
        for number in range(5):
            at = now - timedelta(minutes=number % 2)  # some at the same time
            Memory.objects.filter(pk=ann.tell(f"I like tea number {number}")).update(
                stated_at=at
            )
        read, cursor = [], None
        for _page in range(3):
            query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
            page = ann.send("GET", params=query)
            read += [one["text"] for one in page["memories"]]
            cursor = page["next"]
        assert cursor is None
        assert read == ann.texts()
        assert len(set(read)) == 5

    def test_page_goes_on_after_a_row_that_was_forgotten(self, ann):
        for text in ("I like tea", "I play the violin", "I live in Gdynia"):
            ann.tell(text)
        page = ann.send("GET", params={"limit": 1})
        ann.send("DELETE", f"/{page['next']}")
        assert ann.texts(cursor=page["next"]) == ["I play the violin", "I like tea"]

    def test_filters(self, ann):
        old = timezone.now() - timedelta(days=30)
        ann.add("I live in Gdynia", stated_at=old.isoformat(), room="kitchen")
        ann.add("I play the violin")
        day_ago = (timezone.now() - timedelta(days=1)).isoformat()
        assert ann.texts(since=day_ago) == ["I play the violin"]
        assert ann.texts(until=day_ago) == ["I live in Gdynia"]
        assert ann.texts(room="kitchen") == ["I live in Gdynia"]
        assert ann.texts(kind="profile") == []

    @pytest.mark.parametrize(
        "query",
        [
            {"kind": "x"},
            {"state": "retracted"},
            {"limit": 0},
            {"limit": 101},
            {"since": "2020-01-01T00:00:00"},
            {"since": "0.5"},
            {"cursor": "x"},
        ],
    )
    def test_query_that_is_not_valid(self, ann, query):
        assert ann.send("GET", "", 422, params=query)["reason"] == "invalid_value"

    @pytest.mark.parametrize("path", ["", "/search?q=tea", "/export"])
    def test_unknown_parameter_is_named(self, ann, path):
        sign = "&" if "?" in path else "?"
        problem = ann.send("GET", f"{path}{sign}stat=archived", 422)
        assert (problem["param"], problem["reason"]) == ("stat", "invalid_value")

    def test_pages_tell_how_many_there_are(self, ann):
        ann.add("I play the violin", "I like green tea")
        page = ann.send("GET", params={"limit": 1, "kind": "memory"})
        assert (len(page["memories"]), page["total"]) == (1, 2)
        cursor = {"limit": 1, "cursor": page["next"]}
        assert ann.send("GET", params=cursor)["total"] == 2

    def test_search_by_post_keeps_the_query_out_of_the_address(self, ann):
        ann.add("I play the violin")
        found = ann.send("POST", "/search", json={"q": "violin", "limit": 1})
        assert [one["text"] for one in found["memories"]] == ["I play the violin"]
        assert (
            ann.send("POST", "/search", 422, json={"query": "violin"})["param"] == "q"
        )

    def test_unknown_cursor(self, ann):
        problem = ann.send("GET", "", 400, params={"cursor": str(uuid4())})
        assert problem["reason"] == "cursor"

    @pytest.mark.parametrize("ranking", ["ranked", "chat", "strict_semantic", "fused"])
    def test_search_finds_what_fits(self, ann, ranking):
        ann.add("I play the violin", "I live in Gdynia by the sea")
        found = ann.found("I play the violin", ranking=ranking)
        assert found[0] == "I play the violin"

    def test_search_finds_former_memories_if_asked(self, ann):
        key = ann.tell("I play the violin")
        ann.send("PATCH", f"/{key}", json={"text": "I play the cello"})
        assert ann.found("play the violin") == ["I play the cello"]
        found = ann.found("play the violin", former=True)
        assert found == ["I play the violin", "I play the cello"]

    def test_export_can_be_imported(self, ann):
        ann.add(
            memories=[
                {"text": "I play the violin"},
                {"kind": "profile", "key": "location", "value": "Oslo"},
            ]
        )
        export = ann.send("GET", "/export")
        lines = [json.loads(line) for line in export.splitlines()]
        assert [one.get("text", one.get("value")) for one in lines] == [
            "Oslo",
            "I play the violin",
        ]


class TestChanging:
    def test_correction_keeps_the_old_one(self, ann):
        key = ann.tell("I live in Gdynia")
        decision = ann.send("PATCH", f"/{key}", json={"text": "I live in Oslo"})
        assert (decision["action"], decision["reason"]) == ("replace", "edited")
        assert ann.texts() == ["I live in Oslo"]
        assert ann.send("GET", f"/{key}")["state"] == "superseded"
        assert ann.texts(state="superseded") == ["I live in Gdynia"]

    def test_value_of_a_profile_is_corrected(self, ann):
        (told,) = ann.add(
            memories=[{"kind": "profile", "key": "location", "value": "Oslo"}]
        )
        ann.send("PATCH", f"/{told['id']}", json={"text": "Bergen"})
        assert ann.texts() == ["location: Bergen"]

    def test_refused_correction_changes_nothing(self, ann):
        key = ann.tell("I live in Gdynia")
        text = "My password is hunter22"
        problem = ann.send("PATCH", f"/{key}", 422, json={"text": text})
        assert problem["reason"] == "secret"
        assert ann.texts() == ["I live in Gdynia"]

    def test_forgotten_memory_is_in_no_answer(self, ann):
        key = ann.tell("I live in Gdynia")
        assert ann.send("DELETE", f"/{key}") == {"forgotten": [key]}
        assert ann.texts() == ann.found("Gdynia", former=True) == []
        for method, path in (("GET", ""), ("GET", "/history"), ("DELETE", "")):
            ann.send(method, f"/{key}{path}", 404)
        assert Memory.objects.get().content  # for 30 days

    def test_erased_memory_loses_its_text_at_once(self, ann):
        key = ann.tell("I live in Gdynia")
        text = {"text": "I live in Oslo"}
        new = ann.send("PATCH", f"/{key}", json=text)["id"]
        gone = ann.send("DELETE", f"/{new}", params={"erase": True})["forgotten"]
        assert gone == [new]
        assert set(Memory.objects.values_list("content", flat=True)) == {""}

    def test_sentence_forgets_what_it_states(self, ann):
        key = ann.tell("I live in Gdynia")
        ann.tell("I play the violin")
        wished = ann.send("POST", "/forget", json={"text": "I live in Gdynia"})
        (decision,) = wished["decisions"]
        assert (decision["action"], decision["target"]) == ("retract", key)
        assert ann.texts() == ["I play the violin"]

    def test_sentence_that_matches_none_offers_the_nearest(self, ann):
        ann.tell("I play the violin")
        wished = ann.send("POST", "/forget", json={"text": "that I play the cello"})
        assert wished["decisions"][0]["reason"] == "not_found"
        assert [one["text"] for one in wished["nearest"]] == ["I play the violin"]
        assert ann.texts() == ["I play the violin"]

    def test_history_tells_what_happened(self, ann):
        key = ann.tell("I live in Gdynia")
        ann.add("I live in Gdynia")
        new = ann.send("PATCH", f"/{key}", json={"text": "I live in Oslo"})["id"]
        history = ann.send("GET", f"/{key}/history")
        assert history["memory"]["text"] == "I live in Gdynia"
        assert len(history["statements"]) == 1
        (update,) = history["updates"]
        assert update["old"]["text"] == "I live in Gdynia"
        assert update["new"]["id"] == new
        actions = [(e["action"], e["reason"]) for e in history["events"]]
        assert actions == [
            ("add", "new"),
            ("ignore", "duplicate"),
            ("replace", "edited"),
        ]


class TestOthers:
    """The rows of other users and spaces are not there."""

    @pytest.fixture
    def others(self, ann, bob, member, openai_server):
        """Bob in the space, Ann in another one, and an external user."""
        office = MembershipFactory(user=member.user)
        key = api_for(member, trusted_proxy=True)
        return [bob, Memories(api_for(office)), Memories(key, named("carl"))]

    def test_reading_and_changing_by_id_is_not_found(self, ann, others):
        key = ann.tell("I live in Gdynia")
        ann.send("PATCH", f"/{key}", json={"text": "I live in Oslo"})
        for other in others:
            other.tell("I like tea")
            for method, path, body in (
                ("GET", "", None),
                ("GET", "/history", None),
                ("PATCH", "", {"text": "I live in Bergen"}),
                ("DELETE", "", None),
                ("DELETE", "?erase=true", None),
            ):
                problem = other.send(method, f"/{key}{path}", 404, json=body)
                assert problem["reason"] == "not_found"
            other.send("GET", "", 400, params={"cursor": key})
        assert ann.texts() == ["I live in Oslo"]

    def test_lists_searches_exports_and_wishes_are_ones_own(self, ann, others):
        ann.tell("I live in Gdynia")
        for other in others:
            other.tell("I like tea")
            assert other.texts() == ["I like tea"]
            assert "I live in Gdynia" not in other.found("I live in Gdynia")
            assert "Gdynia" not in other.send("GET", "/export")
            wished = other.send("POST", "/forget", json={"text": "I live in Gdynia"})
            assert wished["decisions"][0]["reason"] == "not_found"
            assert "Gdynia" not in json.dumps(wished["nearest"])
        assert ann.texts() == ["I live in Gdynia"]

    def test_lore_is_read_by_members_and_forgotten_by_who_told_it(
        self, ann, bob, member
    ):
        MemoryPolicy.objects.create(space=member.space, lore=True)
        (told,) = ann.add(memories=[{"kind": "lore", "text": "We eat at seven"}])
        assert bob.texts() == ["We eat at seven"]
        history = bob.send("GET", f"/{told['id']}/history")
        assert (history["statements"], history["events"]) == ([], [])
        assert bob.send("DELETE", f"/{told['id']}", 422)["reason"] == "of_space"
        ann.send("DELETE", f"/{told['id']}")
        assert bob.texts() == []

    def test_memory_that_another_user_lends_shows_nothing_of_them(
        self, ann, bob, member
    ):
        ann.add("I live in Gdynia", room="kitchen")
        lent = Memory.objects.get()
        other = User.objects.get(name="Bob")
        lent.evidence = "I, Ann, live there"
        lent.stated_at -= timedelta(days=9)
        lent.save()
        lent.links.create(user=other, space=member.space)
        (seen,) = bob.send("GET")["memories"]
        assert (seen["evidence"], seen["room"], seen["channel"]) == ("", "", "")
        assert seen["stated_at"] > (timezone.now() - timedelta(days=1)).isoformat()
        history = bob.send("GET", f"/{lent.pk}/history")
        assert (history["statements"], history["events"]) == ([], [])

    def test_job_of_another_user_is_not_found(self, ann, bob):
        messages = [{"role": "user", "content": "I live in Gdynia by the sea"}]
        (job,) = ann.send("POST", "", 202, json={"messages": messages})["jobs"]
        bob.send("GET", f"/jobs/{job}", 404)


class TestUsers:
    def test_proxy_acts_for_each_user_it_names(self, proxy):
        carl, dora = (Memories(proxy, named(name)) for name in ("carl", "dora"))
        carl.tell("I live in Gdynia")
        assert (carl.texts(), dora.texts()) == (["I live in Gdynia"], [])
        assert User.objects.filter(external__external_id="dora").count() == 0

    def test_proxy_must_name_a_user(self, proxy):
        for method in ("GET", "POST"):
            body = {"text": "I live in Gdynia"}
            problem = Memories(proxy).send(method, "", 400, json=body)
            assert problem["reason"] == "user_required"

    def test_other_keys_may_not_name_a_user(self, ann):
        problem = ann.send("GET", "", 403, headers=named("carl"))
        assert problem["reason"] == "not_a_trusted_proxy"

    def test_staff_read_and_change_facts_of_a_member(self, ann, bob, member, staff):
        key = ann.tell("I live in Gdynia")
        of_ann = {"user": member.user.email}
        assert staff.texts(**of_ann) == ["I live in Gdynia"]
        text = {"text": "I live in Oslo"}
        staff.send("PATCH", f"/{key}", params=of_ann, json=text)
        assert ann.texts() == ["I live in Oslo"]
        looks = member.user.memory_events.filter(kind="inspection")
        assert looks.get().data == {"listed": [key]}

    def test_staff_without_the_right_change_nothing(self, ann, member, staff):
        key = ann.tell("I live in Gdynia")
        for method, body in (("DELETE", None), ("PATCH", {"text": "I live in Oslo"})):
            staff.api.key.user.user_permissions.filter(
                codename="change_memory"
            ).delete()
            staff.send(
                method, f"/{key}", 403, params={"user": member.user.email}, json=body
            )
        assert ann.texts() == ["I live in Gdynia"]

    def test_member_may_not_name_another(self, bob, member):
        problem = bob.send("GET", "", 403, params={"user": member.user.email})
        assert problem["reason"] == "not_an_operator"

    def test_admin_may_not_name_another(self, ann, bob):
        ann.send("GET", "", 400, params={"user": str(bob.api.key.user_id)})


class TestKeys:
    @pytest.mark.parametrize("bearer", ["", "Bearer x", "Basic x", "sk-meddie"])
    def test_unknown_key(self, ann, bearer):
        for path in ("/api/memories", "/api/memories/search?q=x"):
            answer = ann.api.send("GET", path, headers={"Authorization": bearer})
            assert answer.status_code == 401
            assert answer.json()["reason"] == "invalid_api_key"

    def test_answers_tell_how_many_calls_are_left(self, ann):
        headers = ann.api.send("GET", "/api/memories").headers
        assert headers["RateLimit-Policy"] == '"calls";q=600;w=60'
        assert headers["RateLimit"].startswith('"calls";r=599;t=')

    def test_calls_are_limited(self, ann):
        ann.api.key.calls_per_minute = 3
        ann.api.key.save()
        ann.add("I like tea", "I play the violin", "I live in Gdynia")
        problem = ann.send("GET", "", 429)
        assert problem["reason"] == "rate_limit_exceeded"

    def test_extraction_counts_against_the_daily_limit(self, ann, settings):
        settings.DAILY_MESSAGES = 1
        messages = [{"role": "user", "content": f"I have {n} cats now"} for n in (2, 3)]
        problem = ann.send("POST", "", 429, json={"messages": messages})
        assert problem["reason"] == "daily_limit_reached"
        assert not CaptureJob.objects.exists()

    def test_fact_without_room(self, ann, settings):
        key = ann.tell("I live in Gdynia")
        settings.QUOTA_MB = 0
        for problem in (
            ann.add("I live in Oslo", status=413),
            ann.send("PATCH", f"/{key}", 413, json={"text": "I live in Oslo"}),
        ):
            assert problem["reason"] == "no_room"
            assert "have reached their limit" in problem["detail"]
        assert ann.texts() == ["I live in Gdynia"]

    def test_other_methods_are_a_problem(self, ann):
        problem = ann.send("PUT", "", 405)
        assert problem["reason"] == "method_not_allowed"


class TestSchema:
    def test_schema_has_every_route(self, ann):
        paths = ann.api.send("GET", "/api/openapi.json").json()["paths"]
        assert {"/api/memories", "/api/ingest", "/api/memory/search"} <= set(paths)
        named = paths["/api/memories/{memory}"]
        assert set(named) == {"get", "patch", "delete"}

    def test_page_shows_routes_and_fields_without_scripts_of_others(self, ann):
        page = ann.api.send("GET", "/api/docs")
        assert page.status_code == 200
        assert "POST /api/memories" in page.text
        assert "Idempotency-Key" in page.text
        assert 'id="NewMemories"' in page.text
        assert "<script>" not in page.text


def test_ids_are_uuids(ann):
    UUID(ann.tell("I live in Gdynia"))
    ann.send("GET", "/not-a-uuid", 404)


class TestAnswers:
    def test_answers_that_used_a_corrected_memory_are_listed(self, ann, bob, member):
        key = ann.tell("I am not allergic to penicillin")
        fact = Memory.objects.get(pk=key)
        reply = answered(
            member.user, member.space, "No penicillin allergy, so yes.", fact
        )
        assert ann.send("GET", f"/{key}/answers") == {"answers": []}
        ann.send("PATCH", f"/{key}", json={"text": "I am allergic to penicillin"})
        run_checks()
        (told,) = ann.send("GET", f"/{key}/answers")["answers"]
        assert told["id"] == str(reply.pk)
        assert told["conversation"] == str(reply.conversation_id)
        assert (told["channel"], told["change"]) == ("web", "corrected")
        bob.send("GET", f"/{key}/answers", status=404)

    def test_forgotten_memory_still_names_its_answers_without_texts(self, ann, member):
        key = ann.tell("I am not allergic to penicillin")
        fact = Memory.objects.get(pk=key)
        answered(member.user, member.space, "No penicillin allergy, so yes.", fact)
        ann.send("DELETE", f"/{key}?erase=true")
        run_checks()
        told = ann.send("GET", f"/{key}/answers")
        assert [one["change"] for one in told["answers"]] == ["forgotten"]
        assert "penicillin" not in json.dumps(told)


class TestTime:
    @pytest.fixture
    def moved(self, ann, openai_server):
        """Two weights, told out of order."""
        openai_server.titles.default = replaces_other_numbers
        ann.add("I weigh 84 kg", stated_at="2025-08-12T09:00:00Z")
        run_due()
        ann.add("I weigh 92 kg", stated_at="2024-11-02T09:00:00Z")
        run_due()
        return ann

    def test_list_as_of_a_moment_has_what_was_true_then(self, moved):
        assert moved.texts() == ["I weigh 84 kg"]
        assert moved.texts(as_of="2025-03-01T00:00:00Z") == ["I weigh 92 kg"]
        assert moved.texts(as_of="2025-08-12T09:00:00Z") == ["I weigh 84 kg"]
        assert moved.texts(as_of="2024-01-01T00:00:00Z") == []

    def test_search_as_of_a_moment_finds_what_was_true_then(self, moved):
        then = {"as_of": "2025-03-01T00:00:00Z", "ranking": "fused"}
        assert moved.found("weigh", **then) == ["I weigh 92 kg"]

    def test_memory_says_until_when_it_was_true(self, moved):
        (old,) = moved.send("GET", params={"as_of": "2025-03-01T00:00:00Z"})["memories"]
        assert old["valid_until"] == "2025-08-12T09:00:00Z"
        assert (old["state"], old["valid_from"]) == ("superseded", None)

    def test_forgotten_memory_was_never_true(self, moved):
        (old,) = moved.send("GET", params={"as_of": "2025-03-01T00:00:00Z"})["memories"]
        (now,) = moved.send("GET")["memories"]
        moved.send("DELETE", f"/{now['id']}")
        assert moved.texts(as_of="2025-03-01T00:00:00Z") == []
        assert Memory.objects.get(pk=old["id"]).is_retracted

    def test_time_of_others_is_empty(self, moved, bob):
        assert bob.texts(as_of="2025-03-01T00:00:00Z") == []
