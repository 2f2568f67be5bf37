"""A statement as a doctor reads it."""

from memory.wording.third_person import in_third_person
from tests.corpus import each_of


@each_of(
    ("said", "read"),
    [
        ("I take 20 mg of atorvastatin", "Takes 20 mg of atorvastatin"),
        ("I'm allergic to nuts", "Is allergic to nuts"),
        ("I can't have penicillin", "Can't have penicillin"),
        ("She takes montelukast", "Takes montelukast"),
        ("she's on ramipril 5 mg", "Is on ramipril 5 mg"),
        ("He's had asthma since May", "Has had asthma since May"),
        ("Sie nimmt Ramipril", "Nimmt Ramipril"),
        ("Ona bierze ramipryl", "Bierze ramipryl"),
        ("Ella toma enalapril", "Toma enalapril"),
        # As said: the rest would need grammar.
        ("I'm 45 and I have gout", "I'm 45 and I have gout"),
        ("I carry an inhaler", "I carry an inhaler"),
        ("Ich nehme Ramipril", "Ich nehme Ramipril"),
        ("Biorę ramipryl", "Biorę ramipryl"),
        ("Sheila takes zinc", "Sheila takes zinc"),
        ("", ""),
    ],
)
def test_pronoun_at_the_beginning_is_left_out(said, read):
    assert in_third_person(said) == read
