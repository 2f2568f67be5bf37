import pytest


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    """Many tests here sign in, and the real hasher is slow on purpose."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
