"""Addresses and forms of the pages of a person."""

from django.urls import reverse

from people.models import Person


def url(name, person):
    return reverse(f"people:{name}", args=[person.pk])


def names(space):
    return [person.name for person in Person.objects.in_space(space.pk)]


def filled(client, person, headers=None):
    """What a browser would send back from the edit page."""
    form = client.get(url("edit", person), headers=headers).context["form"]
    return {f.html_name: "" if f.value() is None else f.value() for f in form}
