"""Whom facts are about, and how they are shown."""
# ruff: noqa: RUF001 - Russian letters are meant

from collections import Counter
from dataclasses import replace
from uuid import uuid4

import pytest

from memory.recall.asked import whom_asked
from memory.subjects import NO_HOUSEHOLD, USER, Household, Subject
from memory.wording.subject_labels import in_third_person, shown_text
from memory.wording.subjects import parts_of_subjects, said_subject, subject_of
from tests.corpus import each_of
from tests.memory.wording.subject_stories import counted, facts_of_others, of_whom


@each_of(
    ("fact", "read"),
    [
        ("User lives in Bergen", "Lives in Bergen"),
        ("User's mother has type 2 diabetes", "Mother has type 2 diabetes"),
        ("User’s dog barks", "Dog barks"),
        ("The user's sister is a nurse", "Sister is a nurse"),
        ("Użytkownik mieszka w Krakowie", "Mieszka w Krakowie"),
        ("Użytkowniczka jest uczulona na orzechy", "Jest uczulona na orzechy"),
        ("Brat użytkownika ma psa", "Brat użytkownika ma psa"),
        ("Пользователь живёт в Казани", "Живёт в Казани"),
        ("У пользователя аллергия", "Аллергия"),
        ("Nutzer wohnt in Köln", "Wohnt in Köln"),
        ("L'utilisateur est pompier", "Est pompier"),
        ("用户住在成都", "住在成都"),
        ("Users of aspirin bleed", "Users of aspirin bleed"),
        ("I live in Bergen", "I live in Bergen"),
        ("Leo has a peanut allergy", "Leo has a peanut allergy"),
        ("User", "User"),
        ("", ""),
    ],
)
def test_fact_is_shown_without_the_user_at_its_beginning(fact, read):
    assert shown_text(fact) == read


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


@each_of(
    ("fact", "subject"),
    [
        ("User's mother has diabetes", "mother"),
        ("User's mum is 70", "mother"),
        ("Mama użytkowniczki ma cukrzycę", "mother"),
        ("Matka użytkownika", "mother"),
        ("User's dog is called Rex", "dog Rex"),
        ("User's second daughter is called Ada", "daughter Ada"),
        ("User likes dogs", ""),
        ("Użytkowniczka ma kota", ""),
        ("User's job is hard", ""),
        ("Leo has a peanut allergy", "Leo"),
        ("mama mojej mamy miała raka", "grandmother"),
        ("Ma femme trouve que je ronfle", ""),
        ("Mi mujer dice que ronco", ""),
        ("Laut meiner Frau schnarche ich", ""),
    ],
)
def test_text_is_about_whom_it_names(fact, subject):
    assert subject_of(fact, NO_HOUSEHOLD).text == subject


def test_text_without_a_name_is_about_the_person_of_the_conversation():
    mia = Subject("", "Mia", uuid4())
    assert subject_of("takes montelukast", Household([mia], about=mia)) == mia
    assert subject_of("I take sertraline", Household([mia], about=mia)) == USER


def test_pronoun_is_of_whom_the_message_before_names():
    before = "My aunt Carmen lives with my brother Raúl."
    found = [
        subject_of(f"{pronoun} takes lithium", Household(before=before)).name
        for pronoun in ("She", "He")
    ]
    assert found == ["Carmen", "Raúl"]


def test_pronoun_of_no_one_is_unsure():
    assert subject_of("She takes lithium", NO_HOUSEHOLD).unsure


def test_exact_name_is_preferred_to_one_of_which_it_is_a_form():
    people = [Subject("", "Ola", uuid4()), Subject("", "Olek", uuid4())]
    assert subject_of("Olek ma astmę", Household(people)).name == "Olek"
    assert subject_of("Oli podajemy syrop", Household(people)).name == "Ola"


