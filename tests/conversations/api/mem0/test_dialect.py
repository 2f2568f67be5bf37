"""mem0's addresses: whose memories they read and change, and what they refuse."""

import json

import pytest

from memory.models import Memory
from people.models import User
from tests.conversations.api.memories.conftest import ann, bob, member, proxy
from tests.memory.jobs import run_due
from tests.openai_answers import says

__all__ = ["ann", "bob", "member", "proxy"]

pytestmark = pytest.mark.django_db(transaction=True)
LIST, ADD, SEARCH = "/v3/memories/", "/v3/memories/add/", "/v3/memories/search/"


def call(api, method, path, status=200, **how):
    token = f"Token {api.secret}"
    answer = api.send(method, path, authorization=token, **how)
    assert answer.status_code == status, answer.text
    return answer.json()


def add(api, text, user_id=None, **more):
    said = [{"role": "user", "content": text}]
    body = {"messages": said, "infer": False, "user_id": user_id, **more}
    (result,) = call(api, "POST", ADD, json=body)["results"]
    return result


def texts(api, user_id, **more):
    body = {"filters": {"user_id": user_id, **more}}
    return [one["memory"] for one in call(api, "POST", LIST, json=body)["results"]]


def test_each_user_id_is_a_user_of_the_proxy(proxy):
    add(proxy, "I play the violin", "carl")
    assert texts(proxy, "carl") == ["I play the violin"]
    assert texts(proxy, "dora") == []
    named = [one["name"] for one in call(proxy, "GET", "/v1/entities/")["results"]]
    assert named == ["carl"]


def test_memories_of_members_are_not_reached_by_the_proxy(proxy, ann):
    key = ann.tell("I live in Gdynia")
    add(proxy, "I play the violin", "carl")
    for method, path, body in (
        ("GET", "", None),
        ("GET", "history/", None),
        ("PUT", "", {"text": "I live in Oslo"}),
        ("DELETE", "", None),
    ):
        call(proxy, method, f"/v1/memories/{key}/{path}", 404, json=body)
    found = call(
        proxy, "POST", SEARCH, json={"query": "Gdynia", "filters": {"user_id": "carl"}}
    )
    assert "Gdynia" not in str(found)
    assert ann.texts() == ["I live in Gdynia"]


def test_ordinary_key_acts_for_its_own_user(ann, bob):
    key = add(ann.api, "I play the violin")["id"]
    assert texts(ann.api, ann.api.key.user.email) == ["I play the violin"]
    problem = call(ann.api, "POST", LIST, 403, json={"filters": {"user_id": "carl"}})
    assert problem["reason"] == "not_a_trusted_proxy"
    for method in ("GET", "DELETE"):
        call(bob.api, method, f"/v1/memories/{key}/", 404)
    call(bob.api, "DELETE", "/v1/memories/", 403, params={"user_id": "carl"})
    assert ann.texts() == ["I play the violin"]


def test_proxy_must_name_a_user(proxy):
    said = [{"role": "user", "content": "I play the violin"}]
    for method, path, body in (
        ("POST", ADD, {"messages": said}),
        ("POST", LIST, {}),
        ("POST", SEARCH, {"query": "violin"}),
        ("DELETE", "/v1/memories/", None),
    ):
        assert call(proxy, method, path, 400, json=body)["reason"] == "user_required"


@pytest.mark.parametrize(
    "filters",
    [
        {"categories": "x"},
        {"OR": [{"user_id": "carl"}, {"user_id": "dora"}]},
        {"OR": [{"user_id": "carl", "run_id": "x"}, {"run_id": "y"}]},
        {"OR": [{"run_id": "x"}, {"metadata": {"a": 1}}]},
        {"AND": ["x"]},
        {"AND": [{"metadata": {"a": 1}}, {"metadata": {"a": 2}}]},
        {"NOT": [{"user_id": "dora"}]},
    ],
)
def test_filters_that_would_be_ignored_are_refused(proxy, filters):
    body = {"filters": {"user_id": "carl"} | filters}
    assert call(proxy, "POST", LIST, 400, json=body)["reason"] == "unknown_filter"


