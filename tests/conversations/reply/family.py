"""What a family of seven is known to take and not to tolerate, and questions about it.

The facts of a language are those of the user, their mother, daughter Mia (a Person), son
Leo, and a brother and an uncle of one name. A question has the word that its answer has to
begin with (none if it is not known) and `MIA` if it is asked in a conversation about her.
Written before the code that answers; `APART` was looked at last.
"""

from typing import NamedTuple

USER, MOTHER, MIA = "", "mother", "daughter Mia"
LEO, BROTHER, UNCLE = "son Leo", "brother Jan", "uncle Jan"


class Asked(NamedTuple):
    question: str
    right: str
    whose: str
    about: str = ""


FACTS = {
    "en": (
        (USER, "I take 75 micrograms of levothyroxine every morning", "levothyroxine"),
        (USER, "I am allergic to penicillin", "penicillin"),
        (MOTHER, "My mother takes ramipril 5 mg for her blood pressure", "ramipril"),
        (MOTHER, "Mum does not tolerate codeine", "codeine"),
        (MIA, "Mia: she takes montelukast 5 mg every evening", "montelukast"),
        (MIA, "My daughter Mia is allergic to eggs", "eggs"),
        (LEO, "My son Leo is allergic to peanuts", "peanut"),
        (LEO, "Leo takes 5 ml of cetirizine in spring", "cetirizine"),
        (BROTHER, "My brother Jan takes apixaban 2.5 mg twice a day", "apixaban"),
        (UNCLE, "Uncle Jan takes metformin 850 mg", "metformin"),
    ),
    "de": (
        (USER, "Ich nehme jeden Morgen 75 Mikrogramm Levothyroxin", "levothyroxin"),
        (USER, "Ich bin gegen Penicillin allergisch", "penicillin"),
        (MOTHER, "Meine Mutter nimmt Ramipril 5 mg gegen Bluthochdruck", "ramipril"),
        (MOTHER, "Mama verträgt kein Codein", "codein"),
        (MIA, "Mia: sie nimmt jeden Abend Montelukast 5 mg", "montelukast"),
        (MIA, "Meine Tochter Mia ist gegen Eier allergisch", "eier"),
        (LEO, "Mein Sohn Leo hat eine Erdnussallergie", "erdnuss"),
        (LEO, "Leo nimmt im Frühling 5 ml Cetirizin", "cetirizin"),
        (BROTHER, "Mein Bruder Jan nimmt zweimal täglich Apixaban 2,5 mg", "apixaban"),
        (UNCLE, "Onkel Jan nimmt Metformin 850 mg", "metformin"),
    ),
    "pl": (
        (USER, "Biorę rano 75 mikrogramów lewotyroksyny", "lewotyroksyn"),
        (USER, "Mam alergię na penicylinę", "penicylin"),
        (MOTHER, "Moja mama bierze ramipryl 5 mg na nadciśnienie", "ramipryl"),
        (MOTHER, "Mama nie toleruje kodeiny", "kodein"),
        (MIA, "Mia: ona bierze montelukast 5 mg co wieczór", "montelukast"),
        (MIA, "Moja córka Mia ma alergię na jajka", "jajk"),
        (LEO, "Mój syn Leo ma alergię na orzeszki ziemne", "orzeszk"),
        (LEO, "Leo bierze wiosną 5 ml cetyryzyny", "cetyryzyn"),
        (
            BROTHER,
            "Mój brat Jan bierze apiksaban 2,5 mg dwa razy dziennie",
            "apiksaban",
        ),
        (UNCLE, "Wujek Jan bierze metforminę 850 mg", "metformin"),
    ),
    "es": (
        (USER, "Tomo 75 microgramos de levotiroxina cada mañana", "levotiroxina"),
        (USER, "Soy alérgica a la penicilina", "penicilina"),
        (MOTHER, "Mi madre toma ramipril 5 mg para la tensión", "ramipril"),
        (MOTHER, "Mamá no tolera la codeína", "codeína"),
        (MIA, "Mia: ella toma montelukast 5 mg cada noche", "montelukast"),
        (MIA, "Mi hija Mia es alérgica al huevo", "huevo"),
        (LEO, "Mi hijo Leo es alérgico a los cacahuetes", "cacahuete"),
        (LEO, "Leo toma 5 ml de cetirizina en primavera", "cetirizina"),
        (BROTHER, "Mi hermano Jan toma apixabán 2,5 mg dos veces al día", "apixabán"),
        (UNCLE, "El tío Jan toma metformina 850 mg", "metformina"),
    ),
    "fr": (
        (USER, "Je prends 75 microgrammes de lévothyroxine le matin", "lévothyroxine"),
        (USER, "Je suis allergique à la pénicilline", "pénicilline"),
        (MOTHER, "Ma mère prend du ramipril 5 mg pour la tension", "ramipril"),
        (MOTHER, "Maman ne supporte pas la codéine", "codéine"),
        (MIA, "Mia: elle prend du montélukast 5 mg chaque soir", "montélukast"),
        (MIA, "Ma fille Mia est allergique aux œufs", "œuf"),
        (LEO, "Mon fils Leo est allergique aux cacahuètes", "cacahuète"),
        (LEO, "Leo prend 5 ml de cétirizine au printemps", "cétirizine"),
        (
            BROTHER,
            "Mon frère Jan prend de l'apixaban 2,5 mg deux fois par jour",
            "apixaban",
        ),
        (UNCLE, "Mon oncle Jan prend de la metformine 850 mg", "metformine"),
    ),
    "it": (
        (USER, "Prendo 75 microgrammi di levotiroxina ogni mattina", "levotiroxina"),
        (USER, "Sono allergica alla penicillina", "penicillina"),
        (MOTHER, "Mia madre prende ramipril 5 mg per la pressione", "ramipril"),
        (MOTHER, "La mamma non tollera la codeina", "codeina"),
        (MIA, "Mia: lei prende montelukast 5 mg ogni sera", "montelukast"),
        (MIA, "Mia figlia Mia è allergica alle uova", "uova"),
        (LEO, "Mio figlio Leo è allergico alle arachidi", "arachidi"),
        (LEO, "Leo prende 5 ml di cetirizina in primavera", "cetirizina"),
        (
            BROTHER,
            "Mio fratello Jan prende apixaban 2,5 mg due volte al giorno",
            "apixaban",
        ),
        (UNCLE, "Lo zio Jan prende metformina 850 mg", "metformina"),
    ),
}

