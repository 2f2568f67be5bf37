"""Write summaries: ask outside of transactions, and store if the job is still leased.

Each function brings one kind up to date, so that a repeated job finds nothing to do.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from conversations import titles
from conversations.episodes import stretches, summary_answers
from conversations.episodes.stretches import Chunk, document
from conversations.episodes.summaries import chunk_end
from conversations.episodes.summary_answers import EpisodeSummary
from conversations.models import Episode, Message, Summary, SummaryJob, Thread
from meddie.jobs.registry import Handlers
from meddie.text import one_line
from memory import service
from memory.models import EpisodicMemory
from memory.values import Candidate, StatedMessage, Turns
from memory.wording.own_words import own_words
from people.scope import NotAMember, Scope, scope_for

Kind = Summary.Kind


def write_running(job: SummaryJob) -> None:
    """Sum up the episode so far. A closed one has its final summary."""
    episode = job.episode
    scope, span = _scope(episode), stretches.stretch_of(episode)
    if scope is None or span is None:
        episode.summaries.filter(kind=Kind.RUNNING, stale=True).delete()
        return
    if episode.summaries.filter(kind=Kind.FINAL).exists():
        return
    kept = episode.summaries.filter(kind=Kind.RUNNING, stale=False).first()
    if kept is None:
        earlier, lines = stretches.outside_chunks(episode)
        loops: object = []
    else:
        earlier, loops = [kept.text], kept.data.get("open_loops", [])
        lines = stretches.last_lines(stretches.told_in(episode), after=kept.last_seq)
        if not lines:
            return
    answer = summary_answers.ask_running(
        document(lines, scope.zone, earlier, open_loops=loops)
    )
    data = answer.model_dump(exclude={"summary"})
    vectors = service.embed_texts([answer.summary] if answer.summary else [])
    with _leased(job):
        _store_for_episode(episode, Kind.RUNNING, span, answer.summary, data)
        Episode.objects.filter(pk=episode.pk).update(
            summary_vector=vectors.values[0] if vectors.values else None,
            summary_model=vectors.model,
        )


def write_chunks(job: SummaryJob) -> None:
    """Rewrite the stale chunks of the thread, and write those that are due."""
    thread = job.episode.thread
    for stale in thread.summaries.filter(kind=Kind.CHUNK, stale=True):
        lines = list(
            stretches.told(thread.pk).filter(
                place__range=(stale.first_seq, stale.last_seq)
            )
        )
        _write_chunk(job, Chunk(stale.first_seq, lines), stale)
    while chunk := stretches.next_chunk(thread.pk):
        last = chunk.lines[-1]
        new = Summary(
            kind=Kind.CHUNK,
            thread=thread,
            conversation_id=last.message.conversation_id,
            episode_id=last.message.episode_id,
            first_seq=chunk.first_seq,
            last_seq=last.place,
        )
        _write_chunk(job, chunk, new)


def write_final(job: SummaryJob) -> None:
    """Sum up a closed episode, and leave its facts to capture."""
    episode = job.episode
    scope, span = _scope(episode), stretches.stretch_of(episode)
    if scope is None or span is None:
        episode.summaries.filter(kind=Kind.FINAL, stale=True).delete()
        return
    final = episode.summaries.filter(kind=Kind.FINAL, stale=False).first()
    if final is None:
        earlier, lines = stretches.outside_chunks(episode)
        answer = summary_answers.ask_episode(document(lines, scope.zone, earlier))
        data = answer.model_dump(exclude={"summary"})
        data["artifacts"] = _files(episode, answer)
        with _leased(job):
            final = _store_for_episode(episode, Kind.FINAL, span, answer.summary, data)
            final.memory = _remember(scope, final)
            final.save(update_fields=["memory"])
            label = one_line(answer.topic)[:255]
            Episode.objects.filter(pk=episode.pk).update(topic_label=label)
            episode.summaries.filter(kind=Kind.RUNNING).delete()
        _embed(final)
    _capture(job, scope, final)


def _files(episode: Episode, answer: EpisodeSummary) -> list[dict[str, str]]:
    """All files of the episode; a note without one of them is dropped."""
    notes = {note.artifact_id: note.note for note in answer.artifacts}
    return [
        {
            "artifact_id": file.code,
            "note": notes.get(file.code) or one_line(file.description) or file.name,
        }
        for file in stretches.files_in(episode)
    ]


def _write_chunk(job: SummaryJob, chunk: Chunk, summary: Summary) -> None:
    scope = _scope(summary.episode)
    text, memory = "", None
    if scope is not None and chunk.lines:
        final = None
        if stretches.told_in(summary.episode).count() == len(chunk.lines):
            finals = summary.episode.summaries.filter(kind=Kind.FINAL, stale=False)
            final = finals.first()
        if final is not None:  # the chunk is the whole episode
            text, memory = final.text, final.memory
        else:
            text = summary_answers.ask_chunk(document(chunk.lines, scope.zone)).summary
    with _leased(job):
        is_next = (chunk_end(summary.thread_id).first() or 0) + 1 == chunk.first_seq
        if not summary.stale and not is_next:  # another worker was quicker
            return
        summary.text, summary.stale = text, False
        summary.memory = memory or _remember(scope, summary)
        summary.save()
    _embed(summary)


def _capture(job: SummaryJob, scope: Scope, final: Summary) -> None:
    found: Any = final.data.get("facts_candidates", [])
    candidates = [Candidate(f["text"], confidence=f["confidence"]) for f in found]
    messages = stretches.told_in(job.episode).filter(speaker=Message.Role.USER)
    stated = [
        StatedMessage(line.pk, own_words(line.content), line.stated_at)
        for line in messages
    ]
    with transaction.atomic():
        service.capture_episode(scope, candidates, stated, final.episode_id)
        job.succeed()


@contextmanager
def _leased(job: SummaryJob) -> Iterator[None]:
    """A transaction in which the thread is locked. Raises LeaseLost."""
    with transaction.atomic():
        # The thread before the job, as at the end of a turn.
        Thread.objects.select_for_update().filter(pk=job.episode.thread_id).first()
        job.hold()
        yield


def _scope(episode: Episode) -> Scope | None:
    """None if nothing may be remembered of the episode's conversation (any more)."""
    conversation = episode.conversation
    try:
        scope = scope_for(
            conversation.user,
            conversation.space_id,
            channel=episode.thread.channel,
            remember=conversation.remember,
        )
    except NotAMember:
        return None
    return scope if scope.writes else None


