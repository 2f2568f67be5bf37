"""A user's data as a zip file."""

import re
from datetime import UTC, date, datetime

import pytest
from axes.models import AccessAttempt
from django.core.management import call_command
from django.utils import translation
from django.utils.formats import date_format

from conversations.models import Conversation, Feedback, Message, Summary
from conversations.web.takeout.write import one_at_a_time
from memory.models import Memory, ProfileFact
from people.models import ProfileUpdate
from tests.conversations import transcripts
from tests.conversations.web.takeout.archives import (
    DOWNLOAD,
    ask,
    content_of,
    download,
    read_json,
    read_text,
)
from tests.factories import (
    ApiKeyFactory,
    AttachmentFactory,
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    ProfileFactFactory,
    UserFactory,
)
from tests.limits import limit_to

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(transactional_db, client):
    member = MembershipFactory(user__email="ann@example.com", space__name="Home")
    client.force_login(member.user)
    return member


@pytest.fixture
def owner(member):
    return {"user": member.user, "space": member.space}


@pytest.fixture
def conversation(member):
    return transcripts.start_conversation(member.user, member.space, title="A cold")


def names(archive):
    return set(archive.namelist())


class TestContent:
    def test_conversations_are_there_as_json_and_as_markdown(
        self, client, conversation
    ):
        transcripts.exchange(conversation, "I have a cold.", "old", "superseded")
        transcripts.exchange(conversation, "I have a **bad** cold.", "Drink tea.")
        archive = download(client)
        told = read_json(archive, "/0001 A cold.json")
        assert told["title"] == "A cold"
        assert [
            (one["from"], one["text"], one["status"]) for one in told["messages"]
        ] == [
            ("user", "I have a cold.", "done"),
            ("assistant", "old", "superseded"),
            ("user", "I have a **bad** cold.", "done"),
            ("assistant", "Drink tea.", "done"),
        ]
        page = read_text(archive, "/0001 A cold.md")
        assert page.startswith("# A cold\n")
        assert "I have a **bad** cold." in page
        assert "old" not in page.splitlines()

    def test_conversation_reads_as_in_its_own_export(self, client, conversation):
        transcripts.exchange(conversation, "I have a cold.", "old", "superseded")
        transcripts.exchange(conversation, "And a fever.", "Drink", "interrupted")
        page = read_text(download(client), "/0001 A cold.md")
        assert page == client.get(f"/chat/{conversation.pk}/export").text
        assert "The reply was interrupted" in page

    def test_lines_under_replies_are_told_in_words(self, client, conversation, owner):
        fact = MemoryFactory(**owner, content="User takes ramipril")
        reply = transcripts.exchange(conversation, "I take ramipril.", "Noted.")
        line = transcripts.say(
            conversation,
            Message.Role.SYSTEM,
            "",
            answers=reply.answers,
            line_kind="remembered",
        )
        line.references.create(memory=fact, position=0)
        told = read_json(download(client), "/0001 A cold.json")
        assert told["messages"][-1]["text"] == "Remembered: Takes ramipril"

    def test_summaries_are_there(self, client, conversation):
        Summary.objects.create(
            kind="final",
            thread=conversation.thread,
            conversation=conversation,
            episode=conversation.episodes.get(),
            first_seq=1,
            last_seq=4,
            text="The user has a cold.",
        )
        archive = download(client)
        (told,) = read_json(archive, "/summaries.json")
        assert (told["conversation"], told["text"]) == (
            "A cold",
            "The user has a cold.",
        )
        assert "The user has a cold." in read_text(archive, "/summaries.md")

    def test_import_of_the_facts_changes_nothing(self, client, member, owner, tmp_path):
        stated = datetime(2026, 3, 1, tzinfo=UTC)
        MemoryFactory(**owner, content="User likes tea", stated_at=stated)
        ProfileFactFactory(
            **owner, key="name", value="Ann", stated_at=stated, origin="inline"
        )
        archive = download(client)
        file = tmp_path / "facts.jsonl"
        file.write_text(read_text(archive, "/facts.jsonl"))
        assert len(file.read_text().splitlines()) == 2
        before = [list(model.objects.values()) for model in (Memory, ProfileFact)]
        place = {"user": member.user.email, "space": str(member.space_id)}
        call_command("import_facts", str(file), **place)
        assert before == [
            list(model.objects.values()) for model in (Memory, ProfileFact)
        ]
        assert "User likes tea" in read_text(archive, "/facts.md")

    def test_facts_come_back_with_those_whom_they_are_about(
        self, client, member, owner, tmp_path
    ):
        mia = PersonFactory(space=member.space, name="Mia")
        facts = (
            ("User likes tea", "", None),
            ("Mia has asthma", "daughter Mia", mia),
            ("Mother takes ramipril", "mother", None),
            ("She takes montelukast", "?", None),
        )
        for content, subject, person in facts:
            MemoryFactory(**owner, content=content, subject=subject, person=person)
        file = tmp_path / "facts.jsonl"
        file.write_text(read_text(download(client), "/facts.jsonl"))
        Memory.objects.all().delete()
        place = {"user": member.user.email, "space": str(member.space_id)}
        call_command("import_facts", str(file), **place)
        rows = Memory.objects.values_list("content", "subject", "person")
        assert set(rows) == {
            (content, subject, person and person.pk)
            for content, subject, person in facts
        }

    def test_replaced_facts_are_apart_and_forgotten_ones_are_not_there(
        self, client, owner
    ):
        retired = {"active": False, "retired_at": datetime(2026, 3, 1, tzinfo=UTC)}
        MemoryFactory(
            **owner, content="Lives in Sopot", retired_reason="superseded", **retired
        )
        MemoryFactory(**owner, content="Smokes", retired_reason="retracted", **retired)
        archive = download(client)
        assert "Sopot" in read_text(archive, "/former-facts.jsonl")
        assert "Sopot" not in read_text(archive, " Home/facts.jsonl")
        assert not any(b"Smokes" in archive.read(name) for name in names(archive))

    def test_lore_is_there_for_the_user_who_told_it(self, client, member):
        told = {"user": None, "space": member.space, "audience": "space"}
        MemoryFactory(
            **told,
            content="The key is under the mat",
            told_by=member.user,
            linked=False,
        )
        MemoryFactory(
            **told, content="Bob told this", told_by=UserFactory(), linked=False
        )
        lore = read_text(download(client), "/facts-for-the-space.jsonl")
        assert "under the mat" in lore
        assert "Bob" not in lore

    def test_only_the_notes_of_the_linked_person_are_there(self, client, owner):
        born = date(1985, 4, 12)
        me = PersonFactory(
            **owner, name="Ann", date_of_birth=born, health_notes="- Asthma"
        )
        PersonFactory(space=owner["space"], name="Helena", health_notes="- Diabetes")
        ProfileUpdate.objects.create(
            person=me, field="health_notes", action="append", text="Asthma"
        )
        archive = download(client)
        notes = read_json(archive, "/notes.json")
        assert notes["health_notes"] == "- Asthma"
        assert [change["text"] for change in notes["changes"]] == ["Asthma"]
        assert "- Asthma" in read_text(archive, "/notes.md")
        assert "- Date of birth: 12 April 1985" in read_text(archive, "/notes.md")
        everything = b"".join(archive.read(name) for name in names(archive))
        assert b"Diabetes" not in everything
        told = "whom only you look after: they belong to the household"
        assert told in read_text(archive, "README.txt")
        assert told in client.get(DOWNLOAD).text

    def test_edits_of_notes_by_hand_are_there_as_lines(self, client, owner):
        me = PersonFactory(**owner)
        ProfileUpdate.objects.create(
            person=me,
            field="health_notes",
            action="edit",
            previous_value="- Asthma\n- Gout",
            new_value="- Asthma\n- Migraine",
        )
        (change,) = read_json(download(client), "/notes.json")["changes"]
        assert change["lines_added"] == ["- Migraine"]
        assert change["lines_removed"] == ["- Gout"]

    def test_feedback_is_there_with_its_reason(self, client, conversation, owner):
        reply = transcripts.exchange(conversation, "I have a cold.", "Run.")
        Feedback.objects.create(**owner, message=reply, rating="bad", reason="Harsh")
        (told,) = read_json(download(client), "/feedback.json")
        assert (told["conversation"], told["message_number"]) == ("A cold", reply.seq)
        assert (told["rating"], told["reason"]) == ("bad", "Harsh")

    def test_account_has_keys_without_secrets(self, client, owner):
        key = ApiKeyFactory(**owner, name="Laptop")
        archive = download(client)
        account = read_json(archive, "account.json")
        assert account["email"] == "ann@example.com"
        assert account["spaces"][0]["name"] == "Home"
        assert account["api_keys"][0]["name"] == "Laptop"
        assert "ann@example\\.com" in read_text(
            archive, "account.md"
        ) or "ann@example.com" in read_text(archive, "account.md")
        assert key.hash not in str(account)

    def test_everything_is_in_the_user_s_language(self, client, member):
        member.user.locale = "pl"
        member.user.save()
        account = read_text(download(client), "account.md")
        assert "Konto" in account
        with translation.override("pl"):
            joined = date_format(member.user.date_joined, "j E Y, H:i")
        assert f"Dołączono: {joined}" in account


