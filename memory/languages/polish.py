"""Polish words."""

from memory.languages.polish_second_person import AS_FACT, OF_WOMAN, SECOND_PERSON

__all__ = ["AS_FACT", "OF_WOMAN", "SECOND_PERSON"]

STOP_WORDS = """
a aby ale ani bardzo bez bo być był była było byli były będzie będę chcę ci ciebie cię
co coś czy dla do gdy gdzie go i ich im ile ja jak jaka jaki jakie jako je jego jej jest
jestem jeszcze jesteś już każdy kiedy kim kto która które który ma mam mamy masz mi mnie
mną moi moja moje mojej mojego moim może mu mój my na nad nam nas nasz nie nich nim niż
no o od on ona one oni ono oraz po pod przed przez przy proszę sam się są ta tak tam te
tego tej ten też to tobie tu tutaj twoja twoje twój ty tych tylko tym w we więc wszystko
wy z za ze że żeby
"""
SMALL_TALK = """
cześć hej witaj dzięki dziękuję dobra dobrze spoko pa jasne fajnie super
"""
FILLING = "już naprawdę faktycznie obecnie teraz też"
AUXILIARIES = "jest są ma mają"
SUFFIXES = ""
ENDINGS = """
a ą e ę i o u y ie ia ię ią iu iem iego iemu iej im em ego emu ej ach iach ami iami om
iom ów iów owi
"""

MONTHS = (
    "stycz(?:eń|nia|niu|niem)", "lut(?:y|ego|ym)", "mar(?:zec|ca|cu|cem)",
    "kwie(?:cień|tnia|tniu|tniem)", "maj[au]?", "czerw(?:iec|ca|cu|cem)",
    "lip(?:iec|ca|cu|cem)", "sierp(?:ień|nia|niu|niem)", "wrze(?:sień|śnia|śniu|śniem)",
    "październik(?:a|u|iem)?", "listopad(?:a|zie|em)?", "grud(?:zień|nia|niu|niem)",
)  # fmt: skip
WEEKDAYS = (
    r"poniedział\w+", r"wtor\w+", "środ[aęy]", "czwart(?:ek|ku)", "piąt(?:ek|ku)",
    r"sobot\w+", r"niedziel\w+",
)  # fmt: skip
TIMES = "wczoraj jutro dziś dzisiaj rano południe wieczorem codziennie"
NUMBERS = """
dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć raz
"""
UNITS = """
kilo kilogram kilogramy kilogramów gram gramy gramów miligram miligramy miligramów
mikrogram mikrogramy mikrogramów funt funtów litr litry litrów metr
metry metrów jednostek kropli krople kropla tabletka tabletki tabletek kapsułka kapsułki
kapsułek minuta minuty minut godzina godziny godzin dzień dni tydzień tygodnie tygodni
miesiąc miesiące miesięcy rok roku r lata lat razy
"""
NEGATIONS = (
    r"\b(?:nie|bez|nigdy|ani|(?:przesta|rzuci)ł(?:em|am|[aey])?)\b",
)  # fmt: skip
LACKING = (r"\b(?:unika|nienawidz|brak|uczul|alerg|nietoler)",)
NOT: tuple[tuple[str, str], ...] = ()
PAST = """
był była było byli miał miała mieli dawniej pił piła pili jadł jadła jedli żył żyła
"""
# Case matters: "Michał" is a name.
PAST_FORMS = (
    r"(?-i:\b[a-ząćęłńóśźż]{2,}[aeiyąu]ł(?:a|em|am)?\b)",
    r"(?-i:\b[a-ząćęłńóśźż]{2,}[aeiy]li\b)",
)
PAST_ENDINGS = ""
FORMERLY = (r"\b(?:kiedyś|dawniej)\b",)
WAS = "był była byłem byłam byli byliśmy"
IS = "jestem jest jesteśmy są"
PERFECT = ""
PRESENT_ENDINGS = "a e i y"
SIDES = "lewy lewa lewe lewej lewą lewym prawy prawa prawe prawej prawą prawym"
OPPOSITES = """
wysoki niski wysokie niskie lepiej gorzej chyba może prawdopodobnie będzie przed po tylko
"""

