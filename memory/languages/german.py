"""German words.

STOP_WORDS leaves out what is another word in English, such as "die", "hat" and "gut".
"""

STOP_WORDS = """
aber als am an auf aus bei beim bis da damit dann das dass dein deine dem den der des dich
dir doch du durch ein eine einem einen einer eines es für gegen haben habe hast ich ihm
ihn ihr im ist kann mein meine meinem meinen meiner mich mir mit nach noch nun ob oder
schon sehr sein seit seine sich sie sind um und uns vom von vor wegen weil wenn werde werden
wie wir wird wo zu zum zur über
"""
SMALL_TALK = "hallo danke bitte tschüss ja nein okay"
FILLING = "der die das den dem ein eine wirklich jetzt auch"
AUXILIARIES = "ist sind bin hat habe haben war"
SUFFIXES = ""
ENDINGS = ""

MONTHS = (
    "jan(?:uar)?", "feb(?:ruar)?", "märz", "apr(?:il)?", "mai", "juni?", "juli?",
    "aug(?:ust)?", "sept?(?:ember)?", "okt(?:ober)?", "nov(?:ember)?", "dez(?:ember)?",
)  # fmt: skip
WEEKDAYS = (
    "montags?", "dienstags?", "mittwochs?", "donnerstags?", "freitags?",
    "samstags?|sonnabends?", "sonntags?",
)  # fmt: skip
TIMES = "gestern heute morgen mittag abend nacht täglich"
NUMBERS = "zwei drei vier fünf sechs sieben acht neun zehn"
UNITS = """
kilo kilogramm gramm milligramm mikrogramm liter tablette tabletten tropfen stunde stunden tag tage tagen woche wochen
monat monate monaten jahr jahre jahren mal uhr
"""
NEGATIONS = (r"\b(?:nicht(?: mehr)?|kein\w*|niemals|ohne|weder)\b",)
LACKING = (r"\b(?:meide|vermeide|hass|mangel|frei|allerg|unverträg|intoleran)",)
NOT: tuple[tuple[str, str], ...] = ()
PAST = "hatte hatten früher damals"
PAST_FORMS = ()
PAST_ENDINGS = ""
FORMERLY = (r"\b(?:früher|damals|ehemals)\b",)
WAS = "war waren"
IS = "bin ist sind"
PERFECT = ""
PRESENT_ENDINGS = ""
SIDES = "linke linken linker linkes rechte rechten rechter rechtes"
OPPOSITES = """
hoch niedrig mehr weniger besser schlechter vielleicht wahrscheinlich wird vor nach nur
"""

USER = "anwender anwenderin nutzer nutzers nutzerin benutzer benutzers benutzerin"
RELATIVES = """
mutter vater eltern mann frau bruder schwester sohn tochter kind kinder oma opa
großmutter großvater tante onkel freund freundin hund katze
"""
RELATIONS = """
mutter=mother vater=father eltern=parents mann=husband frau=wife bruder=brother
schwester=sister sohn=son tochter=daughter kind=child kinder=children oma=grandmother
opa=grandfather großmutter=grandmother großvater=grandfather tante=aunt onkel=uncle
freund=friend freundin=friend hund=dog katze=cat
"""
RELATIVE_FORMS = "mutti=mutter vati=vater"
FIRST_PERSON = "ich mich mir mein meine meinem meinen meiner wir uns unser unsere"
THIRD_PERSON = "er ihn ihm ihr"
FIRST_PERSON_ENDINGS = ""
SECOND_PERSON = ()
OF_WOMAN = ()
AS_FACT = ()

HEALTH = """
allergie allergisch unverträglichkeit diagnose krankheit erkrankung symptom medikament
medikamente arznei tablette dosis dosierung rezept nahrungsergänzungsmittel vitamin impfung
therapie behandlung schwangerschaft schwanger blutdruck blutgruppe diabetes asthma krebs
depression gewicht
"""

