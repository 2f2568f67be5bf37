"""mem0's addresses: whose memories they read and change, and what they refuse."""

import pytest

from memory.models import Memory
from people.models import User
from tests.conversations.api.memories.conftest import ann, bob, member, proxy

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


def test_filters_that_would_be_ignored_are_refused(proxy):
    for filters in ({"agent_id": "x"}, {"OR": [{"user_id": "carl"}]}, {"AND": ["x"]}):
        body = {"filters": {"user_id": "carl"} | filters}
        assert call(proxy, "POST", LIST, 400, json=body)["reason"] == "unknown_filter"


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
