"""Errors of the database name no values, in any log."""

import logging
import traceback

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.urls import path

from meddie.celery import app
from people.models import Person, User
from tests.factories import PersonFactory, UserFactory

SECRET = "a purple secret\nof two lines"


def violate(*_):
    """Break a check constraint in a row that holds the secret."""
    with transaction.atomic():
        person = PersonFactory(health_notes=SECRET)
        Person.objects.filter(pk=person.pk).update(sex="none")


urlpatterns = [path("violate", violate)]
handler500 = "meddie.http.error_views.server_error"


@pytest.mark.django_db
def test_traceback_of_a_violation_has_no_row():
    with pytest.raises(IntegrityError) as violation:
        violate()
    written = "".join(traceback.format_exception(violation.value))
    assert "violates check constraint" in written
    assert "secret" not in written
    assert "DETAIL" not in written
    assert violation.value.__cause__.diag.constraint_name


@pytest.mark.django_db
def test_traceback_of_a_duplicate_has_no_key():
    ann = UserFactory()
    with pytest.raises(IntegrityError) as duplicate, transaction.atomic():
        User.objects.create_user(ann.email)
    assert ann.email not in "".join(traceback.format_exception(duplicate.value))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("%s::jsonb", "invalid input syntax for type json"),
        ("%s::uuid", "invalid input syntax for type uuid"),
        ("%s::integer", "invalid input syntax for type integer"),
        ("%s::vector", "invalid input syntax for type vector"),
        ("%s::date", "invalid input syntax for type date"),
        ("%s::text[]", "malformed array literal"),
        ("to_tsquery(%s)", "syntax error in tsquery"),
        ("quote_literal(%s || repeat('x', 3000))::tsquery", "word is too long"),
    ],
)
@pytest.mark.parametrize("value", [SECRET, 'a "purple" secret'])
def test_traceback_of_a_failed_statement_names_no_value(expression, told, value):
    with (
        pytest.raises(DatabaseError) as failed,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SELECT {expression}", [value])
    assert told in str(failed.value)
    assert "secret" not in "".join(traceback.format_exception(failed.value))


@pytest.mark.django_db
def test_request_log_has_no_row(settings, caplog):
    settings.ROOT_URLCONF = __name__
    answer = Client(raise_request_exception=False).get("/violate")
    assert answer.status_code == 500
    assert "violates check constraint" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.django_db
def test_log_of_a_failed_task_has_no_row(caplog):
    caplog.set_level(logging.INFO)
    app.task(violate, name="tests.violate").apply()
    app.tasks.unregister("tests.violate")
    assert "Task tests.violate" in caplog.text
    assert "IntegrityError" in caplog.text
    assert "secret" not in caplog.text
    assert "DETAIL" not in caplog.text


@pytest.mark.django_db
def test_statement_that_comes_often_is_planned_once():
    person = PersonFactory()
    for _ in range(5):
        Person.objects.get(pk=person.pk)
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        assert any('FROM "people_person"' in row for (row,) in cursor.fetchall())
