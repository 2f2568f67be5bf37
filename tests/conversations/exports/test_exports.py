"""What is read of exports: the user's own words with their dates, and what was not read."""

import json

import pytest

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.assistant_exports import reduce_export
from tests.conversations.exports.shapes import APART, SHAPES


@pytest.mark.parametrize("name", [*SHAPES, *APART])
def test_shape_of_an_export_is_read(name, tmp_path):
    shape = (SHAPES | APART)[name]
    source, asked = tmp_path / "input", {"name": shape.name} | shape.asked
    source.write_bytes(shape.content)
    if shape.error:
        with pytest.raises(Unreadable, match=shape.error) as refused:
            reduce_export(source, tmp_path, asked)
        assert [label for _, label in refused.value.samples] == shape.choices
        return
    found = reduce_export(source, tmp_path, asked)
    lines = (tmp_path / "messages").read_text().splitlines()
    messages = [json.loads(line) for line in lines][::-1]
    assert [message["text"] for message in messages] == shape.texts
    assert found["unread"] == shape.unread
    assert found["total"] == len(shape.texts) + sum(shape.unread.values())
    assert found["remembered"] == shape.facts
    if shape.context:
        assert messages[-1]["context"][-1][1] == shape.context
    assert len({message["external_id"] for message in messages}) == len(messages)
