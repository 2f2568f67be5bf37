"""Error pages in the same clothes, which never touch the database."""

import errno
import logging
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import IntegrityError, OperationalError, connection
from django.http import Http404
from django.test import RequestFactory
from psycopg import errors

from meddie.http import error_views
from people.models import Membership
from tests.factories import MembershipFactory, UserFactory


def test_a_missing_page_asks_the_database_nothing(
    client, django_user_model, db, django_assert_num_queries
):
    user = django_user_model.objects.create_user("ann@example.com")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    with django_assert_num_queries(2):  # the session and its user, for the language
        answer = client.get("/nothing-here")
    assert answer.status_code == 404
    content = answer.content.decode()
    assert "Page not found" in content
    assert 'hx-trigger="conversation-moved from:body,' in content
    assert "Sign out" in content


def test_error_page_of_a_visitor_has_no_rail(client, db):
    assert "Sign out" not in client.get("/nothing-here").content.decode()


@pytest.mark.parametrize("error", [ValueError, OperationalError])
def test_error_pages_of_users_keep_the_rail_without_queries(
    client, db, django_assert_num_queries, monkeypatch, error
):
    def fail(_request):
        raise error

    user = MembershipFactory().user
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.raise_request_exception = False
    monkeypatch.setattr("conversations.web.views.pages.own_space", fail)
    with django_assert_num_queries(2):  # the session and its user
        answer = client.get("/chat")
    assert answer.status_code in {500, 503}
    assert "Sign out" in answer.content.decode()


@pytest.mark.parametrize(
    ("status", "view", "exception"),
    [
        (400, error_views.bad_request, SuspiciousOperation()),
        (403, error_views.not_allowed, PermissionDenied()),
        (404, error_views.not_found, Http404()),
    ],
)
def test_pages_with_a_way_back(status, view, exception):
    answer = view(RequestFactory().get("/"), exception)
    assert answer.status_code == status
    assert 'href="/"' in answer.content.decode()


def test_a_foreign_host_gets_a_page_in_the_same_clothes(client):
    answer = client.get("/sign-in", headers={"Host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "This could not be read" in answer.content.decode()


def test_foreign_host_is_one_line_in_the_log(client, caplog):
    client.get("/sign-in", headers={"Host": "elsewhere.example"})
    [record] = caplog.records
    line = logging.Formatter().format(record)
    assert "elsewhere.example" in line
    assert "\n" not in line


def test_a_form_that_is_far_too_big_gets_a_page_in_the_same_clothes(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = client.post("/sign-in", {"email": "x" * 1001})
    assert answer.status_code == 413
    assert "too large to be taken at once" in answer.content.decode()


def fails_with(exception, path="/"):
    """Django asks for the page while the exception is being handled."""
    try:
        raise exception
    except type(exception):
        return error_views.server_error(RequestFactory().get(path))


def test_a_mistake_is_500():
    assert fails_with(ValueError()).status_code == 500


def test_a_statement_that_takes_too_long_is_a_mistake_of_ours(db):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 1")
        with pytest.raises(OperationalError) as slow:
            cursor.execute("SELECT pg_sleep(5)")
    assert fails_with(slow.value).status_code == 500


def test_restarted_database_fails_one_page_and_not_one_for_each_connection(
    client, django_user_model, outage
):
    user = MembershipFactory().user
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.raise_request_exception = False
    outage.open_connections(4)
    outage.begin(0)
    outage.timer.join()
    statuses = [client.get("/account").status_code for _ in range(4)]
    assert statuses == [503, 200, 200, 200]


def test_a_missing_database_is_503():
    answer = fails_with(OperationalError())
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"
    assert "cannot be reached" in answer.content.decode()


FULL_TABLE = OperationalError("could not extend file")
FULL_TABLE.__cause__ = errors.DiskFull()


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), FULL_TABLE]
)
@pytest.mark.parametrize("path", ["/chat", "/v1/chat/completions"])
def test_full_disk_is_507_with_a_sentence(rf, path, error):
    try:
        raise error
    except type(error):
        answer = error_views.server_error(rf.get(path))
    assert answer.status_code == 507
    assert "isk is full" in answer.content.decode()


def test_work_for_something_deleted_meanwhile_is_410(transactional_db):
    with pytest.raises(IntegrityError) as deleted:
        Membership.objects.create(user=UserFactory(), space_id=uuid4())
    assert fails_with(deleted.value).status_code == 410
    answer = fails_with(deleted.value, "/v1/models")
    assert (answer.status_code, answer.headers["Content-Type"]) == (
        410,
        "application/json",
    )
