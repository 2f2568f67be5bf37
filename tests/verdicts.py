"""Answers of a resolver, whose verdicts fit what it says of the two facts."""

import json
import re

from meddie.ai.events import text_of
from tests.openai_answers import says

REPLACES = {"same_subject": True, "same_time": True, "both_can_be_true": False}
GO_TOGETHER = {"same_subject": True, "same_time": True, "both_can_be_true": True}


def ruling(action="replace", *, new=1, target=1):
    answers = REPLACES if action == "replace" else GO_TOGETHER
    return {"new": new, "target": target, **answers, "action": action}


def replaces_other_numbers(body):
    """Let facts replace each other that differ in a number or in "now" alone."""
    document = json.loads(text_of(body["messages"][-1]))
    decisions = [
        ruling(new=new["n"], target=known["n"])
        for new in document["new"]
        for known in document["known"]
        if _wordings(new) == _wordings(known)
    ]
    return says(json.dumps({"decisions": decisions}))


def _wordings(fact):
    return re.sub(r"\d+|now ", "", fact["text"])
