"""Titles by the fast model; until then the first words of the first message."""

import logging
from uuid import UUID

from django.db.models import OuterRef, QuerySet

from conversations import prompts
from conversations.models import Conversation, Message
from meddie import dispatch
from meddie.ai.background import answer_of, paid_by
from meddie.ai.errors import AIError, GaveWay, NoCallsLeft
from meddie.ai.provider import current_provider
from memory.judgement.judge import judge_sentences
from memory.wording.splitting import split_sentences

logger = logging.getLogger(__name__)

LONGEST_TITLE = 120  # characters; pages show what has room
LONGEST_OPENING = 50  # characters of a title that no model wrote
GREETING_WITHIN = 500  # characters among which the greeting is


def first_words(text: str, longest: int = LONGEST_TITLE) -> str:
    """Whole words if possible."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    words, _, _ = line[:longest].rpartition(" ")
    return f"{words.rstrip(' ,;:-') or line[: longest - 1]}…"


def opening(text: str) -> str:
    """The first words of a message after a greeting, of one sentence, for a first title."""
    judged = judge_sentences(text[:GREETING_WITHIN])
    starts = (
        start for (start, _), judgement in judged if "greeting" not in judgement.classes
    )
    rest = text[next(starts, 0) :].strip()
    told = " ".join((rest if " " in rest else text).split())
    sentence = next(iter(split_sentences(told)), told)
    return first_words(sentence, LONGEST_OPENING)


def first_texts() -> QuerySet[Message, str]:
    """Of conversations, whose query it is part of: what the user said first."""
    said = Message.objects.current().filter(
        conversation=OuterRef("conversation"), role=Message.Role.USER
    )
    return said.in_order().values_list("content", flat=True)[:1]


def is_untitled(conversation: Conversation, first_text: str | None = None) -> bool:
    """Whether the title is still from the first message. A statement without `first_text`.

    Nothing is judged: this is asked in the transaction that ends a turn.
    """
    if first_text is None:
        said = conversation.messages.current().filter(role=Message.Role.USER)
        first_text = said.in_order().values_list("content", flat=True).first()
    return (
        first_text is not None
        and not conversation.renamed
        and conversation.title.removesuffix("…") in " ".join(first_text.split())
    )


def follow_first_message(message: Message) -> bool:
    """Title the conversation by another version of its first message, unless renamed.

    Return whether it did.
    """
    conversation = message.conversation
    said = conversation.messages.current().filter(role=Message.Role.USER)
    title = opening(message.content)
    if not title or said.filter(seq__lt=message.seq).exists():
        return False
    unnamed = Conversation.objects.filter(pk=conversation.pk, renamed=False)
    if not unnamed.update(title=title):
        return False
    conversation.title = title
    return True


def write_title(conversation_id: UUID) -> None:
    """Replace the first words, unless the user has renamed it. Raises NoCallsLeft."""
    provider = current_provider()
    conversation = Conversation.objects.filter(pk=conversation_id).first()
    if not provider.connected or conversation is None or not is_untitled(conversation):
        return
    messages = conversation.messages.current().exclude(role=Message.Role.SYSTEM)
    texts = list(messages.in_order().values_list("content", flat=True)[:2])
    asking = provider.complete(
        prompts.title_request(texts), name="title", max_tokens=40
    )
    try:
        with paid_by(conversation.user_id):
            answer = answer_of(provider, asking)
    except NoCallsLeft:
        raise
    except GaveWay:
        dispatch.enqueue("conversations.title_conversation", str(conversation_id))
        return
    except AIError:
        logger.warning("No title for conversation %s", conversation_id)
        return
    if title := clean_title(answer):
        Conversation.objects.filter(
            pk=conversation_id, title=conversation.title, renamed=False
        ).update(title=title)


def clean_title(answer: str) -> str:
    """One line without quotation marks, Markdown or a full stop; may be empty."""
    line = next((line for line in answer.splitlines() if line.strip()), "")
    return first_words(line.strip(" \t\"'“”„*#`."))
