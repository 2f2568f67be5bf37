"""The pages of proofs: the user's own alone, a file that can be checked, and changed files."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from conversations.forgetting.deletion import delete_conversation
from conversations.models import Conversation, DeletionProof
from conversations.tasks import sweep_replies
from memory.models import Memory
from tests.conversations.proofs.sealed import WORD, sealed, tell
from tests.factories import PASSWORD, MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member():
    return MembershipFactory(role="admin", space__memory_page=True)


def client_of(member):
    client = Client()
    client.force_login(member.user)
    return client


@pytest.fixture
def proof(openai_server, member):
    tell(openai_server, member)
    delete_conversation(Conversation.objects.get())
    sweep_replies()
    return sealed()


def check(content):
    file = SimpleUploadedFile("proof.zip", content)
    return Client().post("/proofs/check", {"file": file})


def changed(content, old, new):
    with ZipFile(BytesIO(content)) as files:
        parts = {name: files.read(name) for name in files.namelist()}
    file = BytesIO()
    with ZipFile(file, "w") as files:
        for name, part in parts.items():
            files.writestr(name, part.replace(old, new))
    return file.getvalue()


def test_file_is_checked_by_the_page_and_a_changed_one_is_refused(member, proof):
    content = client_of(member).get(f"/proofs/{proof.pk}/file").content
    assert "nothing in it has been changed" in check(content).text
    forged = changed(content, b'"messages": 3', b'"messages": 9')
    assert "did not sign this proof" in check(forged).text
    broken = bytearray(content)
    broken[60:90] = b"x" * 30
    for wrong in (b"no zip file", content[:100], b"", bytes(broken)):
        assert check(wrong).status_code == 422


def test_page_tells_in_words_what_is_gone_and_what_remains(member, proof):
    page = client_of(member).get(f"/proofs/{proof.pk}").text
    assert "<li>messages: 3</li>" in page
    assert "back-ups that were made before" in page
    member.user.locale = "de"
    member.user.save()
    page = client_of(member).get(f"/proofs/{proof.pk}").text
    assert "<li>Nachrichten: 3</li>" in page
    assert "bis der Betreiber sie löscht" in page


def test_proofs_of_others_do_not_exist(member, proof):
    stranger = client_of(MembershipFactory(space=member.space))
    for client in (stranger, Client()):
        for address in (f"/proofs/{proof.pk}", f"/proofs/{proof.pk}/file"):
            assert client.get(address).status_code == 404
    assert str(proof.pk) not in stranger.get("/account/proofs").text
    assert str(proof.pk) in client_of(member).get("/account/proofs").text


def test_proof_that_is_not_signed_yet_says_so_and_has_no_file(openai_server, member):
    tell(openai_server, member)
    delete_conversation(Conversation.objects.get())
    client, proof = client_of(member), DeletionProof.objects.get()
    assert "is searching" in client.get(f"/proofs/{proof.pk}").text
    assert client.get(f"/proofs/{proof.pk}/file").status_code == 404
    DeletionProof.objects.update(state="dead", left=["memory.Memory"])
    assert "memory.Memory" in client.get(f"/proofs/{proof.pk}").text


def test_forgetting_on_the_memory_page_links_to_the_proof(openai_server, member):
    tell(openai_server, member)
    client, key = client_of(member), Memory.objects.get().pk
    page = client.post(f"/memory/{key}/forget", follow=True).text
    assert "/account/proofs" in page
    assert "Forgotten facts" in client.get("/account/proofs").text


def test_deleted_account_is_proved_gone_by_the_link_of_its_page(openai_server, member):
    tell(openai_server, member)
    client = client_of(member)
    page = client.post("/account/delete", {"password": PASSWORD}, follow=True).text
    sweep_replies()
    proof = sealed()
    assert f"/proofs/{proof.pk}" in page
    assert (proof.state, proof.left) == ("done", [])
    told = Client().get(f"/proofs/{proof.pk}").text
    assert "account" in told
    assert proof.told["deleted"]["rows"]["messages"] == 3
    for word in (WORD, member.user.email, str(member.user.pk)):
        assert word not in told


def test_public_key_is_there_for_anyone():
    assert Client().get("/proofs/key.pem").content.startswith(b"-----BEGIN PUBLIC KEY")
