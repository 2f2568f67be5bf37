import json

import pytest
from pydantic import BaseModel, Field

from meddie.ai import offline, structured
from meddie.ai.errors import ProviderDown, Refused, TimedOut, Unparseable, Unsupported
from meddie.ai.events import ChatMessage
from meddie.ai.provider import current_provider
from meddie.lenient_json import read_object
from tests.meddie.ai.talk import HELLO
from tests.openai_answers import fails, raw, says, stalls
from tests.openai_server import OpenAIServer


class Pet(BaseModel):
    name: str
    legs: int = Field(default=4, ge=0)


class Pets(BaseModel):
    pets: list[Pet]


REX = Pets(pets=[Pet(name="Rex")])
VALID = REX.model_dump_json()
PETS = '{"pets": [{"name": "Rex", "legs": 4}'


@pytest.fixture(autouse=True)
def no_formats_known() -> None:
    """A port may have served another test's provider."""
    structured.accepted_formats.clear()


async def ask(messages: list[ChatMessage] = HELLO) -> Pets:
    return await current_provider().ask(Pets, messages, name="pets", max_tokens=50)


def formats(server: OpenAIServer) -> list[str]:
    bodies = [request.body for request in server.titles.requests]
    return [body.get("response_format", {}).get("type", "text") for body in bodies]


async def test_the_schema_goes_to_the_fast_model_as_a_strict_format(openai_server):
    openai_server.titles.queue(says(VALID))

    assert await ask() == REX
    sent = openai_server.titles.requests[0].body
    assert (sent["model"], sent["max_tokens"], sent["temperature"]) == (
        "test-fast",
        50,
        0,
    )
    assert sent["messages"] == HELLO
    wanted = sent["response_format"]["json_schema"]
    assert (wanted["name"], wanted["strict"]) == ("pets", True)
    pet = wanted["schema"]["$defs"]["Pet"]
    assert pet["required"] == ["name", "legs"]
    assert pet["additionalProperties"] is False


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n{VALID}\n```",
        f"Here you are:\n\n{VALID}\n\nAnything else about {{pets}}?",
        PETS + ",]}",
        PETS + ",\n  ],\n}",
        '{"pets": [{"name": "Rex", },], }',
    ],
)
async def test_fences_words_around_and_trailing_commas_are_repaired(
    openai_server, answer
):
    openai_server.titles.queue(says(answer))

    assert await ask() == REX
    assert len(openai_server.titles.requests) == 1


@pytest.mark.parametrize("name", ["a, ]", 'a \\", }', "a,\n}", "{,}"])
async def test_commas_and_brackets_inside_strings_stay(openai_server, name):
    answer = PETS.replace("Rex", name) + ",]}"
    openai_server.titles.queue(says(answer))

    assert (await ask()).pets[0].name == name.replace('\\"', '"')


@pytest.mark.parametrize(
    "answer", ["No.", "[1, 2]", PETS, '{"pets": 5}', '{"pets": [{"name": 7}]}']
)
async def test_an_invalid_answer_is_asked_for_again_with_the_error(
    openai_server, answer
):
    openai_server.titles.queue(says(answer), says(VALID))

    assert await ask() == REX
    *asked, said, error = openai_server.titles.requests[1].body["messages"]
    assert asked == HELLO
    assert said == {"role": "assistant", "content": answer}
    assert error["role"] == "user"
    assert "not valid" in error["content"]
    assert '"pets"' in error["content"]


async def test_the_second_invalid_answer_is_kept_for_the_dead_letter(openai_server):
    openai_server.titles.queue(says("Rex"), says('{"pets": ["Rex the dog"]}'))

    with pytest.raises(Unparseable) as caught:
        await ask()

    assert caught.value.raw == '{"pets": ["Rex the dog"]}'
    assert caught.value.permanent
    assert "Rex" not in f"{caught.value} {caught.value.__cause__}"
    assert len(openai_server.titles.requests) == 2


@pytest.mark.parametrize(
    ("refusals", "accepted"), [(1, "json_object"), (2, "text")], ids=["schema", "both"]
)
@pytest.mark.parametrize("status", [400, 422])
async def test_a_refused_format_is_replaced_by_the_next_and_not_tried_again(
    openai_server, refusals, accepted, status
):
    openai_server.titles.queue(*[fails(status)] * refusals, says(VALID), says(VALID))

    assert await ask() == REX
    assert await ask() == REX
    assert formats(openai_server)[-2:] == [accepted] * 2
    assert len(openai_server.titles.requests) == refusals + 2
    (system, *rest) = openai_server.titles.requests[-1].body["messages"]
    assert system["content"].startswith("Be kind.\n\n")
    assert "JSON" in system["content"]
    assert '"pets"' in system["content"]
    assert rest == HELLO[1:]


async def test_a_format_that_was_accepted_once_is_tried_first_again(openai_server):
    openai_server.titles.queue(says(VALID), fails(400), says(VALID), says(VALID))

    for _ in range(3):
        assert await ask() == REX

    schema, plain = "json_schema", "json_object"
    assert formats(openai_server) == [schema, schema, plain, schema]


async def test_another_endpoint_is_asked_for_its_own_formats(openai_server, settings):
    openai_server.titles.queue(fails(400), says(VALID), says(VALID))
    await ask()
    settings.OPENAI_BASE_URL += "/"

    await ask()

    assert formats(openai_server) == ["json_schema", "json_object", "json_schema"]


async def test_without_a_system_message_the_schema_gets_one(openai_server):
    openai_server.titles.queue(fails(400), says(VALID))

    await ask(HELLO[1:])

    roles = [m["role"] for m in openai_server.titles.requests[-1].body["messages"]]
    assert roles == ["system", "user"]


async def test_a_provider_that_refuses_every_format_has_refused(openai_server):
    openai_server.titles.queue(*[fails(400)] * 3, says(VALID))

    with pytest.raises(Refused):
        await ask()

    assert await ask() == REX
    assert formats(openai_server)[-1] == "json_schema"


async def test_failures_are_retried_as_for_other_short_texts(openai_server):
    openai_server.titles.queue(fails(503), raw(b"[]"), says(VALID))

    assert await ask() == REX


async def test_failures_that_last_are_raised(openai_server):
    openai_server.titles.queue(*[fails(500)] * 3)

    with pytest.raises(ProviderDown):
        await ask()


async def test_stall_is_raised(openai_server, impatience):
    openai_server.titles.queue(stalls())

    with pytest.raises(TimedOut):
        await ask()


@pytest.mark.parametrize("piece", ["[", '{"a":'])
def test_deep_nesting_is_refused(piece):
    with pytest.raises(ValueError, match="nested too deeply"):
        read_object('{"pets": ' + piece * 5_000)


async def test_without_a_key_the_rules_of_that_name_answer(monkeypatch):
    def rules(messages: list[ChatMessage]) -> object:
        return {"pets": [{"name": messages[-1]["content"]}]}

    monkeypatch.setitem(offline.SUMMARIES, "pets", rules)

    assert await ask() == Pets(pets=[Pet(name="Hello")])


async def test_without_a_key_and_without_rules_it_is_unsupported():
    with pytest.raises(Unsupported, match="no rules for pets"):
        await ask()


def test_the_text_of_a_valid_answer_is_read_as_it_is():
    text = json.dumps({"pets": [{"name": "Zażółć 🐈, [x]\n}", "legs": 3}]})

    assert read_object(text)["pets"][0]["name"] == "Zażółć 🐈, [x]\n}"
