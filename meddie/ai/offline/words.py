"""What the stand-in says, in its two languages."""

ENGLISH = {
    "forgotten": "All right, I will forget this:",
    "nothing_to_forget": "I do not remember anything like that, so there is nothing to "
    "forget.",
    "noted": "Noted. From now on I remember that {echo}.",
    "and": " and that ",
    "known": "I know that already.",
    "updated": "I have put that into the notes.",
    "overview": "This is what I know about you:",
    "notes": "This stands in the notes about {person}:",
    "empty": "I know nothing about you yet. Tell me something, for example: "
    '"I am allergic to ibuprofen."',
    "question": "This is what I remember that may matter here:",
    "no_facts": "I remember nothing that matters to this, and without a real model I "
    "cannot say more.",
    "who": "I answer for Meddie while there is no language model: I note what you tell me "
    "about yourself, and bring it up when you ask.",
    "greeting": "Hello! Tell me something about yourself and ask me about it later, also "
    "in a new conversation.",
    "thanks": "You are welcome.",
    "bye": "Goodbye! What you told me stays with me.",
    "small_talk": "I found nothing in that to remember. I keep lasting things, for example: "
    '"I prefer tea to coffee" or "My mother has type 2 diabetes".',
    "tell": "Worth telling me: allergies and what you do not tolerate, conditions and "
    "operations with their dates, medications and supplements, illnesses in the family, and "
    "what you prefer.",
    "value": "I do not keep measured values as facts: they change. Tell me the diagnosis, "
    'if there is one: "I have high blood pressure."',
    "passing": "I keep only what lasts, and dates only in full: for example "
    '"My daughter was born on 3 May 2026."',
    "short": "*Meddie's offline stand-in: simple rules, no language model.*",
    "signature": "*I am Meddie's offline stand-in: simple rules, no language model. "
    "With an OPENAI_API_KEY a real model answers.*",
}
POLISH = {
    "forgotten": "Dobrze, zapominam:",
    "nothing_to_forget": "Niczego takiego nie pamiętam, więc nie ma czego zapominać.",
    "noted": "Zapamiętane: {echo}.",
    "and": "; ",
    "known": "To już wiem.",
    "updated": "Zapisuję to w notatkach.",
    "overview": "Oto, co o Tobie wiem:",
    "notes": "W notatkach ({person}) jest:",
    "empty": "Jeszcze nic o Tobie nie wiem. Powiedz mi coś, na przykład: "
    "„Mam uczulenie na ibuprofen”.",
    "question": "Oto, co pamiętam i co może tu mieć znaczenie:",
    "no_facts": "Nie pamiętam niczego, co miałoby tu znaczenie, a bez prawdziwego modelu "
    "nie powiem więcej.",
    "who": "Odpowiadam za Meddie, póki nie ma modelu językowego: notuję, co mi o sobie "
    "mówisz, i przypominam to, gdy o coś pytasz.",
    "greeting": "Dzień dobry! Powiedz mi coś o sobie, a później o to zapytaj, także "
    "w nowej rozmowie.",
    "thanks": "Nie ma za co.",
    "bye": "Do widzenia! Pamiętam, co mi powiedziano.",
    "small_talk": "Nie ma tu niczego do zapamiętania. Zapamiętuję rzeczy trwałe, "
    "na przykład: „Wolę herbatę od kawy” albo „Moja mama ma cukrzycę typu 2”.",
    "tell": "Warto mi powiedzieć o alergiach i nietolerancjach, chorobach i operacjach "
    "z datami, lekach i suplementach, chorobach w rodzinie i o tym, co wolisz.",
    "value": "Wyników pomiarów nie zapamiętuję, bo się zmieniają. Powiedz mi o diagnozie, "
    "jeśli jest: „Mam nadciśnienie”.",
    "passing": "Zapamiętuję tylko rzeczy trwałe, a daty tylko pełne, na przykład: "
    "„Moja córka urodziła się 3 maja 2026”.",
    "short": "*Zastępczy Meddie bez sieci: proste reguły, nie model językowy.*",
    "signature": "*Jestem zastępczym Meddie bez sieci: proste reguły, nie model językowy. "
    "Z kluczem OPENAI_API_KEY odpowiada prawdziwy model.*",
}

_UNKEPT_ENGLISH = "Nothing in this conversation is remembered."
_UNKEPT_POLISH = "Z tej rozmowy niczego nie zapamiętuję."
ENGLISH_UNKEPT = ENGLISH | {
    "noted": f"I understand that {{echo}}. {_UNKEPT_ENGLISH}",
    "greeting": f"Hello! {_UNKEPT_ENGLISH}",
    "bye": f"Goodbye! {_UNKEPT_ENGLISH}",
    "small_talk": _UNKEPT_ENGLISH,
    "empty": f"I know nothing about you here. {_UNKEPT_ENGLISH}",
    "who": f"I answer for Meddie while there is no language model. {_UNKEPT_ENGLISH}",
}
POLISH_UNKEPT = POLISH | {
    "noted": f"Rozumiem: {{echo}}. {_UNKEPT_POLISH}",
    "greeting": f"Dzień dobry! {_UNKEPT_POLISH}",
    "bye": f"Do widzenia! {_UNKEPT_POLISH}",
    "small_talk": _UNKEPT_POLISH,
    "empty": f"Tutaj nic o Tobie nie wiem. {_UNKEPT_POLISH}",
    "who": f"Odpowiadam za Meddie, póki nie ma modelu językowego. {_UNKEPT_POLISH}",
}


def choose(*, polish: bool, kept: bool) -> dict[str, str]:
    """The texts for a conversation that is remembered, or one that is not."""
    if kept:
        return POLISH if polish else ENGLISH
    return POLISH_UNKEPT if polish else ENGLISH_UNKEPT
