"""Blocks are hidden and read, however the reply is cut into pieces."""

import gc
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.reply.block.json import Block
from conversations.reply.block.keys import (
    MEMORY_FORGETS,
    MEMORY_SAVES,
    NAMES,
    PROFILE_UPDATES,
)
from conversations.reply.block.reader import BlockReader
from meddie.text import storable
from tests.conversations.blocks import read_reply
from tests.corpus import each_of

SAVES = '{"memory_saves": ["User is vegetarian"]}'

# Pieces of which nasty replies are made: fences, braces, keys, quotes, prose.
shards = st.sampled_from(
    [
        "Hello there.", "\n", "\n\n", " ", "```", "```json", "```json\n", "~~~", "`",
        "{", "}", "[", "]", '"', "'", "\\", ",", ":", "memory_saves", "memory_for",
        '{"memory_saves": ["a b c", "d"]}', '{"profile_updates": []}', '{"a": 1}',
        '{ "memory_forgets" : ["x"', "```python\nx = {}\n```", "żółć", "- item", "# H",
        '{"reply": "ok", ', '"memory_saves": ["e"]}', '{\\"memory_saves\\": [\\"f\\"]',
        "> ", ">\n", "**", "*", "_", "~~~json\n> ", "\\n", ">> ```",
    ]
)  # fmt: skip
replies = st.lists(st.one_of(shards, st.text(max_size=8)), max_size=12).map("".join)


def streamed(reply: str, cuts: list[int]) -> tuple[str, Block]:
    reader = BlockReader()
    shown = ""
    start = 0
    for cut in [*cuts, len(reply)]:
        shown += reader.feed(reply[start : start + cut])
        start += cut
    return shown + reader.close(), reader.block


@pytest.mark.req("S0-02", "B-01")
@given(replies, st.lists(st.integers(1, 20), max_size=80))
def test_streamed_text_equals_parsed_text(reply, cuts):
    assert streamed(reply, cuts) == read_reply(reply)


@pytest.mark.req("B-01", "S0-44")
@given(
    before=st.text(alphabet="abc .\n", max_size=30),
    behind=st.text(alphabet="abc .\n", max_size=30),
    fenced=st.booleans(),
    saves=st.lists(st.text(max_size=30), max_size=4),
)
def test_block_is_hidden_and_read(before, behind, fenced, saves):
    block = json.dumps({"memory_saves": saves})
    block = f"```json\n{block}\n```\n" if fenced else block
    text, found = read_reply(f"{before}\n{block}\n{behind}")
    assert "memory_saves" not in text
    assert "`" not in text
    assert text.split() == f"{before} {behind}".split()
    assert found[MEMORY_SAVES] == [storable(save) for save in saves]


@given(st.text(alphabet='ab`~ \n{}":1[],', max_size=60))
def test_text_without_a_known_key_is_shown_unchanged(reply):
    text, block = read_reply(f"{reply}.")
    assert text == f"{reply}.".strip()
    assert block == Block()


@each_of("key", sorted(NAMES))
def test_every_known_key_makes_a_block(key):
    text, _ = read_reply(f'Yes.\n\n```json\n{{"{key}": []}}\n```')
    assert text == "Yes."