def test_or_joins_one_clause_or_names_of_one_user(proxy):
    add(proxy, "I play the violin", "carl", run_id="lesson")
    add(proxy, "I live in Gdynia", "carl")
    both = ["I live in Gdynia", "I play the violin"]
    carl, bot, lesson = {"user_id": "carl"}, {"agent_id": "bot"}, {"run_id": "lesson"}
    for clauses, expected in (
        ([carl], both),
        ([carl, bot, lesson], both),
        ([{"AND": [carl, lesson]}], both[1:]),
    ):
        filters = {"OR": clauses}
        found = call(proxy, "POST", LIST, json={"filters": filters})["results"]
        assert [row["memory"] for row in found] == expected
        body = {"query": "violin", "filters": filters}
        assert "violin" in str(call(proxy, "POST", SEARCH, json=body))


def test_any_run_is_no_filter_and_any_user_is_refused(proxy):
    add(proxy, "I play the violin", "carl", run_id="lesson")
    assert texts(proxy, "carl", run_id="*") == ["I play the violin"]
    for method, path, how in (
        ("POST", LIST, {"json": {"filters": {"user_id": "*"}}}),
        ("POST", SEARCH, {"json": {"query": "x", "filters": {"user_id": "*"}}}),
        ("DELETE", "/v1/memories/", {"params": {"user_id": "*", "agent_id": "*"}}),
    ):
        assert call(proxy, method, path, 400, **how)["reason"] == "one_user"
    assert texts(proxy, "carl") == ["I play the violin"]


def test_metadata_is_kept_and_filtered_by(proxy):
    key = add(proxy, "I play the violin", "carl", metadata={"topic": "music", "n": 1})[
        "id"
    ]
    add(proxy, "I live in Gdynia", "carl")
    music = {"metadata": {"topic": "music"}}
    assert texts(proxy, "carl", **music) == ["I play the violin"]
    assert texts(proxy, "carl", metadata={"topic": "art"}) == []
    assert texts(proxy, "carl", metadata={"n": "1"}) == []
    body = {"query": "Where does he live?", "user_id": "carl", **music}
    found = call(proxy, "POST", SEARCH, json=body)["results"]
    assert "Gdynia" not in str(found)
    shown = call(
        proxy, "PUT", f"/v1/memories/{key}/", json={"text": "I play the cello"}
    )
    assert shown["metadata"] == {"topic": "music", "n": 1}
    shown = call(proxy, "PUT", f"/v1/memories/{key}/", json={"metadata": {"n": 2}})
    assert (shown["memory"], shown["metadata"]) == ("I play the cello", {"n": 2})
    assert call(proxy, "GET", f"/v1/memories/{key}/")["metadata"] == {"n": 2}
    refused = call(proxy, "PUT", f"/v1/memories/{key}/", 400, json={})
    assert refused["reason"] == "nothing_to_update"


@pytest.mark.parametrize("metadata", [{"a": "x" * 1024}, {"a": "\0"}, ["a"]])
def test_metadata_that_cannot_be_kept_is_refused(proxy, metadata):
    said = [{"role": "user", "content": "I play the violin"}]
    body = {"messages": said, "infer": False, "user_id": "carl", "metadata": metadata}
    call(proxy, "POST", ADD, 422, json=body)


def test_metadata_is_erased_with_its_memory(proxy):
    add(proxy, "I play the violin", "carl", metadata={"of": "Carl"})
    done = call(proxy, "DELETE", "/v1/memories/", params={"user_id": "carl"})
    assert done["count"] == 1
    assert set(Memory.objects.values_list("content", "metadata")) == {("", "")}


def test_agent_alone_is_a_user_of_the_proxy(proxy):
    add(proxy, "I play the violin", "carl")
    add(proxy, "I like rhymes", agent_id="poet")
    body = {"filters": {"agent_id": "poet"}}
    [row] = call(proxy, "POST", LIST, json=body)["results"]
    assert (row["memory"], row["user_id"], row["agent_id"]) == (
        "I like rhymes",
        None,
        "poet",
    )
    named = call(proxy, "GET", "/v1/entities/")["results"]
    assert [(one["type"], one["name"]) for one in named] == [
        ("user", "carl"),
        ("agent", "poet"),
    ]
    call(proxy, "DELETE", "/v2/entities/agent/poet/")
    assert texts(proxy, "carl") == ["I play the violin"]


