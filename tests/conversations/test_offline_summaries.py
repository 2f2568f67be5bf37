"""Summaries that the offline stand-in writes."""

import pytest

from conversations.models import Summary
from tests.conversations.summing import Talkative, run_summaries
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db
TOLD = "This is what I remember: Has a sore knee."


@pytest.mark.req("S2-30", "S4-11")
def test_each_summary_has_what_the_user_said_once():
    chat = Talkative(MembershipFactory())
    for number in range(30):
        chat.say(f"Today I walked {number} kilometres.", reply=TOLD)
    run_summaries()
    found = dict(Summary.objects.values_list("kind", "text"))
    assert set(found) == {Summary.Kind.RUNNING, Summary.Kind.CHUNK}
    for text in found.values():
        lines = text.split("\n")
        assert len(lines) == len(set(lines))
        assert all(line.startswith("Today I walked") for line in lines)
