"""A model for tests that works out "tomorrow" from the time that it is told."""

import json
from datetime import datetime, timedelta

from tests.openai_answers import says


def day_told(told):
    """The day of a moment as a model reads it, and nothing else that it might know."""
    moment, weekday, zone = told.split(", ")
    day = datetime.fromisoformat(moment).date()
    assert (f"{day:%A}", bool(zone)) == (weekday, True)
    return day


def extracting(days):
    """Extracts the message as a fact with the day that is so many days from its own."""

    def answer(body):
        document = json.loads(body["messages"][-1]["content"])
        day = day_told(document["stated_at"]) + timedelta(days)
        message = document["message"]
        fact = {
            "text": f"{message}: {day:%-d %B %Y}",
            "evidence": message,
            "valid_from": day.isoformat(),
        }
        return says(json.dumps({"facts": [fact]}))

    return answer
