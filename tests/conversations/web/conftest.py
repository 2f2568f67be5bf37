"""Ann, who is signed in, and Bob, who shares a space with her and nothing else."""

import pytest
from django.test import Client

from people.models import Space, User
from tests.factories import MembershipFactory, SpaceFactory, UserFactory


@pytest.fixture
def ann(db: None) -> User:
    return UserFactory(email="ann@example.com", name="Ann")


@pytest.fixture
def bob(db: None) -> User:
    return UserFactory(email="bob@example.com", name="Bob")


@pytest.fixture
def home(ann: User, bob: User) -> Space:
    home = SpaceFactory(name="Home", members=[ann])
    MembershipFactory(user=bob, space=home)
    return home


@pytest.fixture
def anns(ann: User, home: Space) -> Client:
    client = Client()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def bobs(bob: User, home: Space) -> Client:
    client = Client()
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    return client
