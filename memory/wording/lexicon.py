"""The word lists that remain: what a text is compared without, and whose it is.

What a sentence means is judged by models and examples, not here. Words are in lower
case; `memory.wording.words` folds them as it folds texts.
"""

# By language: it is recognised by the words that only it has. Left out of German is
# what is another word in English, such as "die" and "gut".
STOP_WORDS = {
    "en": """
a about after again all also always am an and any anything are aren as at be because
been before being between both but by can could couldn d did didn do does doesn doing
don during each else ever few for from further get give had hadn has hasn have haven
having he her here hers him his how i if in into is isn it its itself just kind know let
ll lot make many may me might mine more most much must my no nor not now of off on once
one only or other our ours out over own please re s same shall she should shouldn so
some something such t tell than that the their theirs them then there these they thing
things this those through to too under until up us ve very want was wasn way we were
weren what when where which while who whom whose why will with won would wouldn yet you
your yours
""",
    "pl": """
a aby ale ani bardzo bez bo być był była było byli były będzie będę chcę ci ciebie cię
co coś czy dla do gdy gdzie go i ich im ile ja jak jaka jaki jakie jako je jego jej jest
jestem jeszcze jesteś już każdy kiedy kim kto która które który ma mam mamy masz mi mnie
mną moi moja moje mojej mojego moim może mu mój my na nad nam nas nasz nie nich nim niż
no o od on ona one oni ono oraz po pod przed przez przy proszę sam się są ta tak tam te
tego tej ten też to tobie tu tutaj twoja twoje twój ty tych tylko tym w we więc wszystko
wy z za ze że żeby
""",
    "ru": """
а без бы был была были было быть в вам вас ваш весь во вот все всё вы где да для до его
ее её если есть еще ещё же за здесь и из или им их к как какая какие какой когда кто ли
меня мне мной мое моё моего моей мои мой моя моём мы на над нам нас наш не него нее неё
нет ни них но ну о об он она они оно от по под при про с сам себя со так также там те
тебе тебя то тобой тоже только том ты у уже что чтобы чем эта эти это этот я
""",
    "de": """
aber als am an auf aus bei beim bis da damit dann das dass dein deine dem den der des
dich dir doch du durch ein eine einem einen einer eines es für gegen haben habe hast ich
ihm ihn ihr im ist kann mein meine meinem meinen meiner mich mir mit nach noch nun ob
oder schon sehr sein seit seine sich sie sind um und uns vom von vor wegen weil wenn
werde werden wie wir wird wo zu zum zur über
""",
}

SMALL_TALK = {
    "en": """
hello hi hey hiya thanks thank cheers welcome ok okay yes yeah yep nope bye goodbye good
great nice really quite well say says said see sure lol haha
""",
    "pl": """
cześć hej witaj dzięki dziękuję dobra dobrze spoko pa jasne fajnie super
""",
    "ru": """
привет здравствуй здравствуйте спасибо пока хорошо ладно ок ага отлично
""",
    "de": """
hallo danke bitte tschüss ja nein okay
""",
}

