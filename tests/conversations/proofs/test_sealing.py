"""What a proof says after a deletion, and that it says nothing while something is left."""

import base64
import json
import subprocess
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from conversations.forgetting.deletion import delete_conversation
from conversations.forgetting.erasing import erase_user, read_traces
from conversations.models import Conversation, DeletionProof
from conversations.models.attachment import attachment_storage
from conversations.proofs import signature
from conversations.proofs.noting import note_account
from conversations.reply.confirmations import forget_scope
from conversations.tasks import remove_files, sweep_replies
from meddie.jobs.registry import QUEUES
from memory import service
from memory.models import Memory, MemoryEvent, ProfileFact
from tests.conversations.proofs.sealed import FACT, WORD, scope_of, sealed, tell
from tests.conversations.turns import ask, noting, write
from tests.factories import (
    AttachmentFactory,
    MembershipFactory,
    ProfileFactFactory,
)
from tests.stack.page_blocks import blocks

pytestmark = pytest.mark.django_db(transaction=True)
NAME = {"category": "identity", "key": "name", "value": WORD}


@pytest.fixture
def member():
    return MembershipFactory()


def whole(proof):
    return f"{proof.document}{proof.payload}{proof.left}{proof.error}"


def remaining(proof):
    return {line["what"]: line.get("count") for line in proof.told["remains"]}


@pytest.mark.req("S3-31")
def test_forgotten_sentence_is_proved_gone_without_its_words(openai_server, member):
    tell(openai_server, member)
    key = Memory.objects.get().pk
    scope = scope_of(member)
    service.erase(scope, [key])
    proof = sealed()
    assert (proof.state, proof.error, proof.left) == ("done", "", [])
    assert proof.told["deleted"] == {"what": "facts", "rows": {"facts": 1}}
    assert remaining(proof)["messages that told it"] == 1
    assert WORD not in whole(proof)
    assert not proof.traces
    assert signature.has_signed(
        proof.document.encode(), base64.b64decode(proof.signature)
    )


def test_forgotten_sentence_that_undo_needs_is_told_with_its_end(openai_server, member):
    tell(openai_server, member)
    service.forget(scope_of(member), [Memory.objects.get().pk])
    (undo,) = [line for line in sealed().told["remains"] if "Undo" in line["until"]]
    last = timezone.localdate(timezone.now() + timedelta(days=30))
    assert (undo["what"], undo["count"]) == ("memories", 1)
    assert undo["until"] == f"for Undo, until {last.isoformat()}"


def test_fact_that_is_remembered_again_has_no_proof(openai_server, member):
    tell(openai_server, member)
    scope, key = scope_of(member), Memory.objects.get().pk
    service.forget(scope, [key])
    service.restore(scope, [key])
    DeletionProof.objects.update(available_at=timezone.now())
    QUEUES[DeletionProof.QUEUE].run(DeletionProof.objects.get().pk)
    assert not DeletionProof.objects.exists()


def test_copy_that_is_left_stops_the_proof(openai_server, member):
    tell(openai_server, member)
    service.erase(scope_of(member), [Memory.objects.get().pk])
    copy = MemoryEvent.objects.create(
        user=member.user, space=member.space, kind="decision", texts={"a": FACT}
    )
    proof = sealed()
    assert (proof.left, proof.document) == (["memory.MemoryEvent"], "")
    assert proof.state == "waiting"
    copy.delete()
    proof = sealed()
    assert (proof.left, proof.state) == ([], "done")


def test_deleted_conversation_is_proved_gone_with_its_files(openai_server, member):
    reply = tell(openai_server, member)
    name = attachment_storage().save("ca/nary", ContentFile(WORD.encode()))
    AttachmentFactory(
        user=member.user, space=member.space, message=reply.answers, file=name
    )
    delete_conversation(Conversation.objects.get())
    proof = sealed()
    assert (proof.left, proof.state) == (["files", "Redis"], "waiting")
    sweep_replies()
    remove_files()
    proof = sealed()
    assert (proof.left, proof.state) == ([], "done")
    rows = proof.told["deleted"]["rows"]
    assert rows == {"conversations": 1, "messages": 3, "files": 1}
    assert WORD not in whole(proof)


