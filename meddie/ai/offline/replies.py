"""What the stand-in says: what is known, and a sentence where that is kinder (decision 50)."""

import json
from collections.abc import Sequence

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from meddie.ai.events import Basis, Remark
from meddie.text import markdown_escaped

MOST_REMARKS = 3  # remarks of an answer that is no overview, unless more are vital
POLITE = {
    "greeting": gettext_lazy(
        "Hello! Tell me something about you, or ask me for what I know."
    ),
    "thanks": gettext_lazy("You're welcome."),
    "feeling": gettext_lazy("Thank you for telling me how you are. I am listening."),
    "capability": gettext_lazy(
        "I am Meddie, neither a doctor nor a person. I keep what you tell me about you and "
        "your people, and bring it back when you ask. Without a model I do no more than that."
    ),
    "closing": gettext_lazy("I am here when you need me."),
}
"""By class of the judgement."""
NOTED = gettext_lazy("Thank you for telling me.")
KNOWN_ALREADY = gettext_lazy("I knew that already.")
UNKEPT = gettext_lazy("I keep nothing from this conversation.")
WISH = gettext_lazy("I have looked for what I should forget.")
CANNOT_REMIND = {
    True: gettext_lazy(
        "I can't remind you yet. I keep what you told me and say it when you ask."
    ),
    False: gettext_lazy("I can't remind you yet."),
}
"""By whether something is kept."""
SETTLED = {
    True: gettext_lazy("All right."),
    False: gettext_lazy("All right, everything stays as it is."),
}
"""By the answer to a question."""
GONE = gettext_lazy("That is already forgotten. Undo brings it back.")
NOT_KNOWN = gettext_lazy("I don't know that yet.")
NOT_KNOWN_OF = {
    "": gettext_lazy("I don't know that about you yet."),
    "mother": gettext_lazy("I don't know that about your mother yet."),
    "father": gettext_lazy("I don't know that about your father yet."),
    "daughter": gettext_lazy("I don't know that about your daughter yet."),
    "son": gettext_lazy("I don't know that about your son yet."),
    "child": gettext_lazy("I don't know that about your child yet."),
    "brother": gettext_lazy("I don't know that about your brother yet."),
    "sister": gettext_lazy("I don't know that about your sister yet."),
    "husband": gettext_lazy("I don't know that about your husband yet."),
    "wife": gettext_lazy("I don't know that about your wife yet."),
    "partner": gettext_lazy("I don't know that about your partner yet."),
    "grandmother": gettext_lazy("I don't know that about your grandmother yet."),
    "grandfather": gettext_lazy("I don't know that about your grandfather yet."),
    "aunt": gettext_lazy("I don't know that about your aunt yet."),
    "uncle": gettext_lazy("I don't know that about your uncle yet."),
}
"""By the relation of the one asked about; of others by name."""
MODEL_WOULD = gettext_lazy("*A model would answer this.*")
UNABLE = gettext_lazy(
    "I can't do that without a model. I keep what you tell me, and bring it back when you ask."
)
ASK_A_DOCTOR = gettext_lazy("Please ask a doctor or a pharmacist before you decide.")
UNASKED = gettext_lazy(
    "I am listening. Say “remember …” if I should keep something, or ask me for what I know."
)
YOU_SAID = gettext_lazy("You said:")
SIGNATURE = gettext_lazy("*Offline stand-in: no language model.*")


def reply_to(basis: Basis) -> str:
    """The reply with a block of notes; empty under the note of an emergency."""
    with translation.override(basis.language):
        parts = [] if basis.emergency else _parts(basis)
    if basis.block and (block := _block(basis)):
        parts.append(f"```json\n{json.dumps(block, ensure_ascii=False)}\n```")
    return "\n\n".join(parts)


def _block(basis: Basis) -> dict[str, object]:
    forgets = "*" if basis.forgets_all else list(basis.unwanted)
    about = {"about": basis.about} if basis.about else {}
    saves = [{"text": said, **about} if about else said for said in basis.lasting]
    saves = [] if forgets else saves
    entries = {"memory_saves": saves, "memory_forgets": forgets}
    return {key: entry for key, entry in entries.items() if entry}


def _parts(basis: Basis) -> list[str]:
    if basis.gone:
        return [str(GONE)]
    if basis.settled is not None:
        return [str(SETTLED[basis.settled])]
    if basis.reminds:
        return [str(CANNOT_REMIND[basis.keeps and bool(basis.lasting)])]
    parts = _noted(basis) or _polite(basis)
    if basis.lines_read:
        parts.append(_lines_read(basis.lines_read))
    if basis.unread:
        parts.append(_unread(basis.unread))
    elif basis.asks:
        parts += _answered(basis, alone=not parts)
    elif not parts:
        parts = _quoted(basis.found[:MOST_REMARKS]) or [str(UNASKED)]
    return [*parts, str(SIGNATURE)] if basis.begins else parts


def _polite(basis: Basis) -> list[str]:
    return [str(POLITE[basis.manner])] if basis.manner else []


def _unread(files: Sequence[str]) -> str:
    told = _("I am still reading %(names)s. Ask me again in a moment.")
    return told % {"names": ", ".join(map(markdown_escaped, files))}


def _answered(basis: Basis, *, alone: bool) -> list[str]:
    """What is known; that nothing is, unless something else is said."""
    most = len(basis.found) if basis.overview else max(MOST_REMARKS, basis.vital)
    parts = _quoted(basis.found[:most])
    if not parts and alone and basis.wishes:
        return [str(UNABLE)]
    if not parts and alone:
        parts = [_not_known(basis.asked), str(MODEL_WOULD)]
    return [*parts, str(ASK_A_DOCTOR)] if parts and basis.may_i else parts


def _not_known(asked: tuple[str, str] | None) -> str:
    relation, name = asked or (None, "")
    if name:
        told = _("I don't know that about %(name)s yet.")
        return told % {"name": markdown_escaped(name)}
    return str(
        NOT_KNOWN_OF.get(relation, NOT_KNOWN) if relation is not None else NOT_KNOWN
    )


def _lines_read(count: int) -> str:
    told = ngettext(
        "Read: %(count)s line. Ask me about it.",
        "Read: %(count)s lines. Ask me about them.",
        count,
    )
    return told % {"count": count}


def _noted(basis: Basis) -> list[str]:
    wishes = basis.forgets_all or basis.unwanted
    if not (wishes or basis.lasting):
        return []
    if not basis.keeps:
        return [str(UNKEPT)]
    return [str(WISH if wishes else KNOWN_ALREADY if basis.is_known else NOTED)]


def _quoted(found: Sequence[Remark]) -> list[str]:
    """A list for each source, in the order of their best remarks."""
    by_source: dict[str, list[str]] = {}
    for item in found:
        by_source.setdefault(item.source, []).append(_line(item))
    return [
        f"{markdown_escaped(source) or YOU_SAID}\n\n" + "\n".join(lines)
        for source, lines in by_source.items()
    ]


def _line(one: Remark) -> str:
    text = markdown_escaped(one.text)
    if one.literal:
        text = _("“%(text)s”") % {"text": text}
    day = f" ({date_format(one.day, 'DATE_FORMAT')})" if one.day else ""
    return f"- {text}{day}"