# Words for the user in facts.
USER = """
user użytkownik użytkownika użytkownikowi użytkowniczka użytkowniczki użytkowniczce
пользователь пользователя пользователю пользовательница пользовательницы anwender anwenderin nutzer
nutzers nutzerin benutzer benutzers benutzerin usuario usuaria utilisateur utilisatrice
utente utilizador utilizadora gebruiker gebruikster користувач користувача
用户 ユーザー 使用者
"""
# Those of the user, by the word for which the memory page has a heading.
RELATIONS = """
mother mothers=mother father fathers=father parents family husband wife spouse=partner
brother sister sibling son daughter child kid=child children kids=children baby=child
friend uncle aunt cousin nephew niece grandmother grandfather grandma=grandmother
grandpa=grandfather grandson granddaughter partner girlfriend boyfriend colleague boss
neighbour neighbor dog cat mom=mother mum=mother dad=father
matka=mother matki=mother matkę=mother ojciec=father ojca=father rodzice=parents
mąż=husband męża=husband żona=wife żony=wife żonę=wife brat=brother bratu=brother
brata=brother siostra=sister siostry=sister siostrę=sister syn=son syna=son synowi=son
córka=daughter córki=daughter córkę=daughter dziecko=child dzieci=children
przyjaciel=friend przyjaciółka=friend kolega koleżanka wujek=uncle ciocia=aunt
babcia=grandmother dziadek=grandfather partner partnerka=partner pies=dog kot=cat
mama=mother mamy=mother mamę=mother tata=father taty=father
мать=mother матери=mother отец=father отца=father муж=husband мужа=husband жена=wife
жены=wife жену=wife родители=parents брат=brother брата=brother сестра=sister
сестры=sister сын=son сына=son дочь=daughter дочка=daughter дочери=daughter
ребёнок=child дети=children друг=friend подруга=friend дядя=uncle тётя=aunt
бабушка=grandmother дедушка=grandfather собака=dog кошка=cat мама=mother мамы=mother
папа=father папы=father
mutter=mother vater=father eltern=parents mann=husband frau=wife bruder=brother
schwester=sister sohn=son tochter=daughter kind=child kinder=children oma=grandmother
opa=grandfather großmutter=grandmother großvater=grandfather tante=aunt onkel=uncle
freund=friend freundin=friend hund=dog katze=cat mutti=mother vati=father
"""

# Whether a sentence denies, and what a fact may say of what is denied.
NEGATIONS = (
    r"\b(?:no longer|not|no|never|none|nor|neither|without|cannot|stopped|quit|ruled out|g[ai]ven? up|tested negative for)\b",
    r"\bcan['’]t\b|n['’]t\b",
    r"\b(?:nie|bez|nigdy|ani|(?:przesta|rzuci)ł(?:em|am|[aey])?)\b",
    r"\b(?:не|нет|без|никогда|ни|перестал[аи]?|бросил[аи]?)\b",
    r"\b(?:nicht(?: mehr)?|kein\w*|niemals|ohne|weder)\b",
    r"\b(?:nunca|jamás|dejó|dejé|dejado)\b|\b(?:sin|ni) ",
    r"\b(?:ne|pas|jamais|sans|aucune?|arrêté)\b|\bn['’]",
    r"\bnon\b(?!-)|\b(?:senza|não|niet|geen|nooit|без|ні|немає)\b",
    r"不(?!过)|没|沒|無い|ない(?!と)|ません|なかった|从未|別|别(?!人)",
)
LACKING = (
    r"\b(?:avoid|dislik|hat(?:e|ing)|poor|lack|former|without|free|allerg|intoleran)",
    r"\b(?:unika|nienawidz|brak|uczul|alerg|nietoler)",
    r"\b(?:избега|ненавид|аллерг|непереносим)",
    r"\b(?:meide|vermeide|hass|mangel|frei|allerg|unverträg|intoleran)",
)

# Left and right, upper and lower.
SIDES = """
left right upper lower lewy lewa lewe lewej lewą lewym prawy prawa prawe prawej prawą
prawym левый левая левое левой левую левом правый правая правое правой правую правом
linke linken linker linkes rechte rechten rechter rechtes
"""

# Words for the signs < and >.
SIGNS = """
over under above below more less until ponad powyżej poniżej więcej mniej свыше больше
меньше über unter mehr weniger
"""

