"""Programs that sign in by OAuth: what they get, and what ends it."""

import socket
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import api_keys, members, throttling
from people.models import AccessToken, ApiKey, Program, ProgramCode, RefreshToken
from people.tasks import delete_expired
from tests.factories import ApiKeyFactory, MembershipFactory
from tests.people.signing_in import (
    CALLBACK,
    RESOURCE,
    account_page,
    call_mcp,
    register,
    send_form,
    told,
)
from tests.people.signing_in import (
    Program as Signing,
)

pytestmark = pytest.mark.django_db(transaction=True)
MACHINES = ("/token", "/revoke", "/register", "/register/x", "/.well-known/x", "/mcp")


@pytest.fixture
def member(openai_server):
    return MembershipFactory(user__name="Ann", space__name="Lake house")


@pytest.fixture
def program(member):
    return Signing(member)


def test_metadata_leads_from_the_refusal_to_the_token(member):
    refused = call_mcp("nothing")
    assert refused.status_code == 401
    url = "http://testserver/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{url}"' in refused.headers["WWW-Authenticate"]
    resource = Client().get("/.well-known/oauth-protected-resource/mcp").json()
    assert resource["resource"] == RESOURCE
    (server,) = resource["authorization_servers"]
    found = Client().get("/.well-known/oauth-authorization-server").json()
    assert found["issuer"] == server == "http://testserver"
    for name, path in (
        ("authorization_endpoint", "/authorize"),
        ("token_endpoint", "/token"),
        ("registration_endpoint", "/register"),
        ("revocation_endpoint", "/revoke"),
    ):
        assert found[name] == server + path
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["response_types_supported"] == ["code"]
    assert found["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert "none" in found["token_endpoint_auth_methods_supported"]
    assert found["client_id_metadata_document_supported"]
    assert found["authorization_response_iss_parameter_supported"]


def test_program_that_a_member_lets_in_reads_their_memory(program, member):
    page = program.page()
    for text in ("Claude", "Ann", member.user.email, "Lake house", "claude.example"):
        assert text in page.text
    answer = told(program.decide(page))
    assert (answer["state"], answer["iss"]) == ("s1", "http://testserver")
    tokens = program.exchange(answer["code"]).json()
    assert (tokens["token_type"], tokens["scope"]) == ("Bearer", "memory")
    listed = call_mcp(tokens["access_token"])
    assert listed.status_code == 200, listed.text
    assert "recall" in listed.text
    key = ApiKey.objects.get()
    assert (key.user, key.space, key.name) == (member.user, member.space, "Claude")
    assert not key.trusted_proxy


def test_token_opens_no_other_door_and_a_key_opens_mcp(program, member):
    token = program.tokens()["access_token"]
    bearer = {"Authorization": f"Bearer {token}"}
    for path in ("/v1/models", "/api/memories", "/v1/entities/", "/api/memory"):
        assert Client().get(path, headers=bearer).status_code == 401, path
    ApiKeyFactory(user=member.user, space=member.space, secret="sk-meddie-own")
    assert call_mcp("sk-meddie-own").status_code == 200


def test_database_has_no_token_and_no_code(program):
    code = program.code()
    assert not ProgramCode.objects.filter(code__contains=code[:8]).exists()
    stored = str(list(ProgramCode.objects.values()))
    tokens = program.exchange(code).json()
    for model in (AccessToken, RefreshToken, ApiKey):
        stored += str(list(model.objects.values()))
    for secret in (code, tokens["access_token"], tokens["refresh_token"]):
        assert secret not in stored


def test_member_of_several_spaces_chooses_one(program, member):
    other = MembershipFactory(user=member.user, space__name="Allotment")
    page = program.page()
    assert "Allotment" in page.text
    answer = program.decide(page, space=other.space_id)
    program.exchange(told(answer)["code"])
    assert ApiKey.objects.get().space == other.space
    strange = MembershipFactory().space_id
    again = program.decide(space=strange)
    assert again["Location"].startswith("/authorize?")
    assert ApiKey.objects.count() == 1


def test_refusal_of_the_member_reaches_the_program(program):
    answer = told(program.decide(allow=False))
    assert (answer["error"], answer["state"]) == ("access_denied", "s1")
    assert not ApiKey.objects.exists()


def test_guest_signs_in_first(program):
    page = Client().get("/authorize", program.asked())
    assert page.status_code == 302
    assert page["Location"].startswith(reverse("people:sign_in"))


def test_code_works_once_and_for_its_program_alone(program, member):
    other = Signing(member)
    code = program.code()
    for changes in (
        {"client_id": other.client_id},
        {"code_verifier": "w" * 50},
        {"code_verifier": None},
        {"redirect_uri": "https://evil.example/"},
        {"resource": "https://evil.example/mcp"},
    ):
        refused = program.exchange(code, **changes)
        assert refused.status_code in {400, 401}, changes
        assert "access_token" not in refused.json()
    assert not AccessToken.objects.filter(key__isnull=False).exists()
    assert program.exchange(code).status_code == 200
    again = program.exchange(code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


def test_code_ends_after_a_minute(program):
    code = program.code()
    ProgramCode.objects.update(expires=timezone.now())
    assert program.exchange(code).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
        {"resource": "https://evil.example/mcp"},
        {"resource": "http://testserver/api"},
        {"scope": "admin"},
        {"response_type": "token"},
        {"client_id": "unknown"},
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": f"{CALLBACK}?next=https://evil.example"},
        {"redirect_uri": "https://claude.example@evil.example/callback"},
    ],
    ids=str,
)
def test_wrong_request_is_shown_and_sent_nowhere(program, changes):
    page = program.page(**changes)
    assert page.status_code in {400, 401}
    assert "cannot be connected" in page.text
    assert "Location" not in page
    if None in changes.values():  # the address of a good page has it all the same
        return
    answer = program.decide(program.page(), **changes)  # nor by another form
    if answer.status_code == 302:
        assert answer["Location"].startswith((CALLBACK, "/authorize?"))
        assert answer["Location"].startswith("/") or "code" not in told(answer)
    assert not ProgramCode.objects.exists()


