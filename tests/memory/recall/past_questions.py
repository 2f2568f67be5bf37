"""Facts that changed, in three languages, and questions about how it was before.

A version is its text and the day on which it was stated; a question comes with the text
that has to be found.
"""

FACTS = {
    "en": [
        [("User lives in Bergen", "2024-02-10"), ("User lives in Oslo", "2025-09-01")],
        [
            ("User takes 20 mg of atorvastatin", "2025-01-15"),
            ("User takes 40 mg of atorvastatin", "2025-06-20"),
        ],
        [
            ("User works as a nurse in a clinic", "2023-05-04"),
            ("User works as a teacher at a school", "2025-04-02"),
        ],
        [
            ("User's family doctor is Dr Brown", "2023-01-09"),
            ("User's family doctor is Dr Novak", "2025-10-05"),
        ],
        [("User weighs 92 kg", "2024-11-02"), ("User weighs 84 kg", "2025-08-12")],
        [
            ("User drinks coffee with milk every morning", "2024-06-01"),
            ("User drinks green tea every morning", "2025-07-07"),
        ],
    ],
    "pl": [
        [
            ("Użytkownik mieszka w Gdyni", "2024-02-10"),
            ("Użytkownik mieszka w Krakowie", "2025-09-01"),
        ],
        [
            ("Użytkownik bierze 20 mg atorwastatyny", "2025-01-15"),
            ("Użytkownik bierze 40 mg atorwastatyny", "2025-06-20"),
        ],
        [
            ("Użytkownik pracuje jako pielęgniarz w szpitalu", "2023-05-04"),
            ("Użytkownik pracuje jako nauczyciel w szkole", "2025-04-02"),
        ],
        [
            ("Lekarzem rodzinnym użytkownika jest doktor Nowak", "2023-01-09"),
            ("Lekarzem rodzinnym użytkownika jest doktor Wójcik", "2025-10-05"),
        ],
        [
            ("Użytkownik waży 92 kg", "2024-11-02"),
            ("Użytkownik waży 84 kg", "2025-08-12"),
        ],
        [
            ("Użytkownik pije co rano kawę z mlekiem", "2024-06-01"),
            ("Użytkownik pije co rano zieloną herbatę", "2025-07-07"),
        ],
    ],
    "de": [
        [
            ("Der Nutzer wohnt in Kiel", "2024-02-10"),
            ("Der Nutzer wohnt in Berlin", "2025-09-01"),
        ],
        [
            ("Der Nutzer nimmt 20 mg Atorvastatin", "2025-01-15"),
            ("Der Nutzer nimmt 40 mg Atorvastatin", "2025-06-20"),
        ],
        [
            ("Der Nutzer arbeitet als Pfleger in einer Klinik", "2023-05-04"),
            ("Der Nutzer arbeitet als Lehrer an einer Schule", "2025-04-02"),
        ],
        [
            ("Der Hausarzt des Nutzers ist Dr. Braun", "2023-01-09"),
            ("Der Hausarzt des Nutzers ist Dr. Maier", "2025-10-05"),
        ],
        [
            ("Der Nutzer wiegt 92 kg", "2024-11-02"),
            ("Der Nutzer wiegt 84 kg", "2025-08-12"),
        ],
        [
            ("Der Nutzer trinkt jeden Morgen Kaffee mit Milch", "2024-06-01"),
            ("Der Nutzer trinkt jeden Morgen grünen Tee", "2025-07-07"),
        ],
    ],
}
QUESTIONS = {
    "en": [
        ("Where did I live before Oslo?", "Bergen"),
        ("Where was I living in March 2025?", "Bergen"),
        ("What town was I in before I moved?", "Bergen"),
        ("How much atorvastatin did I take in March 2025?", "20 mg"),
        ("What was my dose of atorvastatin before?", "20 mg"),
        ("Which dose of atorvastatin was I on in spring 2025?", "20 mg"),
        ("How many mg of atorvastatin did I take earlier?", "20 mg"),
        ("Where did I work before the school?", "nurse"),
        ("What was my job before I became a teacher?", "nurse"),
        ("What did I work as in 2024?", "nurse"),
        ("Who was my family doctor before Dr Novak?", "Brown"),
        ("Which family doctor did I have in 2024?", "Brown"),
        ("Who used to be my doctor?", "Brown"),
        ("How much did I weigh in December 2024?", "92 kg"),
        ("What did I weigh before?", "92 kg"),
        ("What was my weight a year ago?", "92 kg"),
        ("What did I drink in the morning before green tea?", "coffee"),
        ("What did I drink in the mornings in 2024?", "coffee"),
        ("Which drink did I use to have every morning?", "coffee"),
        ("What did I weigh last winter?", "92 kg"),
    ],
    "pl": [
        ("Gdzie mieszkałem przed Krakowem?", "Gdyni"),
        ("Gdzie mieszkałem w marcu 2025?", "Gdyni"),
        ("Gdzie wcześniej mieszkałam?", "Gdyni"),
        ("Ile atorwastatyny brałem w marcu 2025?", "20 mg"),
        ("Jaką dawkę atorwastatyny brałam wcześniej?", "20 mg"),
        ("Jaka była moja poprzednia dawka atorwastatyny?", "20 mg"),
        ("Ile mg atorwastatyny brałem wiosną 2025?", "20 mg"),
        ("Gdzie pracowałem przed szkołą?", "pielęgniarz"),
        ("Jaki był mój zawód, zanim zostałem nauczycielem?", "pielęgniarz"),
        ("Jako kto pracowałem w 2024?", "pielęgniarz"),
        ("Kto był moim lekarzem rodzinnym przed doktorem Wójcikiem?", "Nowak"),
        ("Jakiego lekarza rodzinnego miałem w 2024 roku?", "Nowak"),
        ("Kto był wcześniej moim lekarzem?", "Nowak"),
        ("Ile ważyłem w grudniu 2024?", "92 kg"),
        ("Ile wcześniej ważyłam?", "92 kg"),
        ("Jaka była moja waga rok temu?", "92 kg"),
        ("Co piłem rano przed zieloną herbatą?", "kawę"),
        ("Co piłam co rano w 2024 roku?", "kawę"),
        ("Co dawniej piłem co rano?", "kawę"),
        ("Ile ważyłem zeszłej zimy?", "92 kg"),
    ],
    "de": [
        ("Wo habe ich vor Berlin gewohnt?", "Kiel"),
        ("Wo habe ich im März 2025 gewohnt?", "Kiel"),
        ("In welcher Stadt wohnte ich vorher?", "Kiel"),
        ("Wie viel Atorvastatin habe ich im März 2025 genommen?", "20 mg"),
        ("Wie hoch war meine Dosis Atorvastatin vorher?", "20 mg"),
        ("Welche Dosis Atorvastatin nahm ich im Frühling 2025?", "20 mg"),
        ("Wie viel mg Atorvastatin habe ich früher genommen?", "20 mg"),
        ("Wo habe ich vor der Schule gearbeitet?", "Pfleger"),
        ("Was war mein Beruf, bevor ich Lehrer wurde?", "Pfleger"),
        ("Als was habe ich 2024 gearbeitet?", "Pfleger"),
        ("Wer war mein Hausarzt vor Dr. Maier?", "Braun"),
        ("Welchen Hausarzt hatte ich 2024?", "Braun"),
        ("Wer war früher mein Arzt?", "Braun"),
        ("Wie viel habe ich im Dezember 2024 gewogen?", "92 kg"),
        ("Was habe ich vorher gewogen?", "92 kg"),
        ("Wie hoch war mein Gewicht vor einem Jahr?", "92 kg"),
        ("Was habe ich morgens vor dem grünen Tee getrunken?", "Kaffee"),
        ("Was habe ich 2024 jeden Morgen getrunken?", "Kaffee"),
        ("Was habe ich früher jeden Morgen getrunken?", "Kaffee"),
        ("Wie viel habe ich letzten Winter gewogen?", "92 kg"),
    ],
}
PRESENT = [
    "Where do I live?",
    "How much atorvastatin do I take?",
    "Where do I work?",
    "How much do I weigh?",
    "What do I drink in the morning?",
    "Gdzie mieszkam?",
    "Ile atorwastatyny biorę?",
    "Jako kto pracuję?",
    "Ile ważę?",
    "Co piję rano?",
    "Wo wohne ich?",
    "Wie viel Atorvastatin nehme ich?",
    "Als was arbeite ich?",
    "Wie viel wiege ich?",
    "Was trinke ich morgens?",
]
"""Questions about the present, to which nothing that is over belongs."""