SEEN = {
    "en": (
        Asked("Which medicines does my mother take?", "ramipril", MOTHER),
        Asked("What is Leo allergic to?", "peanut", LEO),
        Asked("Which medicines do I take?", "levothyroxine", USER),
        Asked("What does she take?", "montelukast", MIA, MIA),
        Asked("What dose of apixaban does my brother take?", "apixaban", BROTHER),
    ),
    "de": (
        Asked("Welche Medikamente nimmt meine Mutter?", "ramipril", MOTHER),
        Asked("Wogegen ist Leo allergisch?", "erdnuss", LEO),
        Asked("Welche Medikamente nehme ich?", "levothyroxin", USER),
        Asked("Was nimmt sie abends?", "montelukast", MIA, MIA),
        Asked("Was nimmt Onkel Jan?", "metformin", UNCLE),
    ),
    "pl": (
        Asked("Jakie leki bierze moja mama?", "ramipryl", MOTHER),
        Asked("Na co uczulony jest Leo?", "orzeszk", LEO),
        Asked("Jakie leki biorę?", "lewotyroksyn", USER),
        Asked("Jakie leki bierze?", "montelukast", MIA, MIA),
        Asked("Jaką grupę krwi ma mój brat?", "", BROTHER),
    ),
    "es": (
        Asked("¿Qué medicamentos toma mi madre?", "ramipril", MOTHER),
        Asked("¿A qué es alérgico Leo?", "cacahuete", LEO),
        Asked("¿Qué medicamentos tomo yo?", "levotiroxina", USER),
        Asked("¿Qué alergias tiene?", "huevo", MIA, MIA),
        Asked("¿Qué toma mi hermano?", "apixabán", BROTHER),
    ),
    "fr": (
        Asked("Quels médicaments prend ma mère ?", "ramipril", MOTHER),
        Asked("À quoi Leo est-il allergique ?", "cacahuète", LEO),
        Asked("Quels médicaments est-ce que je prends ?", "lévothyroxine", USER),
        Asked("Que prend-elle le soir ?", "montélukast", MIA, MIA),
        Asked("Que prend mon oncle Jan ?", "metformine", UNCLE),
    ),
    "it": (
        Asked("Quali medicine prende mia madre?", "ramipril", MOTHER),
        Asked("A cosa è allergico Leo?", "arachidi", LEO),
        Asked("Quali medicine prendo io?", "levotiroxina", USER),
        Asked("A cosa è allergica?", "uova", MIA, MIA),
        Asked("Quanto apixaban prende mio fratello?", "apixaban", BROTHER),
    ),
}

