"""Answers of a resolver, whose verdicts fit what it says of the two facts."""

REPLACES = {"same_subject": True, "same_time": True, "both_can_be_true": False}
GO_TOGETHER = {"same_subject": True, "same_time": True, "both_can_be_true": True}


def ruling(action="replace", *, new=1, target=1):
    answers = REPLACES if action == "replace" else GO_TOGETHER
    return {"new": new, "target": target, **answers, "action": action}