@pytest.mark.parametrize("silent", [{"approval_prompt": "auto"}, {"prompt": "none"}])
def test_consent_is_asked_each_time(program, silent):
    program.tokens()
    page = program.page(**silent)
    assert page.status_code == 200
    assert "Connect “Claude”?" in page.text
    guest = Client().get("/authorize", program.asked(**silent))
    assert guest["Location"].startswith(reverse("people:sign_in"))


def test_page_of_consent_can_be_framed_and_sent_by_no_other_page(program, member):
    page = program.page()
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self' https://claude.example" in policy
    assert page.headers["X-Frame-Options"] == "DENY"
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    form = program.asked() | {"allow": "true", "space": member.space_id}
    assert strict.post("/authorize", form).status_code == 403
    assert not ApiKey.objects.exists()


def test_refresh_token_is_exchanged_once(program):
    first = program.tokens()
    second = program.refresh(first["refresh_token"]).json()
    assert call_mcp(second["access_token"]).status_code == 200
    assert call_mcp(first["access_token"]).status_code == 401
    stolen = program.refresh(first["refresh_token"])
    assert stolen.json()["error"] == "invalid_grant"
    # The real program and the thief are told apart by nothing, so both lose.
    assert call_mcp(second["access_token"]).status_code == 401
    assert program.refresh(second["refresh_token"]).status_code == 400


def test_refresh_gives_no_more_than_before(program, member):
    token = program.tokens()["refresh_token"]
    other = Signing(member)
    for changes in (
        {"client_id": other.client_id},
        {"scope": "memory admin"},
        {"resource": "https://evil.example/mcp"},
    ):
        assert program.refresh(token, **changes).status_code in {400, 401}
    assert program.refresh(token, resource=RESOURCE).status_code == 200


def end_membership(member):
    MembershipFactory(space=member.space)
    members.remove_member(member)


def switch_off(member):
    member.user.is_active = False
    member.user.save()


def delete_account(member):
    members.delete_accounts([member.user])


def disconnect(member):
    browser = Client()
    browser.force_login(
        member.user, backend="django.contrib.auth.backends.ModelBackend"
    )
    key = ApiKey.objects.get()
    browser.post(reverse("people:disconnect", args=[key.pk]))