@pytest.mark.parametrize(
    ("reply", "text", "saves"),
    [
        pytest.param(f"Hi.\n\n```json\n{SAVES}\n```", "Hi.", 1, id="fenced at the end"),
        pytest.param(f"Hi. {SAVES}", "Hi.", 1, id="bare at the end"),
        pytest.param(f"Hi {SAVES} there", "Hi there", 1, id="in the middle of a line"),
        pytest.param(
            f"A\n\n```json\n{SAVES}\n```\n\nB\n\n{SAVES}", "A\n\nB", 2, id="two blocks"
        ),
        pytest.param(f"```json\n{SAVES}{SAVES}\n```C", "C", 2, id="two in one fence"),
        pytest.param(f"```json\n{SAVES}\nC", "C", 1, id="a fence that never closes"),
        pytest.param(f"```json {SAVES} ```", "", 1, id="all on one line"),
        pytest.param(
            f"```\ncode\n```\n{SAVES}", "```\ncode\n```", 1, id="behind a code example"
        ),
        pytest.param(f"~~~json\n{SAVES}\n~~~", "", 1, id="tildes"),
        pytest.param(
            '{ \n "memory_saves" : [ "a `b` c" ] }', "", 1, id="spaces and backticks"
        ),
        pytest.param(
            r'Hi {"memory_saves": ["says \"no } thanks\""]} there',
            "Hi there",
            1,
            id="a quotation with a bracket",
        ),
    ],
)
@pytest.mark.req("S0-03", "B-11")
def test_block_is_found_in_every_position(reply, text, saves):
    shown, block = read_reply(reply)
    assert shown == text
    assert len(block[MEMORY_SAVES]) == saves


@each_of(
    "reply",
    [
        '```json\n{"glucose": 5.4}\n```',
        "```python\ndef f():\n    return {}\n```\nLike this.",
        'Use {"a": 1} here.',
        "Braces { } and ``` in prose",
        "{",
        "```",
    ],
)
@pytest.mark.req("B-11")
def test_code_example_stays_in_the_answer(reply):
    assert read_reply(reply) == (reply, Block())


def test_example_is_shown_once_it_cannot_be_a_block():
    reader = BlockReader()
    assert reader.feed('```json\n{"glucose": 5.4, "values": ') == ""
    assert reader.feed("[5") == '```json\n{"glucose": 5.4, "values": [5'


@each_of(
    ("broken", "saves"),
    [
        ('{"memory_saves": ["a", "b", "cut of', ["a", "b"]),
        ('{"memory_saves": ["a" "b"]}', ["a", "b"]),
        ('{"memory_saves": ["it"s cut"]}', []),
        ("{'memory_saves': [\"a\"]}", ["a"]),
        ('{"memory_saves": "not a list"', []),
    ],
)
def test_complete_strings_of_broken_json_are_salvaged(broken, saves):
    text, block = read_reply(f"Yes.\n\n```json\n{broken}\n```\n")
    assert text == "Yes."
    assert block[MEMORY_SAVES] == saves
    assert [raw.strip() for raw in block.unreadable] == [broken]


def test_complete_updates_of_broken_json_are_salvaged():
    update = '{"field": "supplements", "action": "append", "text": "Zinc"}'
    _, block = read_reply(f'{{"profile_updates": [{update}, {{"field": "sup')
    assert block[PROFILE_UPDATES] == [json.loads(update)]


def test_a_raw_line_break_and_a_trailing_comma_are_read():
    _, block = read_reply('{"memory_saves": ["one\ntwo",]}')
    assert block[MEMORY_SAVES] == ["one\ntwo"]
    assert block.unreadable == []


def test_quoted_brackets_do_not_end_a_block():
    fact = 'User wrote "}]}" on the wall'
    block = json.dumps({"memory_saves": [fact]})
    shown, noted = read_reply(f"Noted.\n\n{block}\n\nGood night.")
    assert shown == "Noted.\n\nGood night."
    assert noted[MEMORY_SAVES] == [fact]


LATE = (
    '{"reply": "ok", "sure": true, "n": -1.5, "memory_saves": ["User is vegetarian"]}'
)
ESCAPED = SAVES.replace('"', '\\"')
UNFINISHED = {
    "left open": SAVES.removesuffix("}"),
    "in an open array": SAVES.removesuffix("]}"),
    "in a fence": "```json\n" + SAVES.removesuffix("}"),
    "with a stray quotation mark": '{"memory_saves": ["User is vegetarian", "it"s"]}',
    "in escaped quotation marks": ESCAPED.removesuffix("}"),
    "spread over lines": SAVES.removesuffix("}").replace("[", "[\n\n  "),
}