USER = "użytkownik użytkownika użytkowniczka użytkowniczki"
RELATIVES = """
matka matki matkę ojciec ojca rodzice mąż męża żona żony żonę brat bratu brata siostra
siostry siostrę syn syna synowi córka córki córkę dziecko dzieci przyjaciel przyjaciółka
kolega koleżanka wujek ciocia babcia dziadek partner partnerka pies kot
"""
RELATIVE_FORMS = "mama=matka mamy=matki mamę=matkę tata=ojciec taty=ojca"
# Relatives by their English names, for whom the memory page has headings.
RELATIONS = """
matka=mother matki=mother matkę=mother ojciec=father ojca=father rodzice=parents mąż=husband
męża=husband żona=wife żony=wife żonę=wife brat=brother bratu=brother brata=brother
siostra=sister siostry=sister siostrę=sister syn=son syna=son synowi=son córka=daughter
córki=daughter córkę=daughter dziecko=child dzieci=children babcia=grandmother
dziadek=grandfather ciocia=aunt wujek=uncle przyjaciel=friend przyjaciółka=friend
partner=partner partnerka=partner pies=dog kot=cat
"""
FIRST_PERSON = """
ja mam jestem byłem byłam mnie mi mną mój moja moje mojej mojego moim my mamy jesteśmy nas
"""
THIRD_PERSON = "ona oni one jego jej ich"
FIRST_PERSON_ENDINGS = "ę am em"

HEALTH = """
alergia uczulenie uczulony uczulona nietolerancja diagnoza rozpoznanie choroba chory objaw
lek leki leków tabletka dawka dawkowanie recepta suplement witamina szczepienie terapia
leczenie ciąża ciśnienie cukrzyca cukrzyk astma rak depresja nadciśnienie waga
"""

FORGETTING = (r"\b(?:zapomni|usuń|wymaż|skasuj)",)
REMINDER = (r"\bnie (?:zapomnij|zapominaj)\w*(?:, że)?\W{0,3}",)
TAKEN_BACK = (
    (
        r"\b(?:przestań|nieprawda|błędnie|mylnie|przez pomyłkę|nigdy nie mówił[ae]m|nie (?:sądzę|myślę)"
        r"|nie jestem pew(?:ny|na))\b"
    ),
)
JOINTS = "ale bo ponieważ oraz więc który która"
REPORTED = (r"\b(?:powiedziała?|mówi|napisała?|krzyknął|twierdzi)\s*:",)
SUPPOSED = (r"\b(?:gdybym|jeśli|jeżeli)\b",)
UNCERTAIN = (
    (
        r"\b(?:gdyby\w*|jeśli|jeżeli|jakby\w*|czy|może|chyba|być może|załóżmy|przypuśćmy|powiedzmy|wyobraź\w*"
        r"|chciał(?:a)?by\w*|mógł(?:a)?by\w*|byłby\w*|byłaby\w*|marzę|marzy|śni\w*|prawie|zastanawiam|zastanawia|myślę o|myśli o|rozważa\w*"
        r"|planuj\w*|chcę|chce|mam nadzieję|udaj[ęe]\w*)\b|\b\w+łby(?:m|ś)?\b|\b\w+łaby(?:m|ś)?\b"
    ),
)
PLAYED = (
    r"\b(?:zagrajmy|pobawmy|udawajmy|udawaj|wyobraź(?:my)? sobie|odgryw\w+|wciel\w+|w (?:tej |mojej |naszej )?(?:grze|powieści|historii|bajce|scenie))\b",
    r"\b(?:napisz|opowiedz|wymyśl|dokończ|ułóż)\b.{0,30}\b(?:historię|historyjkę|opowiadanie|wiersz|piosenkę|bajkę|scenę|dialog|list|powieść)\b",
    r"\b(?:przetłumacz|popraw|streść|sparafrazuj)\w*\b|\bmoja postać\b|\bgram rolę\b",
)
RESUMED = (
    r"\b(?:a tak poważnie|na poważnie|poważnie|swoją drogą|tak w ogóle|naprawdę|w rzeczywistości|żarty na bok|koniec (?:gry|zabawy))\b",
)
JOKED = (r"\b(?:żart\w*|na niby|dla żartu|nabieram|prima aprilis|nie na serio)\b",)
LAUGHTER = (r"\b(?:he){2,}\b",)
PRESUPPOSED = (
    r"\b(?:problem|szkodzi|źle|ważne|przeszkadza|groźne|nie szkodzi), że\b|\b(?:bo|skoro|ponieważ)\b",
)
LIKEWISE = (r"\bja (?:też|także|również)\b",)
CONDITION = ()
NAMING = "imię imieniu nazywam nazywa mów mówcie mówią wołają"
STATES = "mieszka pracuje"
WITH = "z ze"
ASKING = "czy kto co kiedy gdzie dlaczego jak który ile"
PEOPLE = """
mamie mamą mamo tacie tatą ojcu ojcem matce matką bracia braci bratem siostrą siostrze siostrom
żoną żonie mężem mężowi synem córką córce dzieckiem teściowa teściowej teściową teść teścia szef szefa szefem szefowa szefową sąsiad
sąsiada sąsiadem sąsiadka sąsiadki sąsiadką współlokator współlokatorka współlokatorem koledze kolegi kolegą koleżanki koleżanką
przyjaciela przyjacielem przyjaciółki przyjaciółką znajomy znajomego znajomym znajoma znajomej ktoś kogoś kuzyn kuzyna kuzynem
kuzynka kuzynki ciotka ciotki wujka wujkiem babci babcię babcią dziadka dziadkiem partnera partnerem partnerki chłopak chłopaka chłopakiem
dziewczyna dziewczyny dziewczyną narzeczony narzeczona narzeczonej nauczyciel nauczycielka psa psu kota kotu
"""

