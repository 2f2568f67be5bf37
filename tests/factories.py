"""People, memories and conversations that do not exist, for tests.

Each area adds its factories at the end of the file.
"""

import hashlib
from functools import cache
from typing import Any
from uuid import uuid4

from django.contrib.auth.hashers import get_hasher, make_password
from django.core.files.base import ContentFile
from django.utils import timezone
from factory.declarations import LazyAttribute, LazyFunction, Sequence, SubFactory
from factory.django import DjangoModelFactory
from factory.helpers import post_generation

from conversations.models import Attachment
from conversations.models.attachment import attachment_storage
from conversations.telegram.models import TelegramBot, TelegramLink, TelegramLinkCode
from memory.models import Memory, MemoryLink, ProfileFact
from memory.wording.same_fact import content_hash
from people.models import (
    ApiKey,
    ExternalUser,
    Invitation,
    Membership,
    Person,
    ProfileUpdate,
    Space,
    User,
)
from people.models.token import hash_token
from tests.memory.embedders import WordEmbedder

PASSWORD = "a quiet long sentence"


@cache
def _hashed(hasher: str) -> str:
    """Hashing takes a third of a second by design; once is enough for all users."""
    return make_password(PASSWORD, hasher=hasher)


class UserFactory(DjangoModelFactory[User]):
    """A user who can sign in with PASSWORD."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = Sequence(lambda n: f"user{n}@example.com")
    name = Sequence(lambda n: f"User {n}")
    password = LazyFunction(lambda: _hashed(get_hasher().algorithm))


class SpaceFactory(DjangoModelFactory[Space]):
    """A space; `SpaceFactory(members=[ann])` makes ann an admin of it."""

    class Meta:
        model = Space
        skip_postgeneration_save = True

    name = Sequence(lambda n: f"Space {n}")

    @post_generation  # type: ignore[untyped-decorator]
    def members(self, create: bool, extracted: list[User] | None, **kwargs: Any):
        for user in extracted or []:
            MembershipFactory(user=user, space=self)


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    user = SubFactory(UserFactory)
    space = SubFactory(SpaceFactory)
    role = Membership.Role.ADMIN


class PersonFactory(DjangoModelFactory[Person]):
    class Meta:
        model = Person

    space = SubFactory(SpaceFactory)
    name = Sequence(lambda n: f"Person {n}")
    sex = Person.Sex.FEMALE


class ProfileUpdateFactory(DjangoModelFactory[ProfileUpdate]):
    class Meta:
        model = ProfileUpdate

    person = SubFactory(PersonFactory)
    author = SubFactory(UserFactory)
    field = ProfileUpdate.Field.HEALTH_NOTES
    action = ProfileUpdate.Action.APPEND
    text = Sequence(lambda n: f"Note {n}")
    previous_value = ""
    new_value = LazyAttribute(lambda update: f"- {update.text}")


class InvitationFactory(DjangoModelFactory[Invitation]):
    """An open invitation whose link carries `token`."""

    class Meta:
        model = Invitation

    class Params:
        token = Sequence(lambda n: f"token-{n}")

    space = SubFactory(SpaceFactory)
    email = Sequence(lambda n: f"invited{n}@example.com")
    invited_by = SubFactory(UserFactory)
    token_hash = LazyAttribute(lambda invitation: hash_token(invitation.token))
    expires_at = LazyFunction(lambda: timezone.now() + Invitation.LIFETIME)


class MemoryFactory(DjangoModelFactory[Memory]):
    """An active memory about its user, who can recall it; `embedder` makes its vector."""

    class Meta:
        model = Memory
        skip_postgeneration_save = True

    class Params:
        embedder = LazyFunction(WordEmbedder)

    user = SubFactory(UserFactory)
    space = SubFactory(SpaceFactory)
    content = Sequence(lambda n: f"User's note number {n}")
    content_hash = LazyAttribute(lambda memory: content_hash(memory.content))
    subject = ""
    vector = LazyAttribute(lambda m: m.embedder.embed([m.content])[0])
    embedding_model = LazyAttribute(lambda memory: memory.embedder.model.name)

    @post_generation  # type: ignore[untyped-decorator]
    def linked(memory: Any, create: bool, extracted: bool | None, **kwargs: Any):  # noqa: N805
        if extracted is not False:
            MemoryLink.objects.create(
                user=memory.user, space=memory.space, memory=memory
            )


class ApiKeyFactory(DjangoModelFactory[ApiKey]):
    """The usable key `secret` of a member."""

    class Meta:
        model = ApiKey

    class Params:
        secret = Sequence(lambda n: f"sk-meddie-{n:043}")

    user = SubFactory(UserFactory)
    space = LazyAttribute(lambda key: MembershipFactory(user=key.user).space)
    prefix = LazyAttribute(lambda key: key.secret[:14])
    hash = LazyAttribute(lambda key: hashlib.sha256(key.secret.encode()).hexdigest())


class ExternalUserFactory(DjangoModelFactory[ExternalUser]):
    """A user of a trusted proxy, with their membership."""

    class Meta:
        model = ExternalUser
        skip_postgeneration_save = True

    space = SubFactory(SpaceFactory)
    external_id = Sequence(lambda n: f"external-{n}")
    user = SubFactory(
        UserFactory, name="", password=LazyFunction(lambda: make_password(None))
    )

    @post_generation  # type: ignore[untyped-decorator]
    def membership(external: Any, create: bool, extracted: Any, **kwargs: Any):  # noqa: N805
        role = Membership.Role.MEMBER
        MembershipFactory(space=external.space, user=external.user, role=role)


class TelegramBotFactory(DjangoModelFactory[TelegramBot]):
    class Meta:
        model = TelegramBot

    space = SubFactory(SpaceFactory)
    bot_id = Sequence(lambda n: 7_000_000_000 + n)
    username = Sequence(lambda n: f"meddie_{n}_bot")
    token = LazyAttribute(lambda bot: f"{bot.bot_id}:a-token-of-nobody")
    secret = Sequence(lambda n: f"secret-{n}")


class TelegramLinkFactory(DjangoModelFactory[TelegramLink]):
    """A confirmed Telegram id; `person=` links a person of the space."""

    class Meta:
        model = TelegramLink

    space = SubFactory(SpaceFactory)
    telegram_id = Sequence(lambda n: 5_000_000_000 + n)
    user = LazyAttribute(lambda link: MembershipFactory(space=link.space).user)
    confirmed_at = LazyAttribute(lambda link: timezone.now() if link.user else None)


class TelegramLinkCodeFactory(DjangoModelFactory[TelegramLinkCode]):
    class Meta:
        model = TelegramLinkCode

    user = SubFactory(UserFactory)
    space = LazyAttribute(lambda code: MembershipFactory(user=code.user).space)
    token_hash = Sequence(lambda n: hash_token(str(n)))
    expires_at = LazyFunction(lambda: timezone.now() + TelegramLinkCode.LIFETIME)


class AttachmentFactory(DjangoModelFactory[Attachment]):
    """A file of a message, which has to be given, which has not been read."""

    class Meta:
        model = Attachment

    class Params:
        content = b"SECRET-of-Ann, it says."

    user = LazyAttribute(lambda file: file.message.conversation.user)
    space = LazyAttribute(lambda file: file.message.conversation.space)
    number = Sequence(lambda n: n + 1)
    kind = Attachment.Kind.DOCUMENT
    name = Sequence(lambda n: f"letter-{n}.txt")
    content_type = "text/plain"
    size = LazyAttribute(lambda file: len(file.content))
    sha256 = LazyAttribute(lambda file: hashlib.sha256(file.content).hexdigest())
    file = LazyAttribute(
        lambda file: attachment_storage().save(
            f"te/{uuid4().hex}", ContentFile(file.content)
        )
    )


class ProfileFactFactory(DjangoModelFactory[ProfileFact]):
    class Meta:
        model = ProfileFact

    user = SubFactory(UserFactory)
    space = SubFactory(SpaceFactory)
    category = ProfileFact.Category.IDENTITY
    key = Sequence(lambda n: f"key_{n}")
    value = Sequence(lambda n: f"Value {n}")
