"""Users, spaces and people."""

from people.models.api_key import ApiKey, ExternalUser
from people.models.person import Person, ProfileUpdate
from people.models.program import AccessToken, Program, ProgramCode, RefreshToken
from people.models.space import Invitation, Membership, Space
from people.models.user import DeletedUser, EmailChange, Erasure, User

__all__ = [
    "AccessToken",
    "ApiKey",
    "DeletedUser",
    "EmailChange",
    "Erasure",
    "ExternalUser",
    "Invitation",
    "Membership",
    "Person",
    "ProfileUpdate",
    "Program",
    "ProgramCode",
    "RefreshToken",
    "Space",
    "User",
]
