"""Keys of the API: who may use one, and how often."""

from datetime import timedelta

import pytest
import redis
from django.core.management import CommandError, call_command
from django.utils import timezone

from people import api_keys, members, throttling
from people.models import ApiKey, Membership
from people.scope import NotAMember
from tests.factories import (
    ApiKeyFactory,
    ExternalUserFactory,
    MembershipFactory,
    SpaceFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def member():
    """A plain member; another user is the admin."""
    ann = MembershipFactory(role=Membership.Role.MEMBER, user__email="ann@example.com")
    MembershipFactory(space=ann.space)
    return ann


@pytest.fixture
def key(member):
    return api_keys.create(member.space, member.user)[1]


def bearer(key):
    return f"Bearer {key}"


@pytest.mark.req("B-24")
def test_key_names_its_user_and_space(member):
    row, key = api_keys.create(member.space, member.user, name="Laptop")
    found = api_keys.authenticate(bearer(key))
    assert (found, found.user, found.space) == (row, member.user, member.space)
    assert (found.name, found.trusted_proxy) == ("Laptop", False)


def test_database_cannot_tell_the_key(member, key):
    row = ApiKey.objects.get()
    assert key.startswith(row.prefix)
    assert len(row.prefix) < 16
    stored = " ".join(map(str, ApiKey.objects.values_list().get()))
    assert key not in stored
    assert key.removeprefix(row.prefix) not in stored


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", "{}", "Basic {}", "Bearer {}x", "Bearer \x00", "Bearer \ud800",
     "Bearer {} {}"],
)  # fmt: skip
def test_other_header_names_no_key(key, authorization):
    with pytest.raises(api_keys.InvalidApiKey):
        api_keys.authenticate(authorization.format(key, key))


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", " Bearer  "])
def test_scheme_ignores_case_and_spaces(key, scheme):
    assert api_keys.authenticate(f"{scheme} {key} ")


def revoke(member):
    api_keys.revoke(ApiKey.objects.get())


def deactivate(member):
    member.user.is_active = False
    member.user.save()


def leave_and_come_back(member):
    members.remove_member(member)
    MembershipFactory(user=member.user, space=member.space)


@pytest.mark.parametrize(
    "end", [revoke, deactivate, members.remove_member, leave_and_come_back]
)
def test_ended_key_is_refused_as_an_unknown_one_is(member, key, end):
    with pytest.raises(api_keys.InvalidApiKey) as unknown:
        api_keys.authenticate(bearer("sk-meddie-unknown"))
    end(member)
    with pytest.raises(api_keys.InvalidApiKey) as ended:
        api_keys.authenticate(bearer(key))
    assert str(ended.value) == str(unknown.value)


def test_key_of_a_proxy_ends_with_the_role_of_its_admin(member):
    members.change_role(member, Membership.Role.ADMIN)
    _row, own = api_keys.create(member.space, member.user)
    _row, proxy = api_keys.create(member.space, member.user, trusted_proxy=True)
    assert api_keys.authenticate(bearer(proxy))
    members.change_role(member, Membership.Role.MEMBER)
    assert api_keys.authenticate(bearer(own))
    with pytest.raises(api_keys.InvalidApiKey):
        api_keys.authenticate(bearer(proxy))


def test_only_members_with_an_account_get_keys(member):
    stranger = UserFactory()
    external = ExternalUserFactory(space=member.space).user
    for user in (stranger, external):
        with pytest.raises(NotAMember):
            api_keys.create(member.space, user)


def test_last_use_is_recorded_once_a_minute(key, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    first = timezone.now()
    for _ in range(3):
        api_keys.authenticate(bearer(key))
        time_machine.shift(timedelta(seconds=25))
    assert ApiKey.objects.get().last_used_at == first
    api_keys.authenticate(bearer(key))
    assert ApiKey.objects.get().last_used_at > first


def test_calls_beyond_the_limit_wait_for_the_next_minute():
    key, other = ApiKeyFactory(calls_per_minute=2), ApiKeyFactory(calls_per_minute=1)
    for allowed in (key, key, other):
        api_keys.count_calls(allowed)
    with pytest.raises(api_keys.TooManyCalls) as refused:
        api_keys.count_calls(key)
    assert 0 < int(refused.value.headers["Retry-After"]) <= 60


def test_connection_to_redis_is_kept_and_replaced_when_closed(settings):
    key = ApiKeyFactory(calls_per_minute=2)
    api_keys.count_calls(key)
    kept = throttling._client(settings.REDIS_URL).client_id()
    api_keys.count_calls(key)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert client.client_kill_filter(_id=str(kept)) == 1
    with pytest.raises(api_keys.TooManyCalls):
        api_keys.count_calls(key)


def test_count_lasts_no_longer_where_the_clock_was_put_back(settings):
    key = ApiKeyFactory(calls_per_minute=1)
    api_keys.count_calls(key)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for kept in client.scan_iter("limit:*"):
            client.expire(kept, 365 * 24 * 3600)
        for _ in range(2):
            with pytest.raises(api_keys.TooManyCalls) as refused:
                api_keys.count_calls(key)
            assert int(refused.value.headers["Retry-After"]) <= 60
        assert all(client.ttl(kept) <= 60 for kept in client.scan_iter("limit:*"))


def test_without_redis_calls_are_counted_in_the_process(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(throttling, "MOST_COUNTS", 2)
    key, other = ApiKeyFactory(calls_per_minute=1), ApiKeyFactory(calls_per_minute=1)
    api_keys.count_calls(key)
    api_keys.count_calls(other)
    for one in (key, other):
        with pytest.raises(api_keys.TooManyCalls):
            api_keys.count_calls(one)
    api_keys.count_calls(ApiKeyFactory())
    assert len(throttling._counts) <= 2


def make_key(*options):
    call_command("create_api_key", *options)


@pytest.mark.parametrize("by_name", [False, True])
def test_command_prints_the_key_alone(member, capsys, by_name):
    space = member.space.name if by_name else str(member.space.pk)
    make_key("--space", space, "--user", "Ann@example.com", "--name", "Script")
    printed, problems = capsys.readouterr()
    found = api_keys.authenticate(bearer(printed.removesuffix("\n")))
    assert (found.user, found.space, found.name) == (
        member.user,
        member.space,
        "Script",
    )
    assert not found.trusted_proxy
    assert problems == ""


def test_command_makes_keys_of_trusted_proxies(member, capsys):
    named = ("--space", str(member.space.pk), "--user", "ann@example.com")
    make_key(*named, "--trusted-proxy")
    assert api_keys.authenticate(bearer(capsys.readouterr().out.strip())).trusted_proxy


@pytest.mark.parametrize(
    ("space", "user", "sentence"),
    [
        ("00000000-0000-4000-8000-000000000000", "ann@example.com", "in no space of"),
        ("Nowhere", "ann@example.com", "in no space of"),
        ("Twice", "ann@example.com", "Several spaces have this name"),
        ("Once", "unknown@example.com", "no such user"),
        ("Once", "ann@example.com", "in no space of this name"),
    ],
)
def test_command_refuses_in_one_sentence(member, space, user, sentence):
    for _ in range(2):
        MembershipFactory(user=member.user, space__name="Twice")
    SpaceFactory(name="Once")
    with pytest.raises(CommandError, match=sentence) as refused:
        make_key("--space", space, "--user", user)
    assert str(refused.value).endswith(".")
    assert not ApiKey.objects.exists()