class TestFiles:
    def test_files_have_their_bytes_and_safe_unique_names(self, client, conversation):
        message = transcripts.exchange(conversation, "See.", "I see.").answers
        for number, name in enumerate(
            (
                "letter.txt",
                "letter.txt",
                "../../etc/pass\nwd",
                "CON",
                "x" * 250 + ".pdf",
            ),
            1,
        ):
            AttachmentFactory(
                message=message, name=name, number=number, content=name.encode()
            )
        archive = download(client)
        files = {name for name in names(archive) if "/files/" in name}
        assert len(files) == 5
        assert {"1 Home/files/A1 letter.txt", "1 Home/files/A2 letter.txt"} < files
        for name in files:
            assert re.fullmatch(r"1 Home/files/A\d [^/\\\n]{0,130}", name), name
            assert ".." not in name.split("/")
        assert archive.read("1 Home/files/A1 letter.txt") == b"letter.txt"
        told = read_json(archive, "/0001 A cold.json")
        assert "files/A1 letter.txt" in told["messages"][0]["files"]
        page = read_text(archive, "/0001 A cold.md")
        assert "](<../files/A1 letter.txt>)" in page

    def test_equal_files_are_there_once(self, client, conversation):
        message = transcripts.exchange(conversation, "See.", "I see.").answers
        first = AttachmentFactory(message=message)
        AttachmentFactory(message=message, file=first.file.name)
        archive = download(client)
        assert len([name for name in names(archive) if "/files/" in name]) == 1
        paths = {file["file"] for file in read_json(archive, "/files.json")}
        assert len(paths) == 1

    def test_file_that_the_storage_lost_is_named_without_its_bytes(
        self, client, conversation
    ):
        message = transcripts.exchange(conversation, "See.", "I see.").answers
        lost = AttachmentFactory(message=message, name="lost.txt")
        lost.file.storage.delete(lost.file.name)
        (told,) = read_json(download(client), "/files.json")
        assert (told["file"], told["name"]) == (None, "lost.txt")


