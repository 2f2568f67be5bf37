"""Every prompt that Meddie sends, besides that of a reply, is in `golden/prompts.md`."""

import re
from datetime import UTC, datetime
from pathlib import Path

from conversations import prompts as of_talk
from conversations.reply.prompt import prompts as of_replies
from meddie.ai import prompts as of_answers
from memory import prompts as of_memory
from memory.facts.profile_keys import is_about_health
from memory.subjects import UNSURE, Subject
from memory.wording.guards import repeats_example

GOLDEN = Path(__file__).parent / "golden" / "prompts.md"
EXAMPLE = re.compile(r"[\"„]((?:User|Użytkownik|My|my|I)\b[^\"”]*[ ][^\"”]*)[\"”]")
AT = datetime(2026, 3, 7, 12, 30, tzinfo=UTC)
HEARD = {
    "message": "Ich wohne jetzt in Köln",
    "stated_at": "2026-03-07T13:30+01:00, Saturday, Europe/Berlin",
    "context": [{"role": "assistant", "text": "Wo wohnst du?"}],
    "known": [{"n": 1, "text": "User wohnt in Bonn"}],
    "profile": [{"category": "identity", "key": "name", "value": "Kim"}],
}
OLD, NEW = ("User lives in Bonn", AT), ("User lives in Cologne", AT)
SAID = {
    "earlier": "The user asked about tea.",
    "messages": [
        {
            "role": "user",
            "at": "2026-03-07T13:30+01:00, Saturday, Europe/Berlin",
            "text": "I like rum.",
        }
    ],
}
SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}}


def prompts():
    yield "Facts of a message", of_memory.extraction(HEARD)
    yield "Facts of a message, with lore", of_memory.extraction(HEARD, for_space=True)
    yield "Which facts replace which", of_memory.resolution([NEW], [OLD])
    yield "Title", of_talk.title_request(["I like rum", "With raisins?"])
    yield "Running summary", of_talk.running(SAID | {"open_loops": ["Which tea?"]})
    yield "Summary of a part", of_talk.chunk(SAID)
    yield "Summary of an episode", of_talk.episode(SAID)
    yield "Summary of a file", of_talk.file_summary("scan.pdf", "Ferritin 9", "pl")
    yield (
        "Description of a picture",
        [{"role": "user", "content": of_talk.picture("en")}],
    )
    yield "Which answers used a fact", of_talk.using("User smokes", ["Smoke less."])
    yield (
        "Whether an answer heeds a fact",
        of_talk.heeding("User is pregnant", "Wine?", "No."),
    )
    yield (
        "A schema, where the provider has no format for it",
        [{"role": "system", "content": of_answers.follow_schema(SCHEMA)}],
    )
    yield (
        "An answer that is not valid",
        [{"role": "user", "content": of_answers.repair("facts: missing", SCHEMA)}],
    )

    looked_up = {
        Subject("cat", "Milo"): [("User's cat is called Milo", AT.date())],
        UNSURE: [("She takes lithium 400 mg", AT.date())],
    }
    yield (
        "What a model is told of the search that it may ask for, and its results",
        [
            {"role": "tools", "content": of_replies.LOOKUP_TEXT},
            {"role": "tool", "content": of_replies.looked_up(looked_up)},
            {"role": "tool", "content": of_replies.looked_up({})},
            {"role": "tool", "content": of_answers.ONE_CALL},
            {"role": "tool", "content": of_answers.BAD_CALL},
        ],
    )


def test_prompts_equal_the_golden_file():
    parts = [
        f"# {name}\n" + "".join(f"\n## {m['role']}\n\n{m['content']}\n" for m in sent)
        for name, sent in prompts()
    ]
    written = "\n".join(parts)
    assert written == GOLDEN.read_text(encoding="utf-8")


def test_each_example_has_an_invented_name_and_no_illness():
    """A small model gives them back as facts of the user."""
    texts = "\n".join(
        text
        for module in (of_memory, of_talk, of_replies, of_answers)
        for name, text in vars(module).items()
        if name.isupper() and isinstance(text, str)
    )
    examples = EXAMPLE.findall(texts)
    assert len(examples) >= 7
    assert [text for text in examples if not repeats_example(text, "")] == []
    assert is_about_health(" ".join(examples)) is False
