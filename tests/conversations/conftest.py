import pytest

from meddie import ocr


@pytest.fixture(autouse=True)
def _quick(settings):
    """Every test client would look at all static files again."""
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "static" not in name]


@pytest.fixture(autouse=True)
def _no_tesseract(monkeypatch):
    """Where it is installed, too."""
    monkeypatch.setattr(ocr, "PLACES", "")