ROLES = "asystent system"
INSTRUCTIONS = (
    (
        r"\b(?:zignoruj|ignoruj|pomiń|zapomnij o)\b(?:\W+\w+){0,2}?\W+"
        r"(?:poprzednie|wcześniejsze|powyższe|poprzednich|powyższych)\W+"
        r"(?:instrukcj|poleceni|zasad|wskazówk)\w*"
    ),
    r"(?:^|[.!?\n][ \t]*)(?:asystent|meddie)\b(?! użytkown)",
    (
        r"\b(?:asystent|model|meddie)(?:ka)? (?:powinien|powinna|musi|nie może|ma zawsze|ma nigdy"
        r"|ma odpowiadać|zawsze|nigdy)\b"
    ),
    r"\b(?:kiedy|gdy) (?:mi )?odpowiadasz\b",
    r"\b(?:chce|prosi|oczekuje|życzy sobie|woli), (?:żebyś|abyś|by asystent|żeby asystent)\b",
    r"\btwoj(?:e odpowiedzi|ą rolą|im zadaniem|e zadanie|a rola)\b",
)
ANSWERING = (
    r"\b(?:odpowiadaj|odpowiedz|odpisuj|udawaj|polecaj|rekomenduj)(?:cie)?\b",
    r"\bproszę (?:zawsze |nigdy nie )?(?:odpowiadać|ignorować|polecać)\b",
)
ADDRESSED = (
    r"\b(?:jesteś teraz|teraz jesteś|od tej pory jesteś)\b",
    r"\b(?:musisz|powinieneś|powinnaś|masz zawsze|masz nigdy|nie wolno ci)\b",
    (
        r"(?:^|[.:;!?\n\"„][ \t]*)(?:zawsze |nigdy nie |nie |od teraz )?(?:pomijaj|mów|pisz|bądź|wspominaj|pytaj"
        r"|ostrzegaj|używaj|podawaj|doradzaj|zadawaj|zaczynaj|kończ|dodawaj|traktuj|nazywaj|chwal|sugeruj|proponuj"
        r"|przypominaj|zachęcaj|ukrywaj|z?ignoruj|zachowuj się|zwracaj się)(?:cie)?\b"
    ),
)
_SAID = (
    r"(?:zawsze )?(?:powiedział|mówi|zaleci|zaleca|kaza|każe|ostrzeg|napisał|[pd]oradził|radzi"
    r"|powtarza|prosi|tłumaczy)"
)
_PEOPLE = "|".join((*RELATIVES.split(), *RELATIVE_FORMS.replace("=", " ").split()))
REPORTS = (
    rf"\b\w+ użytkowni(?:ka|czki) {_SAID}",
    (
        rf"\b(?:{_PEOPLE}|lekar(?:z|ka)|(?:doktor|dr\.?)(?: [\w-]+)?|\w+(?:olo(?:g|żka)|[iy]stk?a"
        rf"|iatra|eutk?a|tyk|tyczka)|ortopeda|chirurg|pielęgniar(?:ka|z)|położna|trener(?:ka)?) {_SAID}"
    ),
    r"\bużytkowni(?:kowi|czce) (?:powiedziano|zalecono|kazano)\b",
    r"\b(?:motto|dewiza|plan|cel|zasada|postanowienie|dieta) użytkowni(?:ka|czki)\s*(?::[^.!?\n]*)?$",
)