@each_of(
    ("about", "text", "subject"),
    [
        ("user", "She takes lithium", ""),
        ("?", "Takes lithium", "?"),
        ("?", "User takes lithium", "?"),
        ("unsure", "She takes lithium", "?"),
        ("not sure", "She takes lithium", "?"),
        ("the patient", "She takes lithium", "?"),
        ("the patient", "My mother takes lithium", "mother"),
        ("my mother", "She takes lithium", "mother"),
    ],
)
def test_model_is_taken_at_its_word_where_it_names_someone(about, text, subject):
    assert said_subject(about, text, NO_HOUSEHOLD).text == subject


def test_whole_name_wins_over_first_names():
    mia, green = Subject("", "Mia", uuid4()), Subject("", "Mia Green", uuid4())
    both = Household([mia, green])
    assert subject_of("Mia Green has asthma", both) == green
    assert subject_of("Mia has asthma", both) == mia
    greens = Household([green, Subject("", "Mia Black", uuid4())])
    assert subject_of("Mia has asthma", greens).unsure


@pytest.mark.parametrize(
    ("name", "least_right", "most_wrong"),
    [("seen.txt", 0.95, 0.02), ("kept_apart.txt", 0.87, 0.05)],
)
def test_stories_are_about_whom_they_should_be(name, least_right, most_wrong):
    """Both halves were written before the rule; it was mended on the first alone."""
    counts = counted(name)
    assert counts["right"] >= least_right * counts.total(), counts
    assert counts["wrong"] <= most_wrong * counts.total(), counts


@pytest.mark.parametrize(
    ("name", "least_right", "most_wrong"), [("others", 57, 0), ("others_apart", 56, 1)]
)
def test_no_sentence_about_another_is_filed_as_the_users(name, least_right, most_wrong):
    """Both were written before the rule; it was mended on the first alone."""
    rows = list(facts_of_others(f"{name}.txt"))
    counts = Counter(result for *_, result in rows)
    assert counts["right"] >= least_right, counts
    assert counts["wrong"] <= most_wrong, counts
    leaked = [
        message
        for message, found, result in rows
        if result == "wrong" and any(subject.is_user for _, subject in found)
    ]
    assert leaked == []


ANNA, LEO = Subject("", "Anna", uuid4()), Subject("son", "Leo", uuid4())
MIA = Subject("daughter", "Mia", uuid4())
OWN = frozenset(key for key in [ANNA.person_id] if key)
HOME = Household(
    [ANNA, MIA, LEO],
    [Subject("mother"), Subject("husband", "Tom"), Subject("sister")],
    own_ids=OWN,
)
HOMES = {
    "home": HOME,
    "mia": replace(HOME, about=MIA),
    "anna": replace(HOME, about=USER),
    "bare": Household([ANNA, replace(LEO, relation="")], own_ids=OWN),
}


@each_of(("home", "text", "wanted"), of_whom("of_whom.txt", "of_whom_apart.txt"))
def test_relatives_who_share_a_name_or_are_not_named_stay_apart(home, text, wanted):
    """Both were written before the rule; of the second it had 37 of 43 at once."""
    asks = text.endswith("?")
    known = HOMES[home]
    found = whom_asked(text, known).subject if asks else subject_of(text, known)
    told = "anyone" if found is None else found.text or "user"
    assert told.replace("?", "unsure").removeprefix("daughter ") in wanted


@each_of(
    ("about", "text", "home", "wanted"),
    [
        ("Mia and Leo", "Allergic to nuts", "home", "?"),
        ("Leo and the user", "Allergic to nuts", "home", "?"),
        ("mother and father", "Take warfarin", "home", "?"),
        ("unknown", "Allergic to nuts", "home", "?"),
        ("Mia", "Takes Zyrtec", "home", "daughter Mia"),
        ("aunt Anna", "Takes warfarin", "home", "aunt Anna"),
        ("my mother", "Takes warfarin", "home", "mother"),
        ("user", "Allergic to penicillin", "mia", ""),
    ],
)
def test_model_says_whom_it_is_about_but_for_several(about, text, home, wanted):
    assert said_subject(about, text, HOMES[home]).text == wanted


