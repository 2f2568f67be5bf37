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
dich dir doch du durch ein eine einem einen einer eines er es für gegen haben habe hast ich
ihm ihn ihr im ist kann mein meine meinem meinen meiner mich mir mit nach noch nun ob
oder schon sehr sein seit seine sich sie sind um und uns vom von vor wegen weil wenn
werde werden wie wir wird wo zu zum zur über
""",
}

# Further words by which a language is recognised. A search compares them.
SHOWING = {
    "de": """
abends ahnung arbeite danke darf deiner gestern gibt guten heiße heißt heute kann kannst
kein keine könnte morgens möchte nehme nicht schwanger tschüss unser unsere vergiss
viele vielen wann warum welche welcher wer wohne wohnt wurde zurzeit
""",
    "es": """
a además adiós ahora al alguna alguno antes así ayer años aún buenas buenos cada como
con cuando cuál cuándo cuánto cuántos cómo de del desde después donde dos duele dónde e
el ella ellas ellos en entre era eres es esa ese eso esta estaba este esto estoy está
están estás fue fui gracias gusta gustan ha hace han hasta hay he hermana hermano hija
hijo hijos hola hoy la le les llama llamo lo los luego mañana me mi mis mucha muchas
mucho muchos muy más mí nada necesito ni no noche nos nosotros nunca o olvida olvidar
otra otro para pastilla pastillas pero por porque puede puedes puedo que quien quiero
quién qué recuerda se según si siempre siento sin sobre solo son su sus sé sí también te
tengo tiene tienes toda todavía todo trabajo tu tus tuve tú un una usted ustedes y ya yo
él
""",
    "fr": """
ai au aux avec bonjour c ce cela ces cet cette comme d dans de des deux du elle elles en
est et eu il ils j je l la le les leur lui m ma mais me merci mes moi mon même n ne non
nos notre nous on ont ou oui où par pas plus pour qu quand que quel quelle quels qui
quoi s sa salut sans se ses si son sont suis sur t ta te tes toi ton très tu un une vos
votre vous y à ça étais était été être
""",
    "it": """
a ad al alla anche avere avevo c che chi ciao come con cosa da dal dalla dei del della
delle di dopo dove e ed era gli grazie ha hai ho i il in io l la le lei li lo loro lui
ma mai me mi mia mie miei mio molto nel nella no noi non nostra nostro o ogni per perché
più poi posso quale quando quanto quella quello questa questo qui sa sai se sei sempre
si sono sta sto su sua suo sì ti tra tu tua tuo un una uno vi voi è
""",
    "pt": """
a ainda ao as com como da das de dela dele depois desde do dos e ela ele eles em era
essa esse esta este estou está eu foi há isso isto já lhe mais mas me mesmo meu meus mim
minha minhas moro muita muito na nas no nos não nós o obrigada obrigado olá onde os ou
para pela pelo por porque posso qual quando quanto que quem se sem ser seu sim sobre sou
sua são também te tem tenho teu tomo tu tua tudo um uma você à às é
""",
    "nl": """
aan als bedankt ben bij daar dan dat de deze die dit doen door een en er geen graag haar
heb hebben heeft heel hem het hier hij hoe hun ik in is ja je jij jouw kan kun maar me
met mij mijn moet na naar nee niet nog nu of om omdat ons onze ook op over te tot u uit
van veel voor waar waarom wanneer was wat we weet wel wie wil worden wordt zal ze zij
zijn zo zonder
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

