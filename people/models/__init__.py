"""Users, spaces and people."""

from people.models.api_key import ApiKey, ExternalUser
from people.models.person import Person, ProfileUpdate
from people.models.space import Invitation, Membership, Space
from people.models.user import DeletedUser, EmailChange, Erasure, User

__all__ = [
    "ApiKey",
    "DeletedUser",
    "EmailChange",
    "Erasure",
    "ExternalUser",
    "Invitation",
    "Membership",
    "Person",
    "ProfileUpdate",
    "Space",
    "User",
]
