# ruff: noqa: RUF001 - Russian letters are meant
"""What people say to each other without asking anything of memory. Pure."""

import re

PHRASES = r"""
hello|hi+|hey+|hiya|yo|hallo|howdy|greetings|there|again|meddie|everybody|everyone|all
|good (?:morning|day|afternoon|evening|night)|morning|evening|night ?night|sleep (?:well|tight)
|how(?:'s| is| are|'re) (?:you|it going|things|life|everything)(?: doing| going)?(?: today| now)?
|what(?:'s| is) up|sup|how do you do|(?:i'm|i am|all)? ?(?:fine|good|ok|okay|great|well)(?: too)?
|thanks|thank you|thx|ty|cheers|many thanks|so much|very much|a lot|a million|in advance|for that
|for (?:your|the) (?:help|answer|reply|advice|info|information)
|ok(?:ay)?|okey|k|kk|yes|yeah|yep|yup|no|nope|nah|sure|of course|right|exactly|indeed|agreed|alright
|got it|i see|i understand|understood|makes sense|makes total sense|fair enough|never ?mind|no worries
|no problem|you(?:'re| are) (?:welcome|funny|great|right|the best|awesome|so (?:kind|funny|nice))
|(?:that(?:'s| is|s)|it(?:'s| is)|this is|sounds?|looks?)? ?(?:so |very |really |just |all |pretty )?
(?:good|great|nice|cool|awesome|amazing|perfect|fine|wonderful|lovely|funny|interesting|excellent|brilliant|fantastic|helpful|right|true)
|wow|lol|lmao|rofl|ha(?:ha)+|he(?:he)+|hmm+|uh|um|oh|ah|aha|oops|please|well|so|and you|you too|same here
|bye|goodbye|bye bye|good ?bye|see (?:you|ya)|cya|later|soon|tomorrow|take care|ciao|farewell|talk (?:to you )?later
|(?:nice|good|great|pleased) to (?:meet|see) you|welcome|welcome back|congratulations|congrats|cheers|sorry|my bad|excuse me
|have a (?:nice|good|great|lovely) (?:day|one|evening|night|weekend|time)
|tell me (?:a|another) joke|who are you|what are you|what can you do|what(?:'s| is) your name|are you there|help|test
|cześć|czesc|hej+|hejka|siema|witaj|witam|dzień dobry|dzien dobry|dobry wieczór|dobry|dobranoc|dobrej nocy
|miłego (?:dnia|wieczoru|weekendu)|jak się masz|jak się czujesz|jak leci|co słychać|co tam|co u ciebie|w porządku|wszystko
|dzięki|dzieki|dziękuję|dziekuje|dziękuję ci|bardzo|wielkie|serdecznie|za pomoc|za odpowiedź
|tak|nie|no|jasne|pewnie|oczywiście|dobra|dobrze|okej|spoko|super|świetnie|świetne|fajnie|rozumiem|rozumiem cię|racja|zgoda|proszę|przepraszam|sorki
|pa|pa pa|papa|do widzenia|do zobaczenia|do jutra|na razie|narazie|trzymaj się|na zdrowie|miło (?:cię|ciebie) poznać|kim jesteś|co potrafisz|opowiedz (?:mi )?(?:żart|dowcip|kawał)
|привет|здравствуй(?:те)?|добрый (?:день|вечер)|доброе утро|спокойной ночи|доброй ночи|как (?:дела|ты|вы|жизнь)|что нового
|спасибо|большое|огромное|благодарю|пожалуйста|да|нет|ладно|хорошо|окей|ок|ага|понятно|понял|поняла|ясно|отлично|супер|круто|здорово|конечно
|hallo|guten (?:morgen|tag|abend)|gute nacht|moin|servus|tschüss|auf wiedersehen|bis (?:bald|später|morgen)
|danke(?: schön| sehr)?|vielen dank|bitte(?: schön)?|wie geht(?: es|'s)(?: dir| ihnen)?|ja|nein|genau|klar|alles klar|na gut|schön|toll
|hola|buen[oa]s (?:días|tardes|noches)|qué tal|cómo (?:estás|está|te va)|(?:muchas )?gracias|de nada|adiós|hasta (?:luego|mañana|pronto)|sí|vale|claro|muy bien
|bonjour|bonsoir|salut|coucou|bonne (?:nuit|journée|soirée)|ça va|comment (?:ça va|vas-tu|allez-vous)|merci(?: beaucoup)?|de rien|au revoir|à (?:bientôt|demain)|oui|non|d'accord|très bien
|buongiorno|buonasera|buonanotte|salve|come (?:stai|va|sta)|grazie(?: mille)?|prego|arrivederci|a (?:presto|domani)|sì|va bene|certo
|olá|oi|bom dia|boa (?:tarde|noite)|tudo bem|como (?:vai|está)|obrigad[oa]|tchau|até (?:logo|amanhã)|sim|não
|goedemorgen|goedenavond|hoi|dank je(?: wel)?|bedankt|hoe gaat het|tot ziens|doei
|привіт|добрий (?:день|вечір|ранок)|як справи|дякую|так|ні|до побачення|добре
|how(?:'s| is| was) your (?:day|night|morning|evening|weekend|week)(?: going| so far)?|what(?:'s| is) new|anything new|long time no see|i'm (?:bored|back|here|home)
|пока|до (?:свидания|встречи|завтра)|увидимся|приятно познакомиться|кто ты|что ты умеешь|расскажи (?:мне )?(?:шутку|анекдот)
"""
PHRASE = re.compile(PHRASES.replace("\n", "").strip("|"), re.IGNORECASE)
MOST_WORDS = 6
"""Of one phrase."""
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
LONGEST = 80
"""Characters; who writes more than that says something."""


def is_small_talk(text: str) -> bool:
    """Whether a message is nothing but greetings, thanks and the like.

    Goes from word to word by whatever phrase leads on: as one regular expression,
    "ok ok ok ok ok ok ok wait" would be tried for seconds.
    """
    if not text or len(text) > LONGEST:
        return False
    words = WORD.findall(text.replace("’", "'"))
    reached = {0}
    for start in range(len(words)):
        if start in reached:
            ends = range(start + 1, min(start + MOST_WORDS, len(words)) + 1)
            reached.update(
                end for end in ends if PHRASE.fullmatch(" ".join(words[start:end]))
            )
    return len(words) in reached
