"""Whom a question is about, and whose facts come first."""

from uuid import uuid4

import pytest

from memory.subjects import Household, Subject
from memory.wording.subjects import asked_about

MIA = Subject("daughter", "Mia", uuid4())
HOME = Household(people=[MIA], relatives=[Subject("mother"), Subject("", "Leo")])


def test_name_without_a_relation_may_not_be_a_relative_without_a_name():
    found = asked_about("What is Leo allergic to?", HOME)
    assert found == Subject("", "Leo")
    assert not Subject("mother").is_same(found)


@pytest.mark.parametrize(
    "question", ["Quali medicine prende mia madre?", "Mia madre prende ramipril?"]
)
def test_mine_in_italian_is_not_mia(question):
    assert asked_about(question, HOME) == Subject("mother")
