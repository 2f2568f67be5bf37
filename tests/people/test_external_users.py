"""Users whom a trusted proxy names, by header or by signed token."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import jwt
import pytest
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from memory.models import Memory
from people import api_keys
from people.deletion import delete_spaces
from people.external_users import BadIdentity, NoProxy, caller, remove_external_user
from people.members import delete_accounts
from people.models import ExternalUser, Membership, Space, User
from people.scope import scope_for
from tests.factories import (
    ApiKeyFactory,
    MemoryFactory,
)

pytestmark = pytest.mark.django_db

SECRET = "a secret that is shared with the proxy, and long enough for HS512"
ISSUED = "open-webui"


@pytest.fixture
def proxy():
    return ApiKeyFactory(trusted_proxy=True)


@pytest.fixture
def signed(settings):
    """Only tokens count; call it for the headers with one."""
    settings.OPENWEBUI_JWT_SECRET = SECRET

    def signed(secret=SECRET, algorithm="HS256", **claims):
        now = timezone.now()
        times = {"iat": now, "exp": now + timedelta(minutes=5), "iss": ISSUED}
        token = jwt.encode({**times, **claims}, secret, algorithm=algorithm)
        return headers(jwt=token)

    return signed


def headers(**named):
    """Headers as Django gives them, like `user_id` or `jwt`."""
    request = HttpRequest()
    for name, value in named.items():
        request.META[f"HTTP_X_OPENWEBUI_USER_{name.upper()}"] = value
    return request.headers


@pytest.mark.req("S1-10", "B-24")
def test_trusted_proxy_names_a_user_without_login(proxy):
    user = caller(proxy, headers(id="u-1", name="Zo%C3%AB%20K", email="a@b.c"))
    assert user != proxy.user
    assert user.name == "Zoë K"
    assert user.email == f"{user.pk}@external.invalid"
    assert not user.has_usable_password()
    scope = scope_for(user, proxy.space_id, channel="api")
    assert (scope.user_id, scope.writes) == (user.pk, True)


@pytest.mark.req("S1-10")
def test_user_is_known_by_their_id(proxy):
    other_space = ApiKeyFactory(trusted_proxy=True)
    second = ApiKeyFactory(trusted_proxy=True, space=proxy.space, user=proxy.user)
    ann = caller(proxy, headers(id="u-1", name="Ann"))
    assert caller(second, headers(id=" u-1 ", name="Anna")) == ann
    assert User.objects.get(pk=ann.pk).name == "Anna"
    assert caller(proxy, headers(id="U-1")) != ann
    assert caller(other_space, headers(id="u-1")) != ann
    assert ExternalUser.objects.count() == 3


@pytest.mark.req("B-24")
def test_headers_to_other_keys_name_no_user(settings):
    key = ApiKeyFactory()
    settings.OPENWEBUI_JWT_SECRET = SECRET
    for named in (headers(id="u-1"), headers(jwt="wrong")):
        with pytest.raises(NoProxy):
            caller(key, named)
    assert caller(key, headers()) == key.user
    assert not ExternalUser.objects.exists()


@pytest.mark.req("S1-39")
@pytest.mark.parametrize("named", [{}, {"id": ""}, {"id": "  "}, {"name": "Ann"}])
def test_call_without_an_id_is_anonymous(proxy, named):
    assert caller(proxy, headers(**named)) is None
    assert not ExternalUser.objects.exists()


@pytest.mark.parametrize(
    "external_id",
    ["a\x00b", "a\nb", "x" * 256, "victim,u-1", "\x7f", "a\u202eb", "\ud800"],
)
def test_hostile_id_is_refused(proxy, external_id):
    with pytest.raises(BadIdentity):
        caller(proxy, headers(id=external_id))
    assert not ExternalUser.objects.exists()


@pytest.mark.parametrize("end", ["\xa0", "\x85", "\x1c", "\u2003", "\n"])
def test_id_with_other_white_space_is_refused_and_no_other_id(proxy, signed, end):
    victim = caller(proxy, signed(sub="\tvictim "))
    assert victim.external.external_id == "victim"
    with pytest.raises(BadIdentity) as refused:
        caller(proxy, signed(sub=f"victim{end}"))
    assert refused.value.status == 400


@given(external_id=st.text(max_size=300), name=st.text(max_size=300))
def test_every_header_names_one_user_or_is_refused(proxy, external_id, name):
    try:
        user = caller(proxy, headers(id=external_id, name=name))
    except BadIdentity:
        return
    if user is None:
        assert not external_id.strip(" \t")
    else:
        user.refresh_from_db()
        assert user.external.external_id == external_id.strip(" \t")
        assert user.name.isprintable() or not name.isprintable()


@pytest.mark.parametrize("name", ["%", "%zz", "%ff", "%00", "x" * 1000, "\n"])
def test_hostile_name_is_stored_as_one_line(proxy, name):
    user = caller(proxy, headers(id="u-1", name=name))
    user.refresh_from_db()
    assert len(user.name) <= 255
    assert user.name.isprintable()


@pytest.mark.req("S1-10", "B-24")
def test_signed_token_names_a_user(proxy, signed):
    user = caller(proxy, signed(sub="u-1", name="Zoë", email="a@b.c", role="user"))
    assert user.external.external_id == "u-1"
    assert user.name == "Zoë"


@pytest.mark.req("B-24")
def test_with_a_secret_plain_headers_name_no_user(proxy, signed):
    assert caller(proxy, headers(id="u-1", name="Ann")) is None
    token = signed(sub="u-1")["X-OpenWebUI-User-Jwt"]
    assert caller(proxy, headers(jwt=token, id="u-2")).external.external_id == "u-1"


def expired(signed):
    return signed(sub="u-1", exp=timezone.now() - timedelta(minutes=2))


def without_expiry(signed):
    return signed(sub="u-1", exp=None)


def not_yet_valid(signed):
    return signed(sub="u-1", nbf=timezone.now() + timedelta(minutes=2))


def of_another_secret(signed):
    return signed("another secret, also long enough for it", sub="u-1")


def of_another_algorithm(signed):
    return signed(algorithm="HS512", sub="u-1")


def unsigned(signed):
    return signed(secret=None, algorithm="none", sub="u-1")


def without_user(signed):
    return signed(name="Ann")


def of_a_long_user(signed):
    return signed(sub="x" * 256)


def sent_twice(signed):
    token = signed(sub="u-1")["X-OpenWebUI-User-Jwt"]
    return headers(jwt=f"{token},{token}")


def not_a_token(signed):
    return headers(jwt="\xff.\x00")


@pytest.mark.req("B-24")
@pytest.mark.parametrize(
    "invalid",
    [
        expired, not_yet_valid, of_another_secret, of_another_algorithm,
        unsigned, without_user, of_a_long_user, sent_twice, not_a_token,
    ],
)  # fmt: skip
def test_token_that_is_not_valid_is_refused(proxy, signed, invalid):
    with pytest.raises(BadIdentity):
        caller(proxy, invalid(signed))
    assert not ExternalUser.objects.exists()


def test_token_without_the_secret_to_check_it_is_refused(proxy, signed, settings):
    named = signed(sub="u-1")
    settings.OPENWEBUI_JWT_SECRET = ""
    with pytest.raises(BadIdentity):
        caller(proxy, named)


def test_inactive_user_is_refused(proxy):
    user = caller(proxy, headers(id="u-1"))
    User.objects.filter(pk=user.pk).update(is_active=False)
    with pytest.raises(BadIdentity):
        caller(proxy, headers(id="u-1"))


@pytest.mark.django_db(transaction=True)
def test_removed_user_comes_back_without_memories(proxy):
    user = caller(proxy, headers(id="u-1"))
    MemoryFactory(user=user, space=proxy.space)
    remove_external_user(user.external)
    assert not User.objects.filter(pk=user.pk).exists()
    assert not Memory.objects.exists()
    again = caller(proxy, headers(id="u-1"))
    assert again.pk != user.pk


@pytest.mark.django_db(transaction=True)
def test_deleted_space_leaves_no_external_user(proxy):
    user = caller(proxy, headers(id="u-1"))
    MemoryFactory(user=user, space=proxy.space)
    delete_spaces([proxy.space_id])
    assert set(User.objects.all()) == {proxy.user}
    assert not Memory.objects.exists()
    with pytest.raises(api_keys.InvalidApiKey):
        caller(proxy, headers(id="u-2"))


@pytest.mark.django_db(transaction=True)
def test_last_account_takes_the_space_with_its_external_users(proxy):
    caller(proxy, headers(id="u-1"))
    delete_accounts([proxy.user])
    assert not User.objects.exists()
    assert not Space.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_first_calls_add_one_user(proxy):
    def call(_number):
        try:
            return caller(proxy, headers(id="u-1")).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(call, range(4)))) == 1
    assert ExternalUser.objects.count() == 1
    assert Membership.objects.count() == 2