# Words before a full stop that ends no sentence: titles, streets, units and the like. Left out
# are those that often end one, such as "etc." and "usw.".
ABBREVIATIONS = """
dr mr mrs ms mx prof st jr sr rev vs approx dept appt e.g i.e tab tabl
ca hr fr frl str bzw bspw evtl ggf inkl tägl gg gem allg med z.b d.h u.a
lek ul al pl os np tzn godz tel św m.in inż mgr pt zob
ул пр пер д-р проф г-н г-жа т.е т.к т.д вул просп
sra srta dra uds aprox ej p.ej
mme mlle env p.ex
dott sig prof.ssa dott.ssa sig.ra
mevr dhr bijv o.a
mudr ing tzv např
bl.a f.eks t.ex kl
doç sn örn
"""
# Units before a full stop, where a sentence may begin with a small letter.
DOSES = "mg mcg µg g kg ml dl l tbsp tsp iu ie j.m мг мкг мл"

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
# How often something is done. "|" parts phrases.
PERIODS = {
    "day": "a day|daily|per day|every day|each day|täglich|am tag|pro tag|jeden tag|dziennie|codziennie|na dobę"
    "|na dzień|par jour|chaque jour|tous les jours|al día|cada día|todos los días|diario|diaria|al giorno"
    "|ogni giorno|per dag|elke dag|dagelijks|por dia|todos os dias|в день|каждый день|ежедневно|на день|щодня"
    "|günde|her gün|每天|每日|毎日|매일",
    "two days": "every other day|every second day|jeden zweiten tag|alle zwei tage|co drugi dzień|co dwa dni"
    "|un jour sur deux|tous les deux jours|cada dos días|un día sí|a giorni alterni|ogni due giorni|om de dag"
    "|dia sim|через день|gün aşırı|隔天|隔日|一日おき",
    "week": "a week|weekly|per week|every week|each week|wöchentlich|pro woche|in der woche|jede woche"
    "|tygodniowo|na tydzień|co tydzień|par semaine|chaque semaine|a la semana|por semana|cada semana"
    "|alla settimana|ogni settimana|elke week|в неделю|каждую неделю|на тиждень|haftada|her hafta|每周|每週|毎週|매주",
    "month": "a month|monthly|per month|every month|im monat|pro monat|monatlich|jeden monat|miesięcznie"
    "|w miesiącu|co miesiąc|par mois|chaque mois|al mes|por mes|cada mes|al mese|ogni mese|per maand|elke maand"
    "|por mês|в месяц|каждый месяц|на місяць|ayda|her ay|每月|每个月|毎月|매달",
}
SIDES = """
left right upper lower sol=left sağ=right 左=left 右=right lewy=left lewa=left lewe=left lewej=left
lewą=left lewym=left lewego=left prawy=right prawa=right prawe=right prawej=right
prawą=right prawym=right prawego=right левый=left левая=left левое=left левой=left
левую=left левом=left левого=left правый=right правая=right правое=right правой=right
правую=right правом=right правого=right ліва=left лівий=left лівої=left лівій=left
права=right правий=right правої=right правій=right linke=left linken=left linker=left
linkes=left linkem=left rechte=right rechten=right rechter=right rechtes=right
rechtem=right izquierda=left izquierdo=left derecha=right derecho=right gauche=left
droite=right droit=right sinistra=left sinistro=left destra=right destro=right
esquerda=left esquerdo=left direita=right direito=right linkerarm=left 왼쪽=left
오른쪽=right اليسرى=left اليمنى=right
"""

# Words for the signs < and >.
SIGNS = """
over under above below more less until ponad powyżej poniżej więcej mniej свыше больше
меньше über unter mehr weniger
"""