def _store_for_episode(
    episode: Episode, kind: str, span: tuple[int, int], text: str, data: Any
) -> Summary:
    """Store the one summary of this kind; the caller has locked the thread."""
    first, last = span
    summary, _ = Summary.objects.update_or_create(
        episode=episode,
        kind=kind,
        defaults={
            "thread": episode.thread,
            "conversation": episode.conversation,
            "first_seq": first,
            "last_seq": last,
            "text": text,
            "data": data,
            "stale": False,
        },
    )
    return summary


def _remember(scope: Scope | None, summary: Summary) -> EpisodicMemory | None:
    if scope is None or not summary.text:
        return None
    last = Message.objects.get(thread=summary.thread_id, seq=summary.last_seq)
    turns = Turns(
        thread_id=summary.thread_id,
        run_id=summary.episode_id,
        first=summary.first_seq,
        last=summary.last_seq,
        stated_at=last.created_at,
    )
    return service.remember_episode(scope, summary.text, turns)


def _embed(summary: Summary) -> None:
    """Give the stored memory its vector; the sweep does it if that fails."""
    if summary.memory_id is not None:
        service.index(EpisodicMemory.objects.filter(pk=summary.memory_id))


def title_again(job: SummaryJob) -> None:
    titles.write_title(job.episode.conversation_id)


HANDLERS: Handlers = {
    SummaryJob.TITLE: title_again,
    Kind.RUNNING: write_running,
    Kind.CHUNK: write_chunks,
    Kind.FINAL: write_final,
}
