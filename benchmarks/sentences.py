"""Everyday sentences and questions without end, made from a few words. Pure."""

import random
from itertools import product

SUBJECTS = """User|User's mother|User's father|User's daughter|User's son|User's sister
User's husband|User's neighbour|User's best friend|User's dog""".replace("\n", "|")
VERBS = """likes|avoids|asked about|bought|lost|is looking for|recommended|dreams of
is tired of|knows a lot about|gave away|was given|cannot do without|is curious about
complained about|talked about|forgot|is proud of|misses|is saving for""".replace(
    "\n", "|"
)
THINGS = """apples|magnesium|running shoes|swimming|strong coffee|oat milk|penicillin
detective novels|woollen socks|peanuts|chess|yoga|smoked salmon|rye bread|honey
a folding bicycle|garlic|spinach|aspirin|green tea|brown rice|a piano|sunglasses
a winter coat|tulips|camping|a new kitchen|tomato soup|board games|a sewing machine
the old camera|dark chocolate|a rowing boat|crossword puzzles|the blue armchair
mushrooms|a night train|fresh figs|jazz records|a telescope|pottery|lentils""".replace(
    "\n", "|"
)
TIMES = """in the morning|on Mondays|since 2019|in winter|after work|twice a week
on holiday in Spain|since the move|before the operation|with the grandparents
every autumn|at the weekend|because of the heat|after the long illness|during Lent
on the way home|in the garden|for the birthday party|as a student|last summer
when it rains|near the harbour|at the new flat|on the first of May""".replace("\n", "|")
QUESTIONS = """Can {who} drink {what} in the evening?|What does {who} think of {what}?
When did {who} talk about {what}?|Is {what} a good present for {who}?
Who in the family knows about {what}?|What should I plan around {what} for {who}?
Did {who} ever mention {what}?|Why does {who} avoid {what}?""".replace("\n", "|")
ASKED = ("I", "my mother", "my father", "my daughter", "my son", "my sister")


def facts(count: int, seed: int = 1) -> list[str]:
    """Different sentences, the same ones for the same seed."""
    parts = (words.split("|") for words in (SUBJECTS, VERBS, THINGS, TIMES))
    every = list(product(*parts))
    chosen = random.Random(seed).sample(every, count)  # noqa: S311 -- repeatable
    return [" ".join(words) for words in chosen]


def questions(count: int, seed: int = 2) -> list[str]:
    """Questions about such sentences, numbered so that all differ."""
    pick = random.Random(seed)  # noqa: S311 -- repeatable
    asked = []
    for number in range(count):
        form = pick.choice(QUESTIONS.split("|"))
        what = pick.choice(THINGS.split("|"))
        asked.append(f"{form.format(who=pick.choice(ASKED), what=what)} ({number})")
    return asked
