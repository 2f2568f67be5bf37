"""What is read of exports: the user's own words with their dates, and what was not read."""

import io

import pytest

from conversations.attachments.extraction import Unreadable
from conversations.exported_messages import read_export
from tests.conversations.exports.shapes import APART, SHAPES


@pytest.mark.parametrize("name", [*SHAPES, *APART])
def test_shape_of_an_export_is_read(name):
    shape = (SHAPES | APART)[name]
    given = io.BytesIO(shape.content)
    asked = {"name": shape.name} | shape.asked
    if shape.error:
        with pytest.raises(Unreadable, match=shape.error) as refused:
            read_export(given, asked)
        assert [label for _, label in refused.value.samples] == shape.choices
        return
    found = read_export(given, asked)
    messages = sorted(found.messages, key=lambda message: message.at)
    assert [message.text for message in messages] == shape.texts
    assert found.unread == shape.unread
    assert found.total == len(shape.texts) + sum(shape.unread.values())
    assert found.remembered == shape.facts
    if shape.context:
        assert messages[-1].context[-1][1] == shape.context
    assert len({message.external_id for message in messages}) == len(messages)