def test_agent_of_a_user_is_a_filter(proxy):
    add(proxy, "I play the violin", "carl", agent_id="poet")
    add(proxy, "I live in Gdynia", "carl")
    assert texts(proxy, "carl", agent_id="poet") == ["I play the violin"]


def test_agent_of_an_ordinary_key_is_a_part_of_its_memory(ann):
    add(ann.api, "I play the violin", agent_id="poet")
    add(ann.api, "I live in Gdynia")
    done = call(ann.api, "DELETE", "/v1/memories/", params={"agent_id": "poet"})
    assert done["count"] == 1
    assert ann.texts() == ["I live in Gdynia"]


def test_agent_alone_is_erased_with_the_other_names_of_the_call(proxy):
    add(proxy, "I like rhymes", agent_id="poet", app_id="book")
    add(proxy, "I live in Gdynia", agent_id="poet")
    named = {"agent_id": "poet", "app_id": "book"}
    assert call(proxy, "DELETE", "/v1/memories/", params=named)["count"] == 1
    agent = {"agent_id": "poet"}
    assert call(proxy, "DELETE", "/v1/memories/", params=agent)["count"] == 1


def test_only_what_is_named_is_erased(proxy):
    add(proxy, "I play the violin", "carl", run_id="lesson")
    add(proxy, "I live in Gdynia", "carl")
    named = {"user_id": "carl", "run_id": "lesson"}
    assert call(proxy, "DELETE", "/v1/memories/", params=named)["count"] == 1
    assert texts(proxy, "carl") == ["I live in Gdynia"]
    nothing = call(proxy, "DELETE", "/v1/memories/", params={"user_id": "dora"})
    assert nothing["message"] == "Deleted memories: 0"


def test_extraction_can_be_followed_and_its_facts_have_the_metadata(
    proxy, ann, openai_server
):
    said = [{"role": "user", "content": "I have played the violin for years"}]
    body = {"messages": said, "user_id": "carl", "metadata": {"topic": "music"}}
    event = call(proxy, "POST", ADD, json=body)["event_id"]
    told = call(proxy, "GET", f"/v1/event/{event}/")
    assert (told["id"], told["status"]) == (event, "PENDING")
    call(ann.api, "GET", f"/v1/event/{event}/", 404)
    fact = {"text": "User plays the violin", "evidence": said[0]["content"]}
    answer = {"facts": [fact], "profile_facts": [], "forgets": []}
    openai_server.titles.default = lambda _body: says(json.dumps(answer))
    run_due()
    assert call(proxy, "GET", f"/v1/event/{event}/")["status"] == "SUCCEEDED"
    assert texts(proxy, "carl", metadata={"topic": "music"})


def test_several_are_changed_at_once_or_none(proxy):
    keys = [add(proxy, f"I like tea number {n}", "carl")["id"] for n in (1, 2)]
    changed = [
        {"memory_id": key, "text": f"I like coffee number {n}"}
        for n, key in enumerate(keys)
    ]
    unknown = {"memory_id": "00000000-0000-0000-0000-000000000000"}
    body = {"memories": [changed[0], unknown | {"text": "I like milk"}]}
    call(proxy, "PUT", "/v1/batch/", 404, json=body)
    long = {"memory_id": keys[1], "text": "x" * 501}
    call(proxy, "PUT", "/v1/batch/", 422, json={"memories": [changed[0], long]})
    assert "coffee" not in str(texts(proxy, "carl"))
    call(proxy, "PUT", "/v1/batch/", json={"memories": changed})
    assert sorted(texts(proxy, "carl")) == [
        "I like coffee number 0",
        "I like coffee number 1",
    ]
    named = [{"memory_id": key} for key in keys]
    done = call(proxy, "DELETE", "/v1/batch/", json={"memories": named})
    assert done["message"] == "Successfully deleted 2 memories"
    assert texts(proxy, "carl") == []