@pytest.mark.parametrize("kind", [DeletionProof.CONVERSATION, DeletionProof.ACCOUNT])
def test_nothing_is_signed_while_redis_cannot_be_searched(
    openai_server, member, settings, kind
):
    tell(openai_server, member)
    if kind == DeletionProof.ACCOUNT:
        note_account(member.user, set(), set(), {"people.User": 1})
        erase_user(read_traces(member.user, None))
    else:
        delete_conversation(Conversation.objects.get())
        sweep_replies()
    found = settings.REDIS_URL
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    proof = sealed()
    assert (proof.document, proof.state) == ("", "waiting")
    settings.REDIS_URL = found
    assert sealed().state == "done"


def test_openssl_verifies_what_was_signed(openai_server, member, tmp_path):
    tell(openai_server, member)
    delete_conversation(Conversation.objects.get())
    sweep_replies()
    proof = sealed()
    (tmp_path / "proof.json").write_text(proof.document)
    (tmp_path / "proof.sig").write_bytes(base64.b64decode(proof.signature))
    (tmp_path / "meddie.pem").write_text(proof.public_key)
    (command,) = [c for _, c in blocks("deletion.md") if "openssl" in c]

    def run():
        return subprocess.run(
            command.split(), check=False, cwd=tmp_path, capture_output=True
        )

    assert run().returncode == 0
    told = json.loads(proof.document) | {"version": "9"}
    (tmp_path / "proof.json").write_text(json.dumps(told))
    assert run().returncode == 1


def test_everything_that_is_forgotten_at_once_has_one_proof(openai_server, member):
    tell(openai_server, member)
    ProfileFactFactory(user=member.user, space=member.space, value=WORD)
    forget_scope(scope_of(member))
    proof = sealed()
    assert (proof.state, proof.left) == ("done", [])
    assert proof.told["deleted"]["rows"] == {"facts": 2}
    assert WORD not in whole(proof)


def test_keys_that_stay_with_facts_are_told(openai_server, member):
    openai_server.chat.queue(noting(profile_facts=[NAME]))
    write(ask(member, f"My name is {WORD}"))
    (fact,) = ProfileFact.objects.all()
    assert fact.message_id
    delete_conversation(Conversation.objects.get())
    sweep_replies()
    proof = sealed()
    assert (proof.state, proof.left) == ("done", [])
    assert remaining(proof)["profile facts"] == 1


def test_same_file_in_another_conversation_is_kept(openai_server, member):
    name = attachment_storage().save("ca/nary", ContentFile(WORD.encode()))
    for _ in range(2):
        reply = write(ask(member, "Look"))
        AttachmentFactory(
            user=member.user, space=member.space, message=reply.answers, file=name
        )
    delete_conversation(reply.conversation)
    sweep_replies()
    remove_files()
    assert attachment_storage().exists(name)
    assert sealed().left == []
    attachment_storage().delete(name)


def test_proof_that_ends_without_success_keeps_no_words(openai_server, member):
    tell(openai_server, member)
    service.erase(scope_of(member), [Memory.objects.get().pk])
    MemoryEvent.objects.create(
        user=member.user, space=member.space, kind="decision", texts={"a": FACT}
    )
    DeletionProof.objects.update(attempts=DeletionProof.MOST_ATTEMPTS - 1)
    proof = sealed()
    assert (proof.state, proof.left) == ("dead", ["memory.MemoryEvent"])
    assert proof.sealed is None
    DeletionProof.objects.update(updated_at=timezone.now() - timedelta(days=31))
    QUEUES[DeletionProof.QUEUE].clean_up()
    assert not DeletionProof.objects.exists()


def test_sentence_that_was_told_again_is_said_to_be(openai_server, member):
    owned = {"user": member.user, "space": member.space, "key": "city", "value": WORD}
    fact = ProfileFactFactory(**owned)
    service.erase(scope_of(member), [fact.pk])
    ProfileFactFactory(**owned)
    proof = sealed()
    assert (proof.state, proof.left) == ("done", [])
    assert remaining(proof)["sentences that were told again since"] == 1
    assert proof.told["deleted"]["rows"] == {"facts": 1}
