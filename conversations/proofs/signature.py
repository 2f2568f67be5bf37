"""The deployment's Ed25519 key (RFC 8032), derived from FIELD_KEYS by HKDF (RFC 5869).

The first of FIELD_KEYS signs; what any of them signed is known.
"""

import base64
from collections.abc import Iterator

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from meddie.crypto import field_keys

PURPOSE = b"Meddie's proofs of deletion"


def _keys() -> Iterator[Ed25519PrivateKey]:
    for secret in field_keys():
        derived = HKDF(SHA256(), 32, salt=None, info=PURPOSE)
        yield Ed25519PrivateKey.from_private_bytes(derived.derive(secret.encode()))


def sign(text: str) -> str:
    """In base64."""
    return base64.b64encode(next(_keys()).sign(text.encode())).decode()


def public_key() -> str:
    """PEM, as openssl reads it."""
    key = next(_keys()).public_key()
    pem = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return pem.decode()


def has_signed(text: bytes, signature: bytes) -> bool:
    """Whether this deployment has signed exactly these bytes."""
    for key in _keys():
        try:
            key.public_key().verify(signature, text)
        except InvalidSignature:
            continue
        return True
    return False