def test_malformed_id_is_400(proxy):
    for method in ("GET", "DELETE"):
        refused = call(proxy, method, "/v1/memories/nonsense-1/", 400)
        assert refused["reason"] == "invalid_id"
    named = {"memories": [{"memory_id": "nonsense"}]}
    call(proxy, "DELETE", "/v1/batch/", 400, json=named)
    call(proxy, "GET", "/v1/event/nonsense/", 400)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/exports/", 404),
        ("GET", "/v2/nothing/", 404),
        ("GET", "/api/v1/webhooks/projects/x/", 404),
        ("PATCH", "/v1/ping/", 405),
        ("POST", f"/v1/memories/{'x' * 17_000}/", 414),
    ],
)
def test_errors_have_the_form_of_these_clients(proxy, method, path, status):
    assert call(proxy, method, path, status).keys() == {"detail", "reason"}


RECORDED = {
    "pipecat Mem0MemoryService": [
        (
            ADD,
            {"messages": [{"role": "user", "content": "I play the violin"}]}
            | {"user_id": "carl", "agent_id": "bot", "run_id": "call-1", "infer": False}
            | {"metadata": {"platform": "pipecat"}, "output_format": "v1.1"},
        ),
        (
            SEARCH,
            {"query": "What do I play?", "top_k": 10, "threshold": 0.0}
            | {
                "filters": {
                    "OR": [
                        {"user_id": "carl"},
                        {"agent_id": "bot"},
                        {"run_id": "call-1"},
                    ]
                }
            },
        ),
        (
            LIST,
            {
                "filters": {
                    "OR": [
                        {"user_id": "carl"},
                        {"agent_id": "bot"},
                        {"run_id": "call-1"},
                    ]
                }
            },
        ),
    ],
    "CrewAI Mem0Storage": [
        (
            ADD,
            {
                "messages": [
                    {"role": "assistant", "content": "Noted"},
                    {"role": "user", "content": "I play the violin"},
                ]
            }
            | {"agent_id": "Researcher", "run_id": "run", "infer": False}
            | {"metadata": {"type": "short_term"}, "version": "v2"},
        ),
        (
            SEARCH,
            {"query": "What do I play?", "limit": 5, "version": "v2"}
            | {"metadata": {"type": "short_term"}, "threshold": 0.0}
            | {"filters": {"OR": [{"agent_id": "Researcher"}, {"run_id": "run"}]}},
        ),
        (LIST, {"filters": {"AND": [{"agent_id": "Researcher"}, {"run_id": "run"}]}}),
    ],
    "agno Mem0Tools": [
        (
            ADD,
            {"messages": [{"role": "user", "content": "I play the violin"}]}
            | {"user_id": "carl", "output_format": "v1.1", "infer": False},
        ),
        (SEARCH, {"query": "What do I play?", "user_id": "carl"}),
        (LIST, {"user_id": "carl"}),
    ],
}
"""What integrations send through mem0's client, by their sources (docs/mem0.md)."""


@pytest.mark.parametrize("name", RECORDED)
def test_calls_of_integrations_find_what_they_added(proxy, name):
    added, *asked = RECORDED[name]
    call(proxy, "POST", added[0], json=added[1])
    for path, body in asked:
        found = call(proxy, "POST", path, json=body)["results"]
        assert [row["memory"] for row in found] == ["I play the violin"]


def test_run_is_the_room(proxy):
    add(proxy, "I play the violin", "carl", run_id="lesson")
    add(proxy, "I live in Gdynia", "carl")
    assert texts(proxy, "carl", run_id="lesson") == ["I play the violin"]
    assert Memory.objects.filter(room="lesson").count() == 1


def test_pages_are_numbered(proxy):
    for number in range(3):
        add(proxy, f"I like tea number {number}", "carl")
    body, paging = {"filters": {"user_id": "carl"}}, {"page": 1, "page_size": 2}
    first = call(proxy, "POST", LIST, json=body, params=paging)
    assert (first["count"], len(first["results"]), first["previous"]) == (3, 2, None)
    second = call(proxy, "POST", first["next"], json=body)
    assert (len(second["results"]), second["next"]) == (1, None)
    assert second["results"][0]["memory"] == "I like tea number 0"


def test_ordinary_key_sees_and_removes_no_users(ann, proxy):
    add(proxy, "I play the violin", "carl")
    assert call(ann.api, "GET", "/v1/entities/")["results"] == []
    call(ann.api, "DELETE", "/v2/entities/user/carl/", 404)
    call(proxy, "DELETE", "/v2/entities/user/carl/")
    assert not User.objects.filter(external__external_id="carl").exists()