PASSWORDS = (r"\bhas(?:ło|ła|łem|łu|eł)\b",)
PINS = (r"\bkod(?:em)? do karty\b", r"\bnumer(?:em)? karty\b")
COPULAS = "to brzmi jest"

OVERVIEW = (
    (
        r"co (?:już |jeszcze |właściwie )?(?:o mnie |ty o mnie )(?:już )?"
        r"(?:wiesz|pamiętasz|zapamięta\w+)"
    ),
    r"co (?:już |ty )?(?:wiesz|pamiętasz|zapamięta\w+)(?: o mnie)?",
    (
        r"(?:powiedz|opowiedz|pokaż|wymień)(?: mi)? (?:wszystko |co )?(?:co )?"
        r"(?:o mnie )?(?:wiesz|pamiętasz|zapamięta\w+)(?: o mnie)?"
    ),
    (
        r"jakie (?:masz o mnie (?:informacje|dane)|masz (?:informacje|dane) o mnie"
        r"|(?:informacje|dane) (?:o mnie masz|masz o mnie))"
    ),
)
OVERVIEW_ALONE = ("kim jestem",)
ABOUT_USER = (r"\bo mnie\b",)
AMBIGUOUS_MONTHS = ""
OPENING_WORDS = "a więc no to proszę"
CLOSING_WORDS = "proszę krótko w skrócie po kolei"
CONFIRMING = """
tak owszem proszę poproszę ok okej jasne pewnie oczywiście dokładnie zgoda zgadza zgadzam
się potwierdzam dobrze dobra zrób to jestem mam
"""
TOPIC_MARKERS = (
    r"(?:przy okazji|swoją drogą|swoja droga)(?=\s*[,:;–—-]+\s*\w|\s+(?:czy|jak|co|kiedy|gdzie|ile|który|która|które|dlaczego)\b)",
    r"(?:tak )?(?:nawiasem mówiąc|nawiasem mowiac|z (?:zupełnie )?innej beczki|zmie(?:ńmy|nmy|niając|niajac) temat)\b(?! (?:prac|maila|wiadomości|zajęć|lekcji))",
    r"(?:zmiana tematu|(?:inny|nowy) temat)(?=\s*[.,:;!–—-]|\s*$)",
    (
        r"(?:(?:możemy|mozemy|chcę|chce|chciał(?:bym|abym)|wolę) )?(?:porozmawia(?:jmy|ć|c)|pogada(?:jmy|ć|c)|pomówmy|mówmy)"
        r" (?:teraz |lepiej |może )?o cz(?:ymś|yms) (?:zupełnie )?innym\b"
    ),
)
# Words that name a file.
FILES = (
    r"\b(?:zdję\w+|fot\w+|obraz\w*|plik\w*|dokument\w*|pdf\w*|skan\w*|nagran\w+|załącznik\w*)\b",
)
# Questions about what was said, which need no reply before them.
RECALLING = (
    (
        r"^(?:a |i )?(?:co|o czym) (?:ci |my )?(?:mówiliśmy|rozmawialiśmy|ustaliliśmy|mówił[ae]m"
        r"|mówił[ae]ś)(?: ci)? (?:o|na temat) "
    ),
)