@pytest.mark.parametrize(
    "end", [end_membership, switch_off, delete_account, disconnect]
)
def test_tokens_end_with_what_they_act_for(program, member, end):
    tokens, code = program.tokens(), program.code()
    end(member)
    assert call_mcp(tokens["access_token"]).status_code == 401
    assert program.refresh(tokens["refresh_token"]).status_code == 400
    assert program.exchange(code).status_code == 400


def test_deleted_account_leaves_no_row_of_its_programs(program, member):
    program.tokens()
    program.code()
    members.delete_accounts([member.user])
    for model in (AccessToken, RefreshToken, ProgramCode):
        assert not model.objects.filter(user__isnull=False).exists()
    assert not ApiKey.objects.exists()


def test_program_can_end_its_own_tokens_alone(program, member):
    tokens, other = program.tokens(), Signing(member)
    form = {"token": tokens["refresh_token"]}
    send_form("/revoke", form | {"client_id": other.client_id})
    assert call_mcp(tokens["access_token"]).status_code == 200
    assert (
        send_form("/revoke", form | {"client_id": program.client_id}).status_code == 200
    )
    assert call_mcp(tokens["access_token"]).status_code == 401


def test_account_lists_programs_and_keys_do_not(program, member):
    assert "Connected programs" not in account_page(program).text
    program.tokens()
    page = account_page(program)
    assert "Connected programs" in page.text
    assert "Claude" in page.text
    keys = program.browser.get(reverse("people:api_keys", args=[member.space_id]))
    assert "Claude" not in keys.text
    program.browser.post(reverse("people:disconnect", args=[ApiKey.objects.get().pk]))
    assert "Connected programs" not in account_page(program).text


def test_same_program_is_connected_once_to_a_space(program):
    first, second = program.tokens(), program.tokens()
    assert ApiKey.objects.count() == 1
    for tokens in (first, second):
        assert call_mcp(tokens["access_token"]).status_code == 200


def test_programs_count_among_the_keys_of_a_user(program, member):
    ApiKeyFactory.create_batch(api_keys.MOST_KEYS, user=member.user, space=member.space)
    answer = program.decide()
    assert answer["Location"] == reverse("people:account")
    assert "Remove some" in account_page(program).text
    assert not ProgramCode.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uris": ["http://evil.example/callback"]},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": ["data:text/html,x"]},
        {"redirect_uris": [f"{CALLBACK}#x"]},
        {"redirect_uris": []},
        {"redirect_uris": [f"{CALLBACK}/{n}" for n in range(30)]},
        {"redirect_uris": 5},
        {"grant_types": ["client_credentials"]},
        {"grant_types": ["password"]},
        {"grant_types": ["implicit"]},
        {"client_name": "x" * 300},
        {"client_name": {"a": "b\0"}},
        {"token_endpoint_auth_method": "private_key_jwt"},
    ],
    ids=str,
)
def test_program_that_describes_itself_badly_is_refused(db, changes):
    answer = register(**changes)
    if answer.status_code != 201:
        assert answer.status_code == 400, answer.content
        assert not Program.objects.exists()
    else:
        assert Program.objects.get().name.isprintable()


@pytest.mark.parametrize(
    "callback",
    [
        "http://localhost:33418/callback",
        "http://127.0.0.1:33418/",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "vscode://vscode.github-authentication/x",
        "https://vscode.dev/redirect",
    ],
)
def test_programs_on_a_desktop_sign_in(member, callback):
    registered = register(redirect_uris=[callback]).json()
    program = Signing(member, client_id=registered["client_id"], callback=callback)
    assert call_mcp(program.tokens()["access_token"]).status_code == 200


def test_program_with_a_secret_needs_it(member):
    told = register(token_endpoint_auth_method="client_secret_post").json()
    program = Signing(member, client_id=told["client_id"])
    code = program.code()
    assert program.exchange(code).status_code == 401
    assert program.exchange(code, client_secret="x").status_code == 401
    assert (
        program.exchange(code, client_secret=told["client_secret"]).status_code == 200
    )
    assert told["client_secret"] not in str(list(Program.objects.values()))


def test_name_of_a_program_shows_as_one_line(member):
    name = "Claude\n\u202egood\u200b  one"
    program = Signing(member, client_id=register(client_name=name).json()["client_id"])
    assert "Connect “Claude good one”?" in program.page().text