@pytest.mark.parametrize("path", ["/v1/ping/", "/v1/entities/"])
def test_unknown_key_is_refused_with_a_detail(ann, path):
    for token in ("", "Token x", "Basic x"):
        answer = ann.api.send("GET", path, headers={"Authorization": token})
        assert answer.status_code == 401
        assert answer.json()["detail"] == "This API key is not valid."


def test_whom_a_memory_is_about_is_in_its_metadata(proxy):
    add(proxy, "My mother takes ramipril", "carl")
    add(proxy, "I play the violin", "carl")
    body = {"filters": {"user_id": "carl"}}
    found = call(proxy, "POST", LIST, json=body)["results"]
    assert {one["memory"]: one["metadata"] for one in found} == {
        "My mother takes ramipril": {"subject": "mother"},
        "I play the violin": None,
    }


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", LIST, {"filters": "x"}),
        ("POST", ADD, {}),
        ("PUT", "/v1/memories/x/", {}),
        ("DELETE", "/v1/memories/", None),
    ],
)
def test_key_is_checked_before_all_else(proxy, method, path, body):
    answer = proxy.send(method, path, authorization="Token x", json=body)
    assert (answer.status_code, answer.json()["reason"]) == (401, "invalid_api_key")


@pytest.mark.parametrize("body", [[], [None], 7, "x", True])
def test_body_that_is_no_object_is_refused(ann, body):
    assert call(ann.api, "POST", LIST, 400, json=body)["reason"] == "invalid_json"


def test_each_memory_of_a_batch_is_a_call(ann):
    key = add(ann.api, "I play the violin")["id"]
    ann.api.key.calls_per_minute = 5
    ann.api.key.save()
    named = {"memories": [{"memory_id": key}] * 9}
    assert call(ann.api, "DELETE", "/v1/batch/", 429, json=named)["reason"]
    assert Memory.objects.active().exists()


class TestRequestsOfIntegrations:
    """What programs that use mem0's client send, as its versions 2 write it."""

    def test_voice_bot_of_pipecat(self, proxy):
        said = [{"role": "user", "content": "I play the violin"}]
        names = {"user_id": "carl", "agent_id": "bot", "run_id": "call 1"}
        noted = {"metadata": {"platform": "pipecat"}, "infer": False}
        call(proxy, "POST", ADD, json={"messages": said, **noted, **names})
        filters = {"OR": [{name: value} for name, value in names.items()]}
        listed = call(proxy, "POST", LIST, json={"filters": filters})["results"]
        assert [one["memory"] for one in listed] == ["I play the violin"]
        asked = {"query": "What do I play?", "top_k": 10, "threshold": 0.01}
        found = call(proxy, "POST", SEARCH, json={**asked, "filters": filters})
        assert [one["memory"] for one in found["results"]] == ["I play the violin"]

    def test_crew_of_crewai(self, proxy):
        noted = {"type": "short_term", "quality": 9}
        said = [{"role": "assistant", "content": "The report is written."}]
        said += [{"role": "user", "content": "I like short reports"}]
        named = {"agent_id": "writer", "infer": False, "metadata": noted}
        (added,) = call(proxy, "POST", ADD, json={"messages": said, **named})["results"]
        assert added["event"] == "ADD"
        filters = {"AND": [{"agent_id": "writer"}, {"run_id": "*"}]}
        asked = {"query": "short reports", "top_k": 3, "threshold": 0.01}
        found = call(proxy, "POST", SEARCH, json={**asked, "filters": filters})
        (one,) = found["results"]
        assert (one["agent_id"], one["metadata"]) == ("writer", noted)

    def test_tools_of_agno(self, proxy):
        said = [{"role": "user", "content": "I live in Gdynia"}]
        named = {"user_id": "carl", "infer": False}
        call(proxy, "POST", ADD, json={"messages": said, **named})
        asked = {"query": "Gdynia", "user_id": "carl"}
        (found,) = call(proxy, "POST", SEARCH, json=asked)["results"]
        assert found["memory"] == "I live in Gdynia"
        assert len(call(proxy, "POST", LIST, json={"user_id": "carl"})["results"]) == 1
        gone = call(proxy, "DELETE", "/v1/memories/?user_id=carl")
        assert gone["count"] == 1