@each_of(
    ("sentence", "parts"),
    [
        ("I have asthma, Leo has eczema", ["user", "Leo"]),
        ("I have asthma and she has eczema", ["user", "?"]),
        ("I'm coeliac but Will isn't", ["?"]),
        ("I'm allergic to nuts and so is Leo", ["?"]),
        ("Yo soy celíaca y Mateo también", ["?"]),
        ("Ben and me both have hay fever", ["?"]),
        ("Io prendo Triatec e mia moglie Yasmin", ["?"]),
        ("leo has eczema", ["Leo"]),
        ("May takes iron tablets", ["May"]),
        ("The girl next door is diabetic", ["?"]),
        ("My tenant takes lithium", ["Tenant"]),
        ("Our au pair's teacher has asthma", ["Pair's teacher"]),
        ("Nuestra tortuga, Lola, está con gotas", ["Lola"]),
        ("I live with my wife, my son and two cats", ["user"]),
        ("I have two kids, Mia and Leo", ["user"]),
        ("I see Dr Lee for my thyroid, she is great", ["user"]),
        ("My hubby thinks I'm anaemic, he's a paramedic", ["user"]),
        ("Der Arzt hat Apixaban verschrieben", ["user"]),
        ("Baby aspirin every day", ["user"]),
        ("Currently takes ramipril", ["user"]),
    ],
)
def test_grammar_tells_whom_each_part_of_a_sentence_is_about(sentence, parts):
    known = replace(NO_HOUSEHOLD, said=sentence)
    found = [subject_of(p, known) for p in parts_of_subjects(sentence, known)]
    assert [subject.text or "user" for subject in found] == parts


@pytest.mark.parametrize(
    "said",
    [
        "I'm allergic to penicillin, it gave me hives as a child",
        "As a kid I had asthma",
        "I had eczema as a baby",
        "I was allergic to eggs as a toddler",
        "When I was a child I broke my arm",
        "Als Kind hatte ich Asthma",
        "Ich hatte als Baby Neurodermitis",
        "Ich bin gegen Penicillin allergisch, als Kind hatte ich davon Ausschlag",
        "Jako dziecko miałam astmę",
        "Jestem uczulony na penicylinę, jako dziecko dostałem po niej wysypki",
        "De niño tuve asma",
        "Soy alérgica a la penicilina, de niña me salió urticaria",
        "Quand j'étais enfant, j'avais de l'eczéma",
        "Da bambino avevo l'asma",
        "Sono allergica alla penicillina, da bambina mi ha dato l'orticaria",
        "Penicillin gave me a rash when I was a baby",
        "I used to get ear infections as a teenager",
        "I had chickenpox as a small child",
        "As a girl I fainted a lot",
        "I have had migraines since I was a child",
        "Ich habe seit ich ein Kind war Migräne",
        "Als kleines Kind hatte ich Keuchhusten",
        "Amoxicillin vertrage ich nicht, schon als Säugling bekam ich Ausschlag",
        "Od dziecka mam alergię na orzechy",
        "W dzieciństwie miałem ospę",
        "Jako niemowlę miałem skazę białkową",
        "Miałam krztusiec jako małe dziecko",
        "De pequeño tenía alergia al huevo",
        "Cuando era niña me operaron de apendicitis",
        "Desde niño tengo migrañas",
        "J'ai fait une réaction à la pénicilline étant bébé",
        "Petite, j'avais des otites",
        "Da piccola ho avuto la varicella",
        "Fin da bambino soffro di emicrania",
        "Quand j'étais petit, j'étais allergique aux oeufs",
    ],
)
def test_age_at_which_something_was_so_is_no_child(said):
    assert subject_of(said, NO_HOUSEHOLD) == USER


@each_of(
    ("said", "subject"),
    [
        ("My daughter had asthma as a baby", "daughter"),
        ("Mia was allergic to milk as a toddler", "Mia"),
        ("Moja córka jako dziecko miała astmę", "daughter"),
        ("Mein Sohn hatte als Kind Asthma", "son"),
    ],
)
def test_age_of_another_is_of_them(said, subject):
    found = subject_of(said, NO_HOUSEHOLD)
    assert (found.relation or found.name) == subject