# Words for numbers that the libraries do not have. A message has the number by them, a
# fact not: some have another meaning.
COUNTS = """
one=1 once=1 twice=2 thrice=3 both=2 couple=2 twins=2 pair=2 dozen=12 single=1
jedną=1 obie=2 oba=2 dwoje=2 dwójka=2 troje=3 trójka=3 trojga=3 czworo=4 pięcioro=5
sześcioro=6 siedmioro=7 ośmioro=8 dziewięcioro=9 dziesięcioro=10 dwukrotnie=2
trzykrotnie=3 półtora=1.5 półtorej=1.5
двое=2 трое=3 четверо=4 пятеро=5 второй=2 третий=3 дважды=2 трижды=3 полтора=1.5
полторы=1.5 двічі=2 тричі=3 півтора=1.5 півтори=1.5
einmal=1 zweimal=2 dreimal=3 viermal=4 fünfmal=5 beide=2 siebten=7 anderthalb=1.5
eineinhalb=1.5 zweieinhalb=2.5 gemelle=2 eenmaal=1 tweemaal=2 driemaal=3 anderhalve=1.5
مرتين=2 한=1 두=2 세=3 네=4 다섯=5 여섯=6 일곱=7 여덟=8 아홉=9 열=10
"""
# Words of numbers that have another meaning in a language.
HOMONYMS = """
one once due due's dos sei otto elf acht set sept tres tens second seconds cent cents mil mille
dix cien cinque nove onze
"""
HALVES = """
half halb halbe halben halber halbes halve pół połowę połowa wpół полтаблетки пол половина
половину половине пів половину media medio demi demie mezza mezzo meia meio půl yarım
"""
QUARTERS = "quarter viertel kwadrans kwart quart cuarto quarto четверть чверть"
# How many a word means at least and at most.
FEW = """
few several couple kilka kilku parę paar einige einigen mehrere mehreren несколько
пару кілька pocos unos unas algunos varias quelques plusieurs alcuni alcune qualche alguns
algumas enkele paar pár några birkaç
"""
# Two days from today, and two before it, where the libraries do not have them.
IN_TWO_DAYS = "depois_de_amanhã pasado_mañana dopodomani overmorgen послезавтра pozítří i_övermorgen i_overmorgen öbür_gün"
TWO_DAYS_AGO = "anteontem anteayer antes_de_ayer l'altro_ieri eergisteren позавчера przedwczoraj vorgestern avant_hier předevčírem"
# Times of today for which dateparser has no word; a phrase is joined by "_".
TODAY = """
this_morning this_afternoon this_evening this_night esta_mañana esta_tarde esta_noche ce_matin
ce_soir stamattina stasera stanotte esta_manhã esta_noite vanmorgen vanochtend vanmiddag vanavond
vannacht bu_sabah bu_akşam
"""
# Words between the parts of a number, and of a day, and endings of a day's number.
AND = "and und y e et en i и і"
BETWEEN = "of de del the den r г . ,"
DAY_ENDINGS = "go|ego|го|е"
# What is counted where numbers are written without spaces.
COUNTERS = "次片粒颗顆錠个個名人歳岁天日月年週周杯本匹只隻条條枚回度点點時时小毫公斤克升米盒瓶针針針匙错倍百"

# Months in forms that its names and stems do not cover.
MONTHS = "sept=9 lutym=2 marcu=3 maju=5 lipcu=7 мае=5"
# Short names of weekdays that are no other word.
WEEKDAYS = "tue=1 tues=1 weds=2 thu=3 thur=3 thurs=3 fri=4"
# Seasons by their first month, in forms that are no other word ("lata" are years).
SEASONS = """
summer=6 autumn=9 winter=12 latem=6 lato=6 wiosną=3 jesienią=9 zimą=12 sommer=6 frühling=3
frühjahr=3 herbst=9 летом=6 весной=3 осенью=9 зимой=12
"""
# Units that Unicode's locale data does not have.
UNITS = """
mcg=microgram mcgs=microgram mgs=milligram lb=pound lbs=pound kilo=kilogram
kilos=kilogram chilo=kilogram chili=kilogram quilo=kilogram quilos=kilogram мг=milligram мкг=microgram кг=kilogram
"""

