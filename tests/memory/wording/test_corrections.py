"""A correction without a name is of what the messages before it are about."""

import pytest

from memory.wording.corrections import with_name
from tests.corpus import each_of

FACTS = ["I take bisoprolol 2.5 mg in the morning", "I live in Oslo"]
TOLD = ["I take bisoprolol 2.5 mg in the morning"]


@each_of(
    ("said", "named"),
    [
        ("no, it's 3.75 now", "Bisoprolol: no, it's 3.75 now"),
        ("nope, 5 mg now", "Bisoprolol: nope, 5 mg now"),
        ("Nein, jetzt 5 mg", "Bisoprolol: Nein, jetzt 5 mg"),
        ("teraz 5 mg", "Bisoprolol: teraz 5 mg"),
    ],
)
def test_new_number_takes_the_name_of_what_it_corrects(said, named):
    assert with_name(said, FACTS, TOLD) == (named, FACTS[0])


@pytest.mark.parametrize(
    "said",
    [
        "Is it 3.75 now?",
        "I weigh 80 kg now",
        "ramipril is 5 mg now",
        "no, not any more",
        "",
    ],
)
def test_message_that_asks_or_names_something_is_no_such_correction(said):
    assert with_name(said, FACTS, TOLD) == ("", "")


def test_correction_of_nothing_before_it_stays_as_it_is():
    assert with_name("no, it's 3.75 now", FACTS, ["Hello there"]) == ("", "")
