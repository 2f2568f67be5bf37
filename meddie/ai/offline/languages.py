"""English, Polish and Russian patterns, matched at the start of a clause."""

_VERB = "live|work|take|like|love|hate|prefer|enjoy|avoid|eat|drink|smoke|sleep|run|play|speak|weigh|suffer|use|own|keep|sing|swim|walk|cook|drive|write|cycle"
_OBJECT = r"\b(?! (?:it|this|that|these|those|you|your|him|her|them|how|what|not)\b)"
_STATE = (
    r"(?:(?:not|so|very|really|just|still) )*(?:sorry|sure|fine|ok|okay|good|great|well|tired|hungry|thirsty|bored"
    r"|happy|sad|glad|afraid|curious|ready|here|back|done|late|busy|worried|sick|ill|cold|hot|home|about|in|at|to"
    r"|like|on (?:holiday|vacation|my)|(?!living|working|taking)\w+ing)\b|not$"
)
_THING = (
    r"(?:to|it|this|that|time|questions?|fever|(?:an?|some|the|another|no) (?:\w+ )?(?:idea|question|headache|cold"
    r"|fever|problem|feeling|minute|time|clue))\b"
)
_HARM = r"(?:rash|hives|headaches?|migraines?|heartburn|cramps|nausea)"
_CAPITAL = r"(?-i:[^\W\d_a-zа-яёąćęłńóśźż])[\w'-]*"
NAME = rf"({_CAPITAL}(?: {_CAPITAL}){{0,2}})"
# From a lasting statement in the first person to a fact.
FRAMES = {
    r"i(?:m| am|'m| are) (\d{1,3})(?: years old)?(?: now)?$": r"User is \1 years old",
    r"i(?:m| am|'m|'re) (trying to (?:lose|gain|quit|stop|cut|eat|sleep|drink|get|have)\b.+)": r"User is \1",
    rf"i(?:m| am|'m|'re| are(?! \w+s$)) (?!{_STATE})(.+)": r"User is \1",
    rf"i(?: ha|')ve (?:got )?(?!{_THING})(.+)": r"User has \1",
    rf"i (?:do not|don't) ((?:have (?!{_THING})|(?:{_VERB}){_OBJECT}).*)": r"User does not \1",
    rf"i (?:cannot|can't) ((?:tolerate|stand|{_VERB}){_OBJECT}.*)": r"User cannot \1",
    rf"(.+?) (?:gives? me|brings? me out in) ((?:\w+ ){{0,2}}{_HARM}\b.*)": r"User gets \2 from \1",
    r"my (?:gp|doctor|\w+ist) (?:has )?(put|started) me on (.+)": r"User was \1 on \2",
    r"there(?:'s| is) (?:a (?:lot|history) of )?(.+ (?:on|in) my (?:family|\w+'s side).*)": r"User's family has \1",
    r"i (live|work) (.+) now$": r"User now \1s \2",
    r"i ((?:(?:never|always|usually|often|no longer|also|still|now|currently) )?"
    rf"(?:{_VERB}))({_OBJECT}.*)": r"User \1s\2",
    r"i ((?:was (?:born|diagnosed)|moved|broke|stopped|quit|gave up|used to|had .*\b(?:surgery|operation|stroke"
    r"|heart attack|cancer))\b.*)": r"User \1",
    r"my ((?!blood (?!type)|question|problem|head |stomach)(?:[\w'-]+ ){1,4}?(?:is|are|was|has|have|had|lives?"
    r"|works?|takes?|likes?|died|smokes?)\b.+)": r"User's \1",
    rf"(?:you (?:can|may) )?call me {NAME}$": r"User wants to be called \1",
    rf"((?:mów (?:mi|do mnie)|nazywaj mnie) {NAME})$": r"Użytkownik mówi: „\1”",
    rf"((?:зови(?:те)?|называй(?:те)?) меня {NAME})$": r"Пользователь говорит: «\1»",
    r"((?:(?:ja|nie|już|teraz|też|od \w+) )*(?:jestem|mam|mieszkam|pracuję|biorę|lubię|przyjmuję|zażywam|wolę"
    r"|kocham|nienawidzę|unikam|jem|piję|palę|choruję|cierpię|nazywam|urodził[ae]m)\b.*|(?:mój|moja"
    r"|moje) (?:\w+ ){1,3}?(?:ma|jest|to|miała?|choruje|cierpi|bierze|mieszka|pracuje|zmarła?)\b.+)": r"Użytkownik mówi: „\1”",
    r"((?:(?:я|не|уже|теперь|сейчас) )*(?:у меня|меня зовут|мне \d+|живу|работаю|люблю|принимаю|ненавижу"
    r"|предпочитаю|ем|пью|курю|болею|страдаю|родил(?:ся|ась)|аллергик|веган|вегетариан\w+|диабетик)\b.*"
    r"|(?:у )?мо\w{1,2} (?:мам|пап|мать|отц|отец|брат|сестр|жен|муж|сын|доч|баб|дед|врач)\w* .+)": r"Пользователь говорит: «\1»",
}
# From a fact with its value to the category and key of a profile fact.
_SAYS = r"(?:Użytkownik mówi: „|Пользователь говорит: «)(?:(?:ja|teraz|я|теперь) )*"
PROFILE = {
    rf"(?:User's name is(?: now)?|{_SAYS}(?:mam na imię|nazywam się|меня (?:теперь )?зовут)) {NAME}": ("identity", "name"),
    rf"(?:User wants to be called|{_SAYS}(?:mów (?:mi|do mnie)|nazywaj mnie|(?:зови|называй)(?:те)? меня)) {NAME}": ("identity", "nickname"),
    rf"(?:User (?:prefer|like)s|{_SAYS}(?:wolę|lubię|предпочитаю|люблю)) ((?:\w+ ){{1,3}}"
    r"(?:answers|replies|odpowiedzi|ответы))": ("instruction", "answer_style"),
}  # fmt: skip
SECOND_PERSON = {
    r"^User's ": "Your ", r"^User is ": "You are ", r"^User was ": "You were ", r"^User has ": "You have ",
    r"^User does ": "You do ", r"^User ((?:(?:no longer|never|always|usually|often|also|still|now) )?\w+[^s])s ": r"You \1 ",
    r"^User ": "You ", r"^(?:Użytkownik mówi|Пользователь говорит): ([„«].*[”»])$": r"\1",
    r"\b(?:they|them)\b": "you", r"\btheir\b": "your", r"^Użytkowni(?:k|czka) ((?:nie )?jest)\b": r"\1eś",
    r"^Użytkowni(?:k|czka) ((?:nie )?\w+(?<!ł)[aeiy])\b": r"\1sz",
}  # fmt: skip
PASSING = (
    r".*\b(?:today|yesterday|tomorrow|tonight|at the moment|(?:this|last|next) (?:morning|evening|night|week)"
    r"|since \w+day|dziś|dzisiaj|wczoraj|jutro|mam (?:pytanie|problem|nadzieję|ochotę|katar|gorączkę|się|czasu)"
    r"|lubię to|jestem (?:bardzo )?(?:zmęcz\w+|głod\w+|pew\w+|gotow\w+|w|na|u)|сегодня|вчера|завтра|тебя|вас"
    r"|у меня (?:есть )?(?:вопрос|проблема|температура|идея))\b|(?!.*(?:\blive|\bwork|\d|mieszkam|pracuję|живу"
    r"|работаю|name is|nazywam|зовут)).*\b(?:now|teraz|сейчас)\b"
)
JOINT = (  # between two clauses
    r"(?:,| and| but|, and|, but) (?:please )?(?=(?:i|i'm|i've|my|we|they|call)\b)|(?:,|,? (?:a|i|oraz"
    r"|ale)) (?=(?:mój|moja|moje|ja|mam|mieszkam|mów|jestem|nie \w+[mę]|\w+ę)\b)|(?:,|,? (?:и|а|но)) (?=(?:я|у меня"
    r"|мо[йяеёи]|у мо\w+|мне|меня|зови(?:те)?)\b)"
)
_OTHER = r"my ((?:(?:older|younger|twin) )?[\w'-]+)"
BOTH = rf"(?:(?:i|me) and {_OTHER}|{_OTHER} and i)\b"
OPENING = (
    r"^(?:(?:hi|hello|hey|well|so|also|oh|ok|yes|no|and|but|both|actually|please|meddie|remember|that|by the way"
    r"|cześć|hej|tak|więc|zapamiętaj|pamiętaj|proszę|że|привет|да|запомни|пожалуйста|что)\b[ ,:!-]*)+"
)
EMOJI = "[\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff]"
STARTS = {r"^we\b": "I", r"^(?=(?:dad|mum|mom|grandad|grandpa|grandma|granny)\b)": "my "}  # fmt: skip
ASKS = (
    r"\?|(?:^|[.!…] +)(?:(?:please|hi|hello|meddie)\b,? )*(?:what|which|who|how|when|where|why|can|could|may|shall"
    r"|should|would|do|does|did|is|are|am|have|has|tell|show|list|give|help|recommend|suggest|explain|czy|co|jak\w*"
    r"|kto|gdzie|kiedy|dlaczego|ile|powiedz|pokaż|poleć|что|как\w*|кто|где|когда|почему|сколько|можно|расскажи)\b"
)
NOT_SAID = r"(?:if|suppose|maybe|perhaps|when|jeśli|jeżeli|gdy\w*|если|когда)\b|.*\""
# Games, jokes, texts to work on and secrets: such a message has no facts.
NOT_MEANT = (
    r"\b(?:let'?s (?:play|pretend|imagine|say)|pretend|imagine|role.?play\w*|act as|kidding|joking|jokes?|haha|lol"
    r"|you are (?:now )?an?|translate|write (?:an?|me)|zagrajmy|pobawmy|udawaj\w*|wyobraź|na niby|żart\w*"
    r"|odgryw\w+|давай(?:те)? (?:поиграем|сыграем|представим)|представь\w*|шучу|шутк\w+|pass(?:word|code|phrase)s?"
    r"|pin|cvv|secret|hasł\w+|парол\w*|пин\w*)\b|[;:]-?\)|[😂🤣😜😉]|(?:\d[ -]?){12}"
)
FORGET = (
    r"(?:(?:can|could) you )?(?:forget|(?:stop|don't|do not) remember(?:ing)?|delete|erase|zapomnij|usuń|забудь"
    r"|забудьте|удали)\b[ ,]*(?:(?:that|about|że|o|proszę|что|про|обо?)\b[ ,]*)*(?P<what>.*)"
)
EVERYTHING = (
    r"(?=.*\b(?:all|everything|my memories|know|wszystk\w+|wiesz|всё|все|знаешь)\b)(?:(?:me|all|everything"
    r"|my memories|what|that|about|you|i|know|remember|said|told|wszystk\w+|mnie|o|co|wiesz|всё|все|обо|мне|что"
    r"|знаешь|please|proszę)\b[ ,!]*)*"
)
YES = r"(?:yes|tak|да)\b(?:[ ,.!]*(?:please|forget everything|proszę|пожалуйста))*"
POLISH = r"\b(?:tak|zapomnij|mam|jestem|mnie|mi|na|czy|co|o|w|z|jak|jest|od|nie|hej)\b|\b\w*[ąćęłńóśźż]\w*"
ENGLISH = r"\b(?:i|i'm|my|me|you|the|an|is|are|do|what|how|can|have|of|for|with|to)\b"