# Numbers by their words; 1 is left out, which is often an article.
NUMBERS = """
two=2 twice=2 three=3 thrice=3 four=4 five=5 six=6 seven=7 eight=8
nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14 fifteen=15 sixteen=16
seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60
seventy=70 eighty=80 ninety=90 hundred=100 thousand=1000
dwa=2 dwie=2 dwoje=2 dwójka=2 dwóch=2 trzy=3 troje=3 trójka=3 trzech=3 cztery=4
czworo=4 pięć=5 pięciu=5 sześć=6 sześciu=6 siedem=7 siedmiu=7 osiem=8 ośmiu=8 dziewięć=9
dziewięciu=9 dziesięć=10 dziesięciu=10 jedenaście=11 dwanaście=12 dwadzieścia=20 sto=100
два=2 две=2 двое=2 двух=2 три=3 трое=3 четыре=4 четверо=4 пять=5 шесть=6 семь=7 восемь=8
девять=9 десять=10 двенадцать=12 двадцать=20
zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 siebten=7 acht=8 neun=9 zehn=10
elf=11 zwölf=12 zwanzig=20
dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10
deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10
tre=3 quattro=4 cinque=5 sei=6 sette=7 otto=8 nove=9 dieci=10
"""
# Words that say a number beside another meaning: a message has it by them, a fact not.
COUNTS = """
one=1 once=1 jeden=1 jedna=1 jedną=1 jedno=1 один=1 одна=1 одну=1 ein=1 eine=1 einen=1 einmal=1
both=2 couple=2 due=2 twins=2 pair=2 half=2 dozen=12 obie=2 oba=2 beide=2 gemelle=2 второй=2 третий=3
"""
# Months in forms that its names and stems do not cover.
MONTHS = "sept=9 lutym=2 marcu=3 maju=5 lipcu=7 мае=5"
# Seasons by their first month, in forms that are no other word ("lata" are years).
SEASONS = """
summer=6 autumn=9 winter=12 latem=6 lato=6 wiosną=3 jesienią=9 zimą=12 sommer=6 frühling=3
frühjahr=3 herbst=9 летом=6 весной=3 осенью=9 зимой=12
"""
# Units that Unicode's locale data does not have.
UNITS = "mcg=microgram lbs=pound kilo=kilogram kilos=kilogram am pm"

# Words that do not change what a sentence states, and endings of Polish nouns and verbs.
FILLING = """
indeed really actually truly currently now also too just the a an any już naprawdę
faktycznie obecnie teraz też действительно сейчас теперь тоже der die das den dem ein
eine wirklich jetzt auch
is are am be been being has have having got do does s jest są ma mają  ist sind bin hat
habe haben war
"""
POLISH_ENDINGS = """
a ą e ę i o u y ie ia ię ią iu iem iego iemu iej im em ego emu ej ach iach ami iami om
iom ów iów owi
"""

# What is secret if its value follows, and words between.
PASSWORDS = (
    r"\bpass(?:word|code|phrase)s?\b(?! manager)",
    r"\bpwd\b",
    r"\b(?:api|secret|private) key\b",
    r"\bhas(?:ło|ła|łem|łu|eł)\b",
    r"\bпарол(?:ь|я|ю|ем|и)\b",
    r"\b(?:passwort|kennwort)\b",
)
DENSE_PASSWORDS = "密码|密碼|口令|验证码|パスワード|暗証番号"
PINS = (
    r"\bpin(?: code| number)?\b",
    r"\bcv[vc]2?\b",
    r"\bsecurity code\b",
    r"\b(?:ssn|social security number)\b",
    r"\b(?:credit |debit |bank )?card number\b",
    r"\bkod(?:em)? do karty\b",
    r"\bnumer(?:em)? karty\b",
    r"\bпин(?:-?код)?(?: (?:карты|телефона))?\b",
    r"\bномер\w* карты\b",
    r"\b(?:geheimzahl|kartennummer)\b",
)
# Before a colon they open the turn of a role in a prompt.
ROLES = "system assistant developer asystent ассистент система assistent"
COPULAS = """
is was are to brzmi jest это ist lautet heißt
"""

# Words of health data, which belong to a person's notes and not to the profile.
HEALTH = """
allergy intolerance intolerant diagnosis diagnosed disease illness condition symptom
medicine medication medicament drug pill tablet dose dosage prescription supplement
vitamin vaccine vaccination therapy treatment surgery operation pregnancy pregnant blood
diabetes diabetic asthma cancer depression hypertension weight mg mcg alergia uczulenie
uczulony uczulona nietolerancja diagnoza rozpoznanie choroba chory objaw lek leki leków
tabletka dawka dawkowanie recepta suplement witamina szczepienie terapia leczenie ciąża
ciśnienie cukrzyca cukrzyk astma rak depresja nadciśnienie waga аллергия аллергик
непереносимость диагноз болезнь заболевание симптом лекарство лекарства препарат
таблетка доза дозировка рецепт добавка витамин прививка терапия лечение беременность
беременна давление диабет диабетик астма рак депрессия вес allergie allergisch
unverträglichkeit diagnose krankheit erkrankung symptom medikament medikamente arznei
tablette dosis dosierung rezept nahrungsergänzungsmittel vitamin impfung therapie
behandlung schwangerschaft schwanger blutdruck blutgruppe diabetes asthma krebs
depression gewicht
"""