@pytest.mark.parametrize("unfinished", UNFINISHED.values(), ids=UNFINISHED)
@pytest.mark.parametrize("prose", ["More prose.", "- one\n- two", "1. one", "**So**"])
@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```"])
@pytest.mark.req("B-11")
def test_unfinished_block_swallows_nothing_after_it(unfinished, prose, fence):
    second = fence.format('{"memory_saves": ["User likes tea"]}')
    text, block = read_reply(f"Hi.\n\n{unfinished}\n\n{prose}\n\n{second}\n\nBye.")
    assert text == f"Hi.\n\n{prose}\n\nBye."
    assert block[MEMORY_SAVES] == ["User is vegetarian", "User likes tea"]


@pytest.mark.parametrize("unfinished", ["left open", "in a fence"])
def test_block_directly_after_an_unfinished_one_is_read(unfinished):
    text, block = read_reply(f"Hi.\n\n{UNFINISHED[unfinished]}\n\n{SAVES}\n\nBye.")
    assert text == "Hi.\n\nBye."
    assert block[MEMORY_SAVES] == ["User is vegetarian"] * 2


def test_fence_after_an_unfinished_block_opens_the_next():
    unfinished = UNFINISHED["in a fence"]
    text, block = read_reply(f"A\n\n{unfinished}\n```json\n{SAVES}\n```\n\nB")
    assert text == "A\n\nB"
    assert len(block[MEMORY_SAVES]) == 2


def test_list_directly_after_an_unclosed_block_is_shown():
    text, block = read_reply('{"memory_saves": ["a"]\n- one\n- two')
    assert text == "- one\n- two"
    assert block[MEMORY_SAVES] == ["a"]


@pytest.mark.parametrize(
    "late",
    [
        LATE,
        LATE.replace(", ", ",\n  ").replace("{", "{\n  "),
        LATE.replace("ok", 'say \\"hi\\", {x} [1]'),
        LATE.removesuffix("}"),
        LATE + "}",
    ],
)
@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```\n", "~~~\n{}"])
@pytest.mark.req("B-11", "S0-44")
def test_known_key_after_others_is_read_at_the_end(late, fence):
    text, block = read_reply("Noted.\n\n" + fence.replace("{}", late))
    assert text == "Noted."
    assert block[MEMORY_SAVES] == ["User is vegetarian"]


@each_of(
    "reply",
    [
        f"```json\n{LATE}\n```\n\nThat is the format.",
        f"```json\n{LATE}\n\nThat is the format.",
        f"Like {LATE}",
        '```json\n{"a": {"b": ["c"]}}\n```',
        '```json\n{"a": 1, "b": "x", "memory": []}\n```',
        '```json\n{"a": 1, "b": "x',
    ],
)
@pytest.mark.req("B-11")
def test_example_without_a_key_at_the_end_is_shown(reply):
    assert read_reply(reply) == (reply, Block())


@each_of("where", range(LATE.index("memory_saves") + 1, len(LATE)))
def test_no_fragment_of_a_late_key_is_shown_at_any_cut(where):
    reader = BlockReader()
    shown = reader.feed(f"Hi.\n\n```json\n{LATE[:where]}") + reader.close(cut=True)
    assert shown == "Hi."


def test_stopped_example_keeps_its_text():
    reader = BlockReader()
    shown = reader.feed('```json\n{"glucose": 5.4, "unit') + reader.close(cut=True)
    assert shown == '```json\n{"glucose": 5.4, "unit'


FENCED = f"```json\n{SAVES}\n```"
QUOTED = "> ```json\n> " + SAVES.replace("[", "[\n>  ") + "\n> ```"