@pytest.mark.parametrize("path", MACHINES)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "options", "patch"])
def test_addresses_of_machines_never_answer_a_page(db, path, method):
    answer = getattr(Client(), method)(path)
    assert answer.status_code >= 400
    assert "json" in answer.headers["Content-Type"]
    assert "html" not in answer.text


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/token", "grant_type=authorization_code&code=%00&client_id=%00", "form"),
        ("/token?%zz=%", "grant_type=refresh_token", "form"),
        ("/token", "grant_type=urn:ietf:params:oauth:grant-type:device_code", "form"),
        ("/token", "grant_type=password&username=a&password=b", "form"),
        ("/token", "\xff\xfe", "form"),
        ("/revoke", "token=%00&client_id=x", "form"),
        ("/register", "[" * 100_000, "json"),
        ("/register", '{"client_name": "\\ud800", "redirect_uris": ["x"]}', "json"),
        ("/register", '{"client_name": "\\u0000"}', "json"),
        ("/register", "[]", "json"),
        ("/register", "", "json"),
    ],
)
def test_nonsense_is_refused(db, path, body, kind):
    types = {"form": "application/x-www-form-urlencoded", "json": "application/json"}
    answer = Client().generic("POST", path, body, content_type=types[kind])
    assert answer.status_code in {400, 401, 413}, answer.content
    assert "json" in answer.headers["Content-Type"]


def test_address_of_a_program_is_asked_for_signed_in_users_alone(program, monkeypatch):
    asked = []

    def resolve(host, *_args, **_kwargs):
        asked.append(host)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    unknown = {"client_id": "https://slow.example/program"}
    fields = unknown | {"grant_type": "authorization_code", "code": "x"}
    for path in ("/token", "/revoke"):
        assert send_form(path, fields).status_code in {400, 401}
    Client().get("/authorize", program.asked() | unknown)
    assert "slow.example" not in asked
    program.page(**unknown)
    assert "slow.example" in asked


def test_registrations_and_calls_from_an_address_are_limited(db, monkeypatch):
    for _ in range(throttling.REGISTRATIONS.times):
        assert register().status_code == 201
    refused = register()
    assert (refused.status_code, refused.json()["status"]) == (429, 429)
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.headers["RateLimit-Policy"] == '"calls";q=30;w=900'
    for _ in range(throttling.PROGRAMS.times):
        send_form("/token", {})
    assert send_form("/token", {}).status_code == 429


def test_daily_task_deletes_ended_rows(program):
    program.tokens()
    program.code()
    register(client_name="Never connected")
    long_ago = timezone.now() - timedelta(days=200)
    ProgramCode.objects.update(expires=long_ago)
    AccessToken.objects.update(expires=long_ago)
    Program.objects.update(updated=long_ago)
    delete_expired()
    assert not ProgramCode.objects.exists()
    assert not AccessToken.objects.exists()
    assert [str(found) for found in Program.objects.all()] == ["Claude"]
    RefreshToken.objects.update(updated=long_ago)
    ApiKey.objects.update(revoked_at=long_ago)
    delete_expired()
    assert not RefreshToken.objects.exists()
    assert not ApiKey.objects.exists()
    assert not Program.objects.exists()


def test_used_refresh_token_outlives_the_daily_task(program):
    tokens = program.tokens()
    AccessToken.objects.update(expires=timezone.now() - timedelta(days=80))
    delete_expired()
    assert program.refresh(tokens["refresh_token"]).status_code == 200


def test_registration_can_be_changed_by_its_own_program_alone(db):
    answer = register().json()
    path = f"/register/{answer['client_id']}"
    own = {"Authorization": f"Bearer {answer['registration_access_token']}"}
    assert Client().get(path, headers=own).status_code == 200
    foreign = register().json()
    other = {"Authorization": f"Bearer {foreign['registration_access_token']}"}
    for headers in ({}, other):
        assert Client().delete(path, headers=headers).status_code == 401
    assert call_mcp(answer["registration_access_token"]).status_code == 401
    assert Client().delete(path, headers=own).status_code == 204


def test_token_is_for_the_address_it_was_made_for(program, settings):
    token = program.tokens()["access_token"]
    settings.PUBLIC_URL = "https://other.example"
    assert call_mcp(token).status_code == 401