# Words that name a file.
FILES = (
    r"\b(?:photos?|pictures?|images?|files?|documents?|pdf|scans?|recordings?|attachments?)\b",
    r"\b(?:zdję\w+|fot\w+|obraz\w*|plik\w*|dokument\w*|pdf\w*|skan\w*|nagran\w+|załącznik\w*)\b",
    r"\b(?:фот\w+|снимк\w+|снимок|картин\w+|файл\w*|документ\w*|скан\w*|запис[ьи]|вложени\w+)\b",
    r"\b(?:fotos?|bild\w*|datei\w*|dokument\w*|pdf|scans?|aufnahmen?|anhang|anhänge)\b",
)

# Before a colon or a quotation they say that another wrote or said it.
REPORTING = """
wrote writes said says texted replied answered quotes forwards schrieb schreibt sagte sagt
antwortete meinte écrit dit répond répondu napisał napisała napisali pisze powiedział
powiedziała mówi odpisał odpisała escribió escribe dijo dice respondió scritto scrive detto
rispose risposto escreveu escreve disse respondeu schreef schrijft zei zegt antwoordde skrev
skriver sade svarade написал написала пишет сказал сказала говорит ответил ответила yazdı
yazıyor dedi
"""
DENSE_REPORTING = (
    "说|說|写道|寫道|回复|言った|言って|言いました|書いた|書いて|書きました"
)
# Of the user as the one who says or writes.
FIRST_PERSON = "i ich je j yo ja io eu ik jag я"
DENSE_FIRST_PERSON = "我(?:对.{1,6})?(?:说|說|写道)|私"
NAMES_OF_SELF = "me moi myself 我 私"
SECOND_PERSON = " you du tu vous ty ci tú usted você u jij je вы ты sen 你 您"
# They name a text that follows a colon.
TEXTS = """
mail mails email emails letter message messages text poem song lyrics article paragraph
comment review transcript chat recipe story sms nachricht nachrichten gedicht lied artikel
absatz kommentar rezept geschichte courriel lettre texte poème chanson commentaire recette
histoire mejl mejla maila wiadomość wiadomości tekst tekstu wiersz wierszu piosenka artykuł
komentarz przepis correo carta mensaje mensajes texto poema canción artículo comentario
receta lettera messaggio messaggi testo poesia canzone articolo commento ricetta mensagem
artigo receita bericht tekst gedicht artikel recept письмо письме сообщение сообщении текст
тексте стихотворение стихи песня статья рецепт mesaj metin metni şiir mektup tarif brev
meddelande dikt
"""
DENSE_TEXTS = "邮件|郵件|短信|消息|文章|文本|句子|这段话|诗|詩|食谱|メール|手紙|文章|次の文|メッセージ|歌詞|レシピ"
# With them the user gives a text to remember.
KEEPING = """
remember save note store keep merk merke notier notiere speicher speichere behalte retiens
note notez mémorise garde zapamiętaj zapisz zanotuj recuerda guarda anota apunta ricorda
annota memorizza salva lembra guarde anote onthoud noteer bewaar запомни запиши сохрани
hatırla kaydet minns spara
"""
# Headers of a mail: who wrote it, and what it is about.
MAIL_FROM = "from von de od da van från fra от kimden 发件人 寄件者 差出人"
MAIL_SUBJECT = """
subject betreff objet temat asunto oggetto onderwerp assunto тема ämne emne konu 主题 主旨 件名
"""