class TestAccess:
    def test_other_users_and_left_spaces_are_not_in_it(self, client, member):
        neighbour = MembershipFactory(space=member.space)
        left = MembershipFactory(user=member.user, space__name="Left behind")
        for user, space in (
            (neighbour.user, member.space),
            (neighbour.user, left.space),
            (member.user, left.space),
        ):
            talk = transcripts.start_conversation(user, space, title="Canary")
            transcripts.exchange(talk, "canary", "canary")
            MemoryFactory(user=user, space=space, content="canary")
        left.delete()
        archive = download(client)
        found = [name for name in names(archive) if b"anary" in archive.read(name)]
        assert found == []
        assert not any("Left behind" in name for name in names(archive))
        assert Conversation.objects.count() == 3

    def test_spaces_of_the_same_name_have_folders_of_their_own(self, client, member):
        MembershipFactory(user=member.user, space__name="Home")
        folders = {name.split("/")[0] for name in names(download(client))}
        assert {"1 Home", "2 Home"} < folders

    def test_wrong_password_gets_one_sentence_and_no_data(self, client, member):
        page = ask(client, "wrong")
        assert page.status_code == 422
        assert "This is not your password." in page.text
        assert AccessAttempt.objects.get().username == "ann@example.com"

    def test_guessing_is_throttled_like_signing_in(self, client, member, settings):
        settings.AXES_FAILURE_LIMIT = 3
        assert [ask(client, "wrong").status_code for _ in range(3)] == [422, 422, 429]
        locked = ask(client)
        assert locked.status_code == 429
        assert "Too many attempts" in locked.text

    def test_address_alone_downloads_nothing(self, client, member):
        page = client.get(DOWNLOAD)
        assert page.headers["Content-Type"].startswith("text/html")
        client.logout()
        assert client.get(DOWNLOAD).headers["Location"].startswith("/sign-in")
        assert ask(client).headers["Location"].startswith("/sign-in")

    def test_file_is_an_attachment_that_no_cache_keeps(self, client, member):
        answer = ask(client)
        assert answer.headers["Content-Disposition"].startswith("attachment;")
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert int(answer.headers["Content-Length"]) == len(content_of(answer))

    def test_during_another_download_it_is_refused_at_once(self, client, member):
        with one_at_a_time:
            refused = ask(client)
        assert refused.status_code == 409
        assert "Another download is being prepared." in refused.text
        assert content_of(ask(client))

    @pytest.mark.parametrize("address", [DOWNLOAD, "/account/delete"])
    def test_reports_of_errors_hide_the_password(self, client, member, address):
        request = client.post(address, {"password": "wrong"}).wsgi_request
        assert request.sensitive_post_parameters == ("password",)

    def test_a_day_allows_a_few_downloads(self, client, member, monkeypatch):
        limit_to(monkeypatch, "DOWNLOADS", 1)
        content_of(ask(client))
        refused = ask(client)
        assert refused.status_code == 422
        assert "the daily limit of downloads" in refused.text