FORGETTING = (r"\b(?:vergiss|vergessen sie|lösch|entfern)",)
REMINDER = (r"\bvergiss (?:bitte )?nicht(?:, dass)?\W{0,3}",)
TAKEN_BACK = (
    r"\b(?:hör auf|stimmt nicht|fälschlich|irrtümlich|aus versehen|(?:glaube|denke) nicht)\b",
)
JOINTS = "und aber weil denn sondern obwohl"
REPORTED = (r"\b(?:sagt|sagte|schrieb|schreibt|rief|meinte|behauptet)\s*:",)
SUPPOSED = (r"\b(?:wenn|falls) (?:ich|mein|wir)\b",)
UNCERTAIN = (
    (
        r"\b(?:wenn|falls|ob|vielleicht|wäre|wärst|hätte|hätten|würde|würden|könnte|könnten|möchte|sollte|stell dir vor|angenommen"
        r"|als ob|träum\w*|überleg\w*|denke (?:darüber|daran)|hoffe|hofft|wünsch\w*|vermutlich|beinahe|wahrscheinlich|womöglich|tu\w* so)\b"
    ),
)
PLAYED = (
    (
        r"\b(?:lass(?:t)? uns (?:spielen|so tun)|stell dir vor|stellen wir uns vor|spielen wir|tun wir so|tu(?:e)? (?:mal )?so|rollenspiel\w*"
        r"|in (?:der|dieser|meiner|unserer) (?:geschichte|szene)|im (?:spiel|roman|rollenspiel))\b"
    ),
    r"\b(?:schreib|erzähl|erfinde|dichte)\w*\b.{0,30}\b(?:geschichte|gedicht|lied|märchen|szene|dialog|roman|brief|krimi|thriller|text|erzählung)\b",
    r"\b(?:übersetz|korrigier|paraphrasier|fass)\w*\b|\bmeine? (?:figur|charakter)\b|\bich spiele (?:einen|eine|den|die)\b",
)
RESUMED = (
    r"\b(?:im ernst|mal im ernst|ernsthaft|übrigens|in wirklichkeit|spaß beiseite|wirklich|ende des spiels)\b",
)
JOKED = (
    r"\b(?:scherz\w*|(?:nur|war|ein) (?:nur )?(?:ein )?(?:spaß|witz)|nur so gesagt|aprilscherz|nicht ernst(?: gemeint)?)\b",
)
LAUGHTER = (r"\b(?:hi){2,}\b",)
PRESUPPOSED = (
    r"\b(?:schlimm|aus|problem|gefährlich|stört(?: es)?|egal|in ordnung), dass (?=(?:ich|mein\w*)\b)|\b(?:weil|obwohl) (?=(?:ich|mein\w*)\b)",
)
LIKEWISE = (r"\bich (?:auch|ebenfalls|genauso)\b",)
CONDITION = ()
NAMING = "name namen heiße heisse heißt nenn nennt nenne genannt"
STATES = "wohnt lebt arbeitet"
WITH = "mit"
ASKING = "wer was wann wo warum wie welche welcher bin ist sind habe hat kann soll sollte darf muss wird"
PEOPLE = """
mitbewohner mitbewohnerin vermieter vermieterin kollege kollegin kollegen chef chefin nachbar nachbarin nachbarn schwager schwägerin
schwiegermutter schwiegervater cousin cousine neffe nichte partner partnerin verlobter verlobte freunde lehrer lehrerin jemand leute sie
bruders vaters sohnes geschwister töchter söhne brüder schwestern katzen hunde kumpel bekannter bekannte
"""