@each_of(
    ("reply", "text"),
    [
        (f"Hi.\n\n**{SAVES}**", "Hi."),
        (f"**{SAVES}**\n\nBye.", "Bye."),
        (f"Hi **{SAVES}** there", "Hi there"),
        (f"Hi.\n\n**\n{FENCED}\n**\n\nBye.", "Hi.\n\n\nBye."),
        (f"Hi.\n\n***{FENCED}***", "Hi."),
        (f"__{SAVES}__ **Bye.**", "**Bye.**"),
        (f"**Hi.**\n\n{SAVES}\n\n*Bye.*", "**Hi.**\n\n*Bye.*"),
        (f"Hi.\n\n{QUOTED}", "Hi."),
        (f"Hi.\n\n{QUOTED}\n>\n\nBye.", "Hi.\n\n\nBye."),
        (f"> Hi.\n{QUOTED}\n> Bye.", "> Hi.\n> Bye."),
        (f"> Hi.\n>\n> {SAVES}", "> Hi."),
        (f"Hi.\n\n{SAVES}\n```", "Hi."),
        (f"{FENCED}\n```\n", ""),
        (f"```json\n{SAVES}\n```json\n{SAVES}\n```", ""),
    ],
)
@pytest.mark.req("B-01", "B-11")
def test_marks_around_a_block_leave_no_crumbs(reply, text):
    shown, block = read_reply(reply)
    assert shown == text
    assert set(block[MEMORY_SAVES]) == {"User is vegetarian"}


@each_of(
    "reply", ["> a quotation\n\n**", "*", "2 * 3 > 5", "__init__ _x_", "***\n> a\n>"]
)
def test_marks_without_a_block_are_shown(reply):
    assert read_reply(reply) == (reply, Block())


variants = st.sampled_from(
    [
        SAVES, FENCED, QUOTED, ESCAPED, f"**{SAVES}**", f"_{FENCED}_", f"[{SAVES}]",
        f"~~~json\n{SAVES}\n~~~", f"```json {SAVES} ```", *UNFINISHED.values(),
    ]
)  # fmt: skip
paragraphs = st.sampled_from(["Take care.", "**Rest**", "- one\n- two", "> so", "# H"])


@pytest.mark.req("B-01", "S0-02")
@given(
    st.lists(st.tuples(paragraphs, variants), min_size=1, max_size=4),
    paragraphs,
    st.lists(st.integers(1, 30), max_size=80),
)
def test_text_between_blocks_of_all_kinds_is_shown_and_no_more(parts, last, cuts):
    reply = "".join(f"{text}\n\n{block}\n\n" for text, block in parts) + last
    text, block = streamed(reply, cuts)
    assert text == "\n\n".join([text for text, _ in parts] + [last])
    assert block[MEMORY_SAVES] == ["User is vegetarian"] * len(parts)
    assert (text, block) == read_reply(reply)


@each_of("value", ['"text"', "3", "null", '{"a": 1}', "[1, null, {}]"])
@pytest.mark.req("B-10")
def test_wrong_types_are_dropped(value):
    _, block = read_reply(f'{{"memory_saves": {value}}}')
    assert block[MEMORY_SAVES] == []


def test_unfinished_block_of_a_stopped_reply_is_ignored():
    reader = BlockReader()
    shown = reader.feed(f'A\n{SAVES}\nB\n{{"memory_saves": ["lost"')
    assert shown + reader.close(cut=True) == "A\nB"
    assert reader.block[MEMORY_SAVES] == ["User is vegetarian"]
    assert reader.block.unreadable == []


@pytest.mark.req("S0-55")
def test_reply_without_a_block_saves_nothing():
    assert read_reply("Take a walk.") == ("Take a walk.", Block())


def test_deep_nesting_does_not_break_the_reader():
    text, block = read_reply('{"memory_saves": ' + "[" * 5000 + "]" * 5000 + "} end")
    assert text == "end"
    assert block[MEMORY_SAVES] == []


words = st.sampled_from(["Take care.", "**Rest**", "- one", "żółć", "5 < 6", "x = 1"])
blocks = st.sampled_from(
    [SAVES, f"```json\n{SAVES}\n```", f"```\n{SAVES}\n```", f"~~~json\n{SAVES}\n~~~"]
)


