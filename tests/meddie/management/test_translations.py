"""The catalogues follow the source, and say what is missing."""

from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.core.management import CommandError, call_command

SOURCE = """
from django.utils.translation import gettext as _, ngettext, pgettext

def words(count):
    return _("Hello %(name)s"), ngettext("one", "many", count), pgettext("month", "May")
"""
TEMPLATE = """{% load i18n %}
{% translate "Send" %}
{% blocktranslate trimmed %}
  Two lines
  of {{ count }}
{% endblocktranslate %}
"""
IDS = {"Hello %(name)s", ("one", "many"), "May", "Send", "Two lines of %(count)s"}


@pytest.fixture
def project(tmp_path: Path, settings) -> Path:
    settings.BASE_DIR = tmp_path
    (tmp_path / "people").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "people" / "words.py").write_text(SOURCE)
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE)
    return tmp_path


def catalogue(project: Path) -> Path:
    return project / "locale" / "pl" / "LC_MESSAGES" / "django.po"


def translate(project: Path) -> None:
    """Fill every empty translation of every language in."""
    for path in project.glob("locale/*/*/*.po"):
        fill(path)


def fill(path: Path) -> None:
    text = path.read_text()
    for form in range(3):
        text = text.replace(f'msgstr[{form}] ""', f'msgstr[{form}] "x"')
    head, *messages = text.split("\n\n")
    filled = [
        part.replace('msgstr ""', 'msgstr "cześć %(name)s"')
        if "%(name)s" in part
        else part.replace('msgstr ""', 'msgstr "%(count)s"')
        if "%(count)s" in part
        else part.replace('msgstr ""', 'msgstr "y"')
        for part in messages
    ]
    path.write_text("\n\n".join([head, *filled]))


def test_a_catalogue_is_made_of_python_and_of_templates(project: Path) -> None:
    call_command("translations")
    with catalogue(project).open("rb") as file:
        found = read_po(file)
    assert {message.id for message in found if message.id} == IDS
    assert catalogue(project).with_suffix(".mo").exists()


def test_missing_translations_are_named_and_nothing_is_written(project: Path) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("translations", check=True)
    assert "missing: 'Send'" in str(refusal.value)
    assert not catalogue(project).exists()


def test_a_full_catalogue_passes_and_can_be_compiled_alone(project: Path) -> None:
    call_command("translations")
    translate(project)
    call_command("translations", check=True)
    compiled = catalogue(project).with_suffix(".mo")
    before = compiled.read_bytes()
    call_command("translations", compile=True)
    assert "cześć".encode() in compiled.read_bytes()
    assert compiled.read_bytes() != before


@pytest.mark.parametrize(
    ("there", "instead", "complaint"),
    [
        pytest.param('msgid "Send"', 'msgid "Sent"', "stale: 'Sent'", id="stale"),
        pytest.param(
            'msgid "Send"', '#, fuzzy\nmsgid "Send"', "fuzzy: 'Send'", id="fuzzy"
        ),
        pytest.param("cześć %(name)s", "cześć %(nam)s", "%(nam)s", id="placeholder"),
    ],
)
def test_wrong_translations_are_named(
    project: Path, there: str, instead: str, complaint: str
) -> None:
    call_command("translations")
    translate(project)
    path = catalogue(project)
    path.write_text(path.read_text().replace(there, instead))
    with pytest.raises(CommandError) as refusal:
        call_command("translations", check=True)
    assert complaint.strip("%()s") in str(refusal.value)