ROLES = "assistent system"
INSTRUCTIONS = (
    (
        r"\b(?:(?:ignorier|missachte|übergeh)\w*|vergiss)\b(?:\W+\w+){0,3}?\W+"
        r"(?:anweisung|regel|vorgabe|instruktion|befehl)\w*"
    ),
    (
        r"\b(?:assistent|assistentin|ki|modell|meddie) (?:soll|sollte|muss|darf|wird immer"
        r"|immer|niemals)\b"
    ),
    r"\bwenn (?:du|sie) (?:mir )?antworte(?:st|n)\b",
    r"\b(?:möchte|will|wünscht|verlangt|bittet), dass (?:du|der assistent|die ki|meddie)\b",
    r"\bdeine (?:aufgabe|rolle|antworten|regeln|anweisungen) (?:ist|sind|sollen|müssen)\b",
)
ANSWERING = (
    (
        r"\b(?:antworte|empfiehl|verhalte dich|tu so, als)\b"
        r"|\b(?:antworten|empfehlen) (?-i:Sie)\b"
    ),
)
ADDRESSED = (
    r"\b(?:ab jetzt|von nun an) bist du\b",
    r"\bdu (?:musst|sollst|solltest|darfst|bist (?:jetzt|nun|ab))\b",
    r"\bignoriere\b|\bignorieren (?-i:Sie)\b",
    (
        r"(?:^|[.:;!?\n\"„][ \t]*)(?:immer |niemals |ab jetzt |von nun an )?(?:sag|schreib|sprich|nenn"
        r"|erwähn|frag|warn|lob|behandl|beginn|benutz|verwend)(?:e|st)?\b"
    ),
)
_SAID = r"(?:sagt|riet|rät|empf|schr[ie]|warnt|meint|erklärt|bittet|bat\b)"
_PEOPLE = "|".join((*RELATIVES.split(), *RELATIVE_FORMS.replace("=", " ").split()))
_USERS = r"(?:des (?:be)?nutzers|der (?:be)?nutzerin)"
REPORTS = (
    rf"\b{_USERS} {_SAID}",
    (
        rf"\b(?:{_PEOPLE}|\w*(?:arzt|ärztin)|\w*therapeut(?:in)?|\w+olog(?:e|in)|hebamme|trainer(?:in)?"
        rf"|\w*pfleger(?:in)?|\w*schwester|apotheker(?:in)?|dr\.? [\w-]+) {_SAID}"
    ),
    rf"\b(?:motto|plan|ziel|regel|vorsatz|diät) {_USERS}\s*(?::[^.!?\n]*)?$",
)

PASSWORDS = (r"\b(?:passwort|kennwort)\b",)
PINS = (r"\b(?:geheimzahl|kartennummer)\b",)
COPULAS = "ist lautet heißt"


OVERVIEW = (r"was (?:weißt|weisst) du (?:\w+ ){0,2}?(?:über mich|von mir)",)
OVERVIEW_ALONE = ()
ABOUT_USER = (r"\b(?:über mich|von mir)\b",)
AMBIGUOUS_MONTHS = ""
OPENING_WORDS = "und aber bitte"
CLOSING_WORDS = "bitte kurz"
CONFIRMING = """
ja jawohl jo ok okay bitte gern gerne klar natürlich sicher genau richtig stimmt das ich
bestätige mach es einverstanden
"""
TOPIC_MARKERS = (
    r"(?:übrigens|nebenbei (?:bemerkt|gesagt))\b",
    r"(?:themenwechsel|(?:ein )?(?:anderes|neues) thema)(?=\s*[.,:;!–—-]|\s*$)",
    r"(?:lass(?:t|en sie)? uns |können wir )?(?:bitte )?(?:(?:über|von) etwas andere[sm] (?:reden|sprechen)|(?:das )?thema wechseln)\b",
    r"wechseln wir das thema\b",
)
# Words that name a file.
FILES = (
    r"\b(?:fotos?|bild\w*|datei\w*|dokument\w*|pdf|scans?|aufnahmen?|anhang|anhänge)\b",
)
# Questions about what was said, which need no reply before them.
RECALLING = (r"^(?:und )?(?:was|worüber) (?:haben wir|habe ich) (?:dir )?(?:über|zu) ",)
