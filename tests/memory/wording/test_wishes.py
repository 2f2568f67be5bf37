"""What goes for a wish to forget, and which sentences are none, in sixteen languages."""

from pathlib import Path

from memory.judgement.judge import judge_sentences
from memory.wording.wishes import sharing, unwanted, wants_all, wish_in

WISHES = Path(__file__).parent / "wishes.txt"


def read_wishes():
    """For each sentence whether it was kept apart, what is known, and what goes."""
    known, rows = {}, []
    for line in WISHES.read_text().splitlines():
        if line.startswith("["):
            known = {}
        elif " =" in line and "->" not in line:
            key, _, text = line.partition(" = ")
            known[key] = text
        elif "->" in line and not line.startswith("#"):
            said, _, goes = line.removeprefix("~ ").partition("->")
            rows.append((line.startswith("~"), said.strip(), known, goes.split()))
    return rows


def what_goes(said, known):
    """The names of the facts that go or are offered; "all", "that" or nothing."""
    if wants_all(said):
        return ["all"]
    keys = {text: key for key, text in known.items()}
    found = unwanted(said, list(keys))
    if found == [said]:
        offered = sharing(said, list(keys))
        wishes = [wish_in(judged) for _, judged in judge_sentences(said)]
        bare = any(wish and not wish.named for wish in wishes)
        found = offered or (["that"] if bare else [])
    return [keys.get(text, text) for text in found]


def result_of(*, apart):
    rows = [row[1:] for row in read_wishes() if row[0] == apart]
    return [
        (said, what_goes(said, known), goes)
        for said, known, goes in rows
        if sorted(what_goes(said, known)) != sorted(goes)
    ], len(rows)