# Words that do not change what a sentence states, and endings of Polish nouns and verbs.
FILLING = """
indeed really actually truly currently now also too just the a an any już naprawdę
faktycznie obecnie teraz też действительно сейчас теперь тоже der die das den dem ein
eine wirklich jetzt auch
is are am be been being has have having got do does s jest są ma mają  ist sind bin hat
habe haben war
m l j ve re qu ai alles allem alle allen aller alle tout toute tous todo todos tutto tutti everything all
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

# The first words of a wish to forget, or its last: see `memory.wording.wishes`.
FORGETTING = {
    "en": "forget delete remove erase wipe unremember unlearn purge",
    "pl": "zapomnij zapomnieć usuń usunąć skasuj skasować wykasuj wymaż wymazać",
    "de": "vergiss vergesst vergessen lösche lösch löschen entferne entfernen streiche streich streichen",
    "es": "olvida olvide olvidar olvídate olvídame borra borre borrar elimina elimine eliminar quita quitar",
    "fr": "oublie oubliez oublier efface effacez effacer supprime supprimez supprimer retire retirez retirer",
    "it": "dimentica dimentichi dimenticare cancella cancelli cancellare elimina eliminare rimuovi rimuovere",
    "pt": "esquece esqueça esquecer apaga apague apagar elimina elimine remove remova remover exclua excluir",
    "nl": "vergeet vergeten verwijder verwijderen wis wissen",
    "ru": "забудь забудьте забыть удали удалите удалить сотри сотрите стереть убери уберите",
    "uk": "забудь забудьте забути видали видаліть видалити зітри",
    "tr": "unut unutun sil silin kaldır silebilir unutabilir",
    "ar": "انس انسي انسى تنس تنسى احذف احذفي امسح امسحي",
    "zh": "忘记 忘掉 忘記 删除 删掉 刪除 清除 抹去",
    "ja": "忘れて 消して 削除して 消去して",
    "ko": "잊어 지워 삭제해",
    "th": "ลืมว่า ลืมทุก ลืมเรื่อง ลืมเกี่ยวกับ ลืมที่ ลืมสิ่งที่ ลบ",
}
# Denied they are a wish, too: "Don't remember that".
KEEPING = {
    "en": "remember keep save store saved stored kept memorise memorize note record",
    "pl": "pamiętaj zapamiętuj zapisuj zachowuj przechowuj zapisane pamiętał pamiętała",
    "de": "merk merke speichere speicher behalte notiere gespeichert",
    "es": "recuerdes guardes guarde guardar memorices anotes",
    "fr": "retiens retenez garde gardez enregistre enregistrez mémorise note",
    "it": "ricordare salvare memorizzare",
    "pt": "lembres lembre guardes guarde salve grave memorize",
    "nl": "onthoud bewaar",
    "ru": "запоминай запоминайте сохраняй сохраняйте записывай",
    "uk": "запам'ятовуй зберігай записуй",
    "tr": "hatırlama kaydetme saklama",
    "ar": "تحفظ تتذكر",
    "zh": "别记 不要记 别保存 不要保存 别存",
    "ja": "覚えないで 保存しないで 記録しないで",
    "ko": "기억하지마 저장하지마",
    "th": "อย่าจำ อย่าบันทึก",
}
DENYING = "don dont do not t never nie nicht no ne n pas não non niet не لا"
# Before a wish.
OPENINGS = {
    "en": "please pls plz kindly can could would will you u may now just ok okay so then and hi hey hello thanks meddie",
    "pl": "proszę możesz mógłbyś mogłabyś czy teraz to więc i cześć hej",
    "de": "bitte kannst könntest können könnten würdest sie du jetzt also und mal hallo",
    "es": "por favor porfa puedes podrías puede podría y ahora hola",
    "fr": "s il te vous plaît stp svp peux pouvez pourrais pourriez tu et maintenant bonjour",
    "it": "puoi potresti può per favore e adesso ciao",
    "pt": "por favor podes pode poderia podia e agora olá você tu",
    "nl": "alsjeblieft alstublieft kun kan kunt wil je u nu en graag hoi",
    "ru": "пожалуйста можешь можете мог бы ты вы теперь и привет",
    "uk": "будь ласка можеш можете ти тепер і привіт",
    "tr": "lütfen misin mısın musun olur mu",
    "ar": "من فضلك رجاء هل يمكنك أن",
    "zh": "请 請 帮我 麻烦 你可以 可以 能 吗 把 了 掉",
    "ja": "ください 下さい お願いします ね",
    "ko": "줘 줘요 주세요 주십시오 줄래 버려 요",
    "th": "โปรด กรุณา ช่วย หน่อย ด้วย ครับ ค่ะ",
}
# A wish for all has one of these and names nothing.
EVERYTHING = {
    "en": "everything all every single anything whole data memories memory history",
    "pl": "wszystko wszystkim wszystkie wszystkich cały całą dane danych wspomnienia pamięć",
    "de": "alles alle allen sämtliche ganz daten erinnerungen gedächtnis",
    "es": "todo toda todos todas datos recuerdos memoria",
    "fr": "tout toute tous toutes données souvenirs mémoire",
    "it": "tutto tutta tutti tutte dati ricordi memoria",
    "pt": "tudo todo todos todas dados memórias memória",
    "nl": "alles alle al gegevens herinneringen geheugen",
    "ru": "всё все всю всех данные данных воспоминания память",
    "uk": "усе все всі усі дані спогади пам'ять",
    "tr": "her şeyi hepsini tüm bütün verilerimi anılarımı",
    "ar": "كل شيء جميع بياناتي بيانات ذكريات",
    "zh": "一切 所有 全部 全都 都 数据 資料 记忆 記憶",
    "ja": "すべて 全て 全部 ぜんぶ データ 記憶",
    "ko": "모두 모든 전부 다 데이터 기억",
    "th": "ทุกอย่าง ทั้งหมด ข้อมูล อย่าง",
}
# What else a wish says without naming anything.
TELLING = {
    "en": "fact facts thing things stuff info information regarding concerning know knew told telling mentioned remember remembered saved stored keep kept have has got notes note ever sorry actually oh like want wanted",
    "pl": "o na temat moje moich mnie mi tego tym wiesz mówiłem mówiłam powiedziałem powiedziałam fakt fakty informacje rzeczy",
    "de": "zu zum zur mein meine mir was weißt gesagt erzählt gespeichert hast sache sachen angaben fakt fakten notizen das",
    "es": "que lo de sobre mi mis mí me eso esto la el los las sabes he dicho dije conté contado cosa cosas información acerca a te",
    "fr": "que ce qu sur de du des d la le les l mon ma mes moi ça cela sais j ai dit parlé raconté as retenu enregistré infos informations chose choses",
    "it": "che ti quello ciò su sul sulla di del della la il lo i gli le l mio mia miei mie me sai so ho detto questo cosa cose informazioni",
    "pt": "que o a os as sobre de do da dos das meu minha meus minhas mim isso isto sabes sabe eu disse contei coisa coisas informações",
    "nl": "dat over van de het een mijn me mij dit wat weet heb hebt ik gezegd verteld ding dingen feit",
    "ru": "о об обо про из своей мои моих знаешь помнишь говорил говорила сказал сказала факт факты информацию",
    "uk": "про о що мої мене це те ти знаєш казав казала у мене",
    "tr": "benim hakkımda bildiğin hakkında ilgili ile bunu şunu bu olduğunu olduğumu",
    "ar": "عن ما الذي تعرفه تعرف قلت هذا ذلك عني أن أني لي",
    "zh": "关于 關於 有关 我 你 的 知道 说过 说 告诉 信息 这件事 这个 事情 事 在 从 中 里",
    "ja": "について ことを こと 関する 私 知っている それ これ を の は が に",
    "ko": "아는 것을 것 나에 대해 대한 내 제 그거 이거 을 를 은 는 이 가",
    "th": "ลืม เกี่ยวกับ ของ ฉัน ผม ว่า ที่ คุณ รู้ นี้ นั้น เรื่อง",
}
EXCEPTING = """
except but excluding besides apart oprócz poza außer ausgenommen excepto salvo menos sauf excepté
hormis tranne eccetto exceto behalve кроме окрім крім إلا باستثناء hariç dışında
"""
# After what is excepted.
EXCEPTED_BEFORE = "ausgenommen hariç dışında"
DENSE_EXCEPTING = "除了 以外 除外 빼고 제외하고 ยกเว้น"

# A yes to a question, and what else it may say.
YES = """
yes y yeah yep yup ya yea sure ok okay absolutely definitely certainly tak jasne pewnie dobrze oczywiście poproszę danke dziękuję gracias merci grazie prego спасибо
ja jo jawohl klar sicher genau gerne sí si claro vale oui ouais bien d'accord sim certo va bene jep prima
да ага конечно хорошо так авжеж evet tamam olur نعم أجل
"""
AGREEING = "do it go ahead that this them these those to je je das sie es eso lo le les la esto ça quello dat это их их onları bunu sicher"
DENSE_YES = "是 是的 对 對 好 好的 行 はい うん ええ 네 예 응 그래 ใช่"

# A no to a question, and words of one that all stays.
NO = """
no nope nah not don dont never nie nicht nein nee nö não non нет не ні hayır yok لا كلا stop cancel
anuluj abbrechen déjalo cancela annule annulla отмена boşver vazgeç iptal اتركه
"""
# They say that something stays.
LEAVING = """
leave keep zostaw zachowaj lass lasse behalte behalt deja dejar conserva laisse laissez garde gardez lascia
tieni deixa mantém laat houd behoud оставь оставьте залиш bırak kalsın اترك
"""
STAYING = """
t do it them that all everything as is mind better rather forget nothing anything
jednak lepiej tego je to nic wszystko es sie so alles lieber nicht doch stehen
así mejor nada todo lo tomber pas plutôt tout rien stare meglio niente tutto assim melhor nada tudo
maar niet liever staan надо так лучше ничего всё всё все краще kalsın öyle
"""
DENSE_NO = """
不 不要 不用 算了 别 保留 取消 不了 いいえ いや やめて 結構です そのまま キャンセル 아니요 아니 아뇨 그냥 놔둬 두세요 취소
ไม่ ไม่ต้อง ปล่อยไว้ ยกเลิก
"""

# Before a colon or a quotation they say that another wrote or said it.
REPORTING = """
wrote writes said says texted replied answered quotes forwards schrieb schreibt sagte sagt
antwortete meinte écrit dit répond répondu napisał napisała napisali pisze powiedział
powiedziała mówi odpisał odpisała escribió escribe dijo dice respondió scritto scrive detto
rispose risposto escreveu escreve disse respondeu schreef schrijft zei zegt antwoordde skrev
skriver sade svarade написал написала пишет сказал сказала говорит ответил ответила yazdı
yazıyor dedi steht staat reads napisane написано pone
"""
DENSE_REPORTING = "说|說|写道|寫道|写着|寫著|回复|言った|言って|言いました|書いた|書いて|書きました|書いてある"
# Of the user as the one who says or writes.
FIRST_PERSON = "i ich je j yo ja io eu ik jag я"
# Words of those who speak of themselves.
OF_ONESELF = """
i im m am my ich bin habe nehme mein meine meinem meiner mam jestem biorę mój moja moje je j suis ai mon ma mes
yo soy tengo tomo mi mis io sono ho prendo mio mia eu sou estou tenho meu minha ik ben heb neem mijn я меня мне
мой моя ben benim jag är min mitt
"""
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
# Headers of a mail: who wrote it, and what it is about.
MAIL_FROM = "from von de od da van från fra от kimden 发件人 寄件者 差出人"
MAIL_SUBJECT = """
subject betreff objet temat asunto oggetto onderwerp assunto тема ämne emne konu 主题 主旨 件名
"""
