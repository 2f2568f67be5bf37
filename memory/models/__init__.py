"""Tables of memory."""

from memory.models.calibration import CalibrationJob
from memory.models.capture_job import CaptureJob
from memory.models.episodic import EpisodicMemory
from memory.models.event import MemoryEvent
from memory.models.fact import Fact, facts_for, without_text
from memory.models.journal_line import JournalFile, JournalLine
from memory.models.memory import CommunityMemory, Memory
from memory.models.memory_link import MemoryLink
from memory.models.memory_update import MemoryUpdate
from memory.models.policy import MemoryPolicy
from memory.models.profile_fact import ProfileFact
from memory.models.statement import MemoryStatement

__all__ = [
    "CalibrationJob",
    "CaptureJob",
    "CommunityMemory",
    "EpisodicMemory",
    "Fact",
    "JournalFile",
    "JournalLine",
    "Memory",
    "MemoryEvent",
    "MemoryLink",
    "MemoryPolicy",
    "MemoryStatement",
    "MemoryUpdate",
    "ProfileFact",
    "facts_for",
    "without_text",
]
