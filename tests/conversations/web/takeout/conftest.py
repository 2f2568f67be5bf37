from tests.people.conftest import _no_attempts_yet  # noqa: F401 -- a fixture