@pytest.mark.req("B-01")
@given(st.lists(st.tuples(words, blocks), min_size=1, max_size=5), words)
def test_exactly_the_text_around_the_blocks_is_shown(parts, last):
    reply = "".join(f"{text}\n\n{block}\n\n" for text, block in parts) + last
    text, block = read_reply(reply)
    assert text == "\n\n".join([text for text, _ in parts] + [last])
    assert len(block[MEMORY_SAVES]) == len(parts)


WHOLE = "Noted.\n\n```json\n" + SAVES + "\n```"


@pytest.mark.req("B-01")
@each_of("where", range(len(WHOLE)))
def test_no_fragment_is_shown_at_any_cut(where):
    reader = BlockReader()
    shown = reader.feed(WHOLE[:where]) + reader.close(cut=True)
    assert shown == "Noted."[:where]


@each_of("where", range(WHOLE.index("{") + 1, len(WHOLE)))
def test_a_reply_that_ends_too_early_shows_no_fragment(where):
    assert read_reply(WHOLE[:where])[0] == "Noted."


@each_of(
    ("reply", "text", "saves"),
    [
        ('A\n```json\n{"memory_saves":["a"]}}\n```\nB', "A\nB", ["a"]),
        ('A {"memory_saves":["a"]}]; B', "A B", ["a"]),
        ('A ```json\n{"memory_saves":["a"]}\n```', "A", ["a"]),
        ('A\n[{"memory_saves":["a"]}]', "A", ["a"]),
        ('A\n```json\n[{"memory_saves":["a"]}]\n```', "A", ["a"]),
        ('A\n```json\n\ufeff{"memory_saves":["a"]}\n```', "A", ["a"]),
        ("A {“memory_saves”: [“a”]}", "A", ["a"]),
        ('A {memory_saves: ["a"]}', "A", ["a"]),
        ('A {"Memory_Saves": ["a"]}', "A", ["a"]),
        ('A {"memory_saves ": ["a"]}', "A", ["a"]),
        ('A {\\"memory_saves\\": [\\"a\\"]}', "A", ["a"]),
    ],
)
@pytest.mark.req("B-11")
def test_malformed_block_is_recognised(reply, text, saves):
    shown, block = read_reply(reply)
    assert shown == text
    assert block[MEMORY_SAVES] == saves


@pytest.mark.parametrize(
    "reply", ["Use {memory} here.", "{m}", "[1] a source", "Run `x` and ``y``."]
)
def test_text_that_begins_like_a_key_is_shown(reply):
    assert read_reply(reply) == (reply, Block())


@pytest.mark.parametrize(
    ("nasty", "stored"), [(r"a\u0000b", "ab"), (r"a\ud83db", "a\ufffdb")]
)
def test_unstorable_characters_of_a_block_are_not_stored(nasty, stored):
    update = f'{{"field": "health_notes", "action": "append", "text": "{nasty}"}}'
    _, block = read_reply(
        f'{{"memory_saves": ["{nasty}"], "profile_updates": [{update}]}}'
    )
    assert block[MEMORY_SAVES] == [stored]
    assert block[PROFILE_UPDATES][0]["text"] == stored


@each_of(
    ("value", "wishes"),
    [
        ('"*"', ["*"]),
        ('["*"]', ["*"]),
        ('["a", "*"]', ["a", "*"]),
        ('"User is vegan"', []),
        ('""', []),
        ('{"*": 1}', []),
    ],
)
def test_a_key_for_everything_takes_a_star_instead_of_an_array(value, wishes):
    _, block = read_reply(f'{{"memory_forgets": {value}}}')
    assert block[MEMORY_FORGETS] == wishes
    assert block.asks_for_everything(MEMORY_FORGETS) is ("*" in wishes)
    _, block = read_reply(f'{{"memory_saves": {value}}}')
    assert not block.asks_for_everything(MEMORY_SAVES)


def test_braces_leave_no_cycles_whose_collection_would_hold_up_all_replies() -> None:
    reader = BlockReader()
    gc.collect()
    gc.disable()
    try:
        reader.feed("{" * 1000)
        assert gc.collect() < 100
    finally:
        gc.enable()