APART = {
    "en": (
        Asked("What does my mum take for her blood pressure?", "ramipril", MOTHER),
        Asked("Is Mia allergic to anything?", "eggs", MIA),
        Asked("What am I allergic to?", "penicillin", USER),
        Asked("Which inhaler does my mother use?", "", MOTHER),
        Asked("What does uncle Jan take?", "metformin", UNCLE),
    ),
    "de": (
        Asked("Was verträgt meine Mama nicht?", "codein", MOTHER),
        Asked("Hat Mia eine Allergie?", "eier", MIA),
        Asked("Wie viel Levothyroxin nehme ich?", "levothyroxin", USER),
        Asked("Welche Medikamente nimmt mein Sohn?", "cetirizin", LEO),
        Asked("Welche Allergien hat mein Bruder?", "", BROTHER),
    ),
    "pl": (
        Asked("Czego nie toleruje mama?", "kodein", MOTHER),
        Asked("Co Mia bierze wieczorem?", "montelukast", MIA),
        Asked("Na co mam alergię?", "penicylin", USER),
        Asked("Jakie leki bierze mój syn?", "cetyryzyn", LEO),
        Asked("Co bierze wujek Jan?", "metformin", UNCLE),
    ),
    "es": (
        Asked("¿Qué no tolera mi mamá?", "codeína", MOTHER),
        Asked("¿Qué toma Mia por la noche?", "montelukast", MIA),
        Asked("¿A qué soy alérgica?", "penicilina", USER),
        Asked("¿Qué toma mi hijo?", "cetirizina", LEO),
        Asked("¿Qué alergias tiene mi tío?", "", UNCLE),
    ),
    "fr": (
        Asked("Qu'est-ce que maman ne supporte pas ?", "codéine", MOTHER),
        Asked("Mia a-t-elle une allergie ?", "œuf", MIA),
        Asked("À quoi suis-je allergique ?", "pénicilline", USER),
        Asked("Quel sirop prend mon fils ?", "cétirizine", LEO),
        Asked("Quelle dose d'apixaban prend mon frère ?", "apixaban", BROTHER),
    ),
    "it": (
        Asked("Che cosa non tollera mia mamma?", "codeina", MOTHER),
        Asked("Leo ha qualche allergia?", "arachidi", LEO),
        Asked("A cosa sono allergica?", "penicillina", USER),
        Asked("Che cosa prende la sera?", "montelukast", MIA, MIA),
        Asked("Che gruppo sanguigno ha mio zio?", "", UNCLE),
    ),
}
