"""A file is read right, or its user is told what of it was not read."""

import pytest
from django.urls import reverse

from conversations.attachments.in_prompt import surrogate
from conversations.attachments.problems import account
from conversations.models import DerivationJob
from meddie.jobs import registry
from tests.conversations import transcripts
from tests.conversations.api.openai.client import api_for
from tests.conversations.attachments.documents import pdf_with_pictures
from tests.conversations.attachments.sent import read, texts_of
from tests.conversations.web.takeout.archives import download, read_json
from tests.factories import AttachmentFactory, MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)
UNSURE = "mañana; niño, canción"
NO_TEXT = "(a picture without text that I could read)"


@pytest.fixture
def page(client, member):
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def shown(page, message):
    path = reverse("conversations:show", args=[message.conversation_id])
    return page.get(path).text


def choose(page, file, encoding):
    return page.post(
        reverse("conversations:read_as", args=[file.pk]), {"encoding": encoding}
    )


def test_pages_that_were_not_read_are_named(page, message):
    letter = pdf_with_pictures(["Iron", None, "Rest", None])
    file = read(message, "letter.pdf", letter)
    told = f"Read: 2 pages. Not read: page 2 {NO_TEXT}; page 4 {NO_TEXT}"
    assert account(file) == told
    assert told in shown(page, message)
    assert surrogate(file).endswith("(not read: page 2, page 4)")


def test_equal_file_that_is_sent_again_has_the_same_account(message):
    letter = pdf_with_pictures(["Iron", None])
    first, second = (read(message, name, letter) for name in ("a.pdf", "b.pdf"))
    assert account(second) == account(first) != ""


class TestDoors:
    """The memory page, the API and the take-out say the same as the bubble."""

    TOLD = f"Read: 1 page. Not read: page 2 {NO_TEXT}"

    @pytest.fixture
    def file(self, message):
        return read(message, "letter.pdf", pdf_with_pictures(["Iron", None]))

    def test_memory_page_lists_files(self, page, member, file):
        member.space.memory_page = True
        member.space.save()
        shown = page.get(reverse("memory_page:index")).text
        assert "letter.pdf" in shown
        assert self.TOLD in shown

    def test_download_has_the_account(self, page, file):
        (told,) = read_json(download(page), "/files.json")
        assert told["account"] == self.TOLD

    def test_api_lists_the_files_of_its_user_alone(self, member, message, file):
        stranger = MembershipFactory(space=member.space).user
        other = transcripts.start_conversation(stranger, member.space)
        sent = transcripts.exchange(other, "See.", "I see.").answers
        AttachmentFactory(message=sent)
        read(message, "b.txt", b"Iron\n")
        api = api_for(member)
        first = api.send("GET", "/api/files", params={"limit": 1}).json()
        assert [told["name"] for told in first["files"]] == ["b.txt"]
        rest = api.send("GET", "/api/files", params={"before": first["next"]}).json()
        (told,) = rest["files"]
        assert (told["name"], told["account"]) == ("letter.pdf", self.TOLD)
        assert (told["state"], rest["next"]) == ("done", None)


class TestUnsureCharacters:
    @pytest.fixture
    def file(self, message):
        return read(message, "lab.txt", UNSURE.encode("cp1252"))

    def test_user_chooses_between_two_samples(self, page, message, file):
        assert file.state == "failed"
        content = shown(page, message)
        assert "Which is right?" in content
        assert f'value="cp1252" dir="auto" aria-label="Read it as: {UNSURE}"' in content
        assert choose(page, file, "cp1252").status_code == 302
        registry.run("files", DerivationJob.objects.get(attachment=file).pk)
        file.refresh_from_db()
        assert file.state == "done"
        assert texts_of(file) == [UNSURE]
        assert "Read it as" not in shown(page, message)

    def test_no_other_characters_can_be_chosen(self, page, file):
        assert choose(page, file, "utf-7").status_code == 404
        file.refresh_from_db()
        assert file.state == "failed"

    def test_file_of_another_is_not_found(self, client, file):
        stranger = MembershipFactory().user
        client.force_login(
            stranger, backend="django.contrib.auth.backends.ModelBackend"
        )
        assert choose(client, file, "cp1252").status_code == 404
