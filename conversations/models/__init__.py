"""Threads, conversations, messages, and what belongs to them."""

from conversations.models.attachment import (
    Attachment,
    AttachmentText,
    DerivationJob,
    RemovedFile,
)
from conversations.models.chat_model import ChatModel
from conversations.models.conversation import Conversation, Thread
from conversations.models.deletion_proof import DeletionProof
from conversations.models.emergency_card import EmergencyCard
from conversations.models.episode import Episode, EpisodeReason, Summary, SummaryJob
from conversations.models.message import MemoryReference, Message
from conversations.models.message_rows import DailyUse, Feedback, MessageIndex
from conversations.models.outdated_answer import AnswerCheck, OutdatedAnswer
from conversations.models.probe import ProbeJob
from conversations.models.receipt import Receipt
from conversations.models.sheet_link import SheetLink, SheetOpening

__all__ = [
    "AnswerCheck",
    "Attachment",
    "AttachmentText",
    "ChatModel",
    "Conversation",
    "DailyUse",
    "DeletionProof",
    "DerivationJob",
    "EmergencyCard",
    "Episode",
    "EpisodeReason",
    "Feedback",
    "MemoryReference",
    "Message",
    "MessageIndex",
    "OutdatedAnswer",
    "ProbeJob",
    "Receipt",
    "RemovedFile",
    "SheetLink",
    "SheetOpening",
    "Summary",
    "SummaryJob",
    "Thread",
]
