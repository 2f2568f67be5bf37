"""Repairs of lines that belong to a whole space."""

from django.db import transaction
from django.utils.translation import gettext as _

from memory.capture import lore, store
from memory.models import Memory
from memory.operators.repairs import (
    CORRECT,
    MERGE,
    REPLACED_BY,
    MemoryRepairs,
    RepairRefused,
    operator_provenance,
    refused_text,
)
from memory.values import told_line
from people.models import User


class LoreRepairs(MemoryRepairs):
    """The teller of a corrected line stays."""

    @transaction.atomic
    def correct(self, text: str) -> Memory:
        """Supersede it by a new line, which a task embeds. Raises RepairRefused."""
        told = told_line(text)
        if reason := lore.refused_line(told):
            raise RepairRefused(refused_text(reason))
        scope, old = self._lock(active=True), self.memory
        store.lock_lore(scope.space_id)
        line = lore.normalised_line(told)
        row = lore.find_line(scope.space_id, line) or Memory()
        if row.retired_reason == Memory.RetiredReason.RETRACTED:
            raise RepairRefused(refused_text("retracted"))
        if row.space_id is not None and row.active:
            same = row.pk == old.pk
            text = _("This is the text already.") if same else ""
            raise RepairRefused(text or _("The space has this line already."))
        row.told_by_id, row.channel = old.told_by_id, old.channel
        new = lore.write_line(row, scope.space_id, line, operator_provenance(old))
        store.supersede(scope, old, new, REPLACED_BY[CORRECT])
        self._record(scope, CORRECT, new, old)
        return new

    @transaction.atomic
    def merge(self, other: Memory) -> None:
        """Let it stay and supersede another line of the space. Raises RepairRefused."""
        scope = self._lock(active=True)
        lines = Memory.objects.lore_of(scope.space_id).active()
        others = lines.exclude(pk=self.memory.pk).defer("embedding", "near")
        merged = others.filter(pk=other.pk).first()
        if merged is None:
            raise RepairRefused(_("Choose another active line of this space."))
        store.supersede(scope, merged, self.memory, REPLACED_BY[MERGE])
        self._record(scope, MERGE, self.memory, merged)


def repairs_of_memory(memory: Memory, by: User) -> MemoryRepairs:
    of_space = memory.audience == Memory.Audience.SPACE
    return (LoreRepairs if of_space else MemoryRepairs)(memory, by)
