"""English, Polish and Russian patterns, matched at the start of a clause."""

_VERB = (
    "live|work|take|like|love|hate|prefer|enjoy|avoid|eat|drink|smoke|sleep|run|play|speak"
    "|weigh|suffer|use|own|keep|sing|swim|walk|cook|drive|write|cycle"
)
_OBJECT = r"\b(?! (?:it|this|that|these|those|you|your|him|her|them|how|what|not)\b)"
_STATE = (
    r"(?:(?:not|so|very|really|just|still) )*(?:sorry|sure|fine|ok|okay|good|great|well"
    r"|tired|hungry|thirsty|bored|happy|sad|glad|afraid|curious|ready|here|back|done|late"
    r"|busy|worried|sick|ill|cold|hot|home|about|in|at|to|like|on (?:holiday|vacation|my)"
    r"|(?!living|working|taking)\w+ing)\b|not$"
)
_THING = (
    r"(?:to|it|this|that|time|questions?|fever|(?:an?|some|the|another|no) (?:\w+ )?(?:idea"
    r"|question|headache|cold|fever|problem|feeling|minute|time|clue))\b"
)
_CAPITAL = r"(?-i:[^\W\d_a-zа-яёąćęłńóśźż])[\w'-]*"
NAME = rf"({_CAPITAL}(?: {_CAPITAL}){{0,2}})"
# From a lasting statement in the first person to a fact.
FRAMES = {
    r"i(?:m| am|'m| are) (\d{1,3})(?: years old)?(?: now)?$": r"User is \1 years old",
    rf"i(?:m| am|'m| are(?! \w+s$)) (?!{_STATE})(.+)": r"User is \1",
    rf"i(?: ha|')ve (?:got )?(?!{_THING})(.+)": r"User has \1",
    rf"i (?:do not|don't) ((?:have (?!{_THING})|(?:{_VERB}){_OBJECT}).*)": r"User does not \1",
    rf"i (?:cannot|can't) ((?:tolerate|{_VERB}){_OBJECT}.*)": r"User cannot \1",
    r"i (live|work) (.+) now$": r"User now \1s \2",
    r"i ((?:(?:never|always|usually|often|no longer|also|still|now|currently) )?"
    rf"(?:{_VERB}))({_OBJECT}.*)": r"User \1s\2",
    r"i ((?:was (?:born|diagnosed)|moved|broke|stopped|quit|used to"
    r"|had .*\b(?:surgery|operation|stroke|heart attack|cancer))\b.*)": r"User \1",
    r"my ((?!blood (?!type)|question|problem|head |stomach)(?:[\w'-]+ ){1,4}?(?:is|are|was"
    r"|has|have|had|lives?|works?|takes?|likes?|died|smokes?)\b.+)": r"User's \1",
    rf"(?:you (?:can|may) )?call me {NAME}$": r"User wants to be called \1",
    rf"((?:mów (?:mi|do mnie)|nazywaj mnie) {NAME})$": r"Użytkownik mówi: „\1”",
    rf"((?:зови(?:те)?|называй(?:те)?) меня {NAME})$": r"Пользователь говорит: «\1»",
    r"((?:(?:ja|nie|już|teraz|też|od \w+) )*(?:jestem|mam|mieszkam|pracuję|biorę|lubię"
    r"|przyjmuję|zażywam|wolę|kocham|nienawidzę|unikam|jem|piję|palę|choruję|cierpię"
    r"|nazywam|urodził[ae]m)\b.*|(?:mój|moja|moje) (?:\w+ ){1,3}?(?:ma|jest|to|miała?"
    r"|choruje|cierpi|bierze|mieszka|pracuje|zmarła?)\b.+)": r"Użytkownik mówi: „\1”",
    r"((?:(?:я|не|уже|теперь|сейчас) )*(?:у меня|меня зовут|мне \d+|живу|работаю|люблю"
    r"|принимаю|ненавижу|предпочитаю|ем|пью|курю|болею|страдаю|родил(?:ся|ась)|аллергик"
    r"|веган|вегетариан\w+|диабетик)\b.*|(?:у )?мо\w{1,2} (?:мам|пап|мать|отц|отец|брат"
    r"|сестр|жен|муж|сын|доч|баб|дед|врач)\w* .+)": r"Пользователь говорит: «\1»",
}
# From a fact with its value to the category and key of a profile fact.
_SAYS = r"(?:Użytkownik mówi: „|Пользователь говорит: «)(?:(?:ja|teraz|я|теперь) )*"
PROFILE = {
    rf"(?:User's name is(?: now)?|{_SAYS}(?:mam na imię|nazywam się"
    rf"|меня (?:теперь )?зовут)) {NAME}": ("identity", "name"),
    rf"(?:User wants to be called|{_SAYS}(?:mów (?:mi|do mnie)|nazywaj mnie"
    rf"|(?:зови|называй)(?:те)? меня)) {NAME}": ("identity", "nickname"),
    rf"(?:User (?:prefer|like)s|{_SAYS}(?:wolę|lubię|предпочитаю|люблю)) ((?:\w+ ){{1,3}}"
    r"(?:answers|replies|odpowiedzi|ответы))": ("instruction", "answer_style"),
}
SECOND_PERSON = {
    "User's ": "Your ", "User is ": "You are ", "User has ": "You have ",
    r"User (\w+[^s])s ": r"You \1 ",
}  # fmt: skip
PASSING = (
    r".*\b(?:today|yesterday|tomorrow|tonight|at the moment|(?:this|last|next) (?:morning"
    r"|evening|night|week)|dziś|dzisiaj|wczoraj|jutro|mam (?:pytanie|problem|nadzieję|ochotę"
    r"|katar|gorączkę|się|czasu)|lubię to|jestem (?:bardzo )?(?:zmęcz\w+|głod\w+|pew\w+|gotow\w+|w|na"
    r"|u)|сегодня|вчера|завтра|тебя|вас|у меня (?:есть )?(?:вопрос|проблема|температура"
    r"|идея))\b|(?!.*(?:\blive|\bwork|\d|mieszkam|pracuję|живу|работаю|name is|nazywam|зовут))"
    r".*\b(?:now|teraz|сейчас)\b"
)
# Between two clauses.
JOINT = (
    r"(?:,| and| but|, and|, but) (?:please )?(?=(?:i|i'm|i've|my|we|they|call)\b)"
    r"|(?:,|,? (?:a|i|oraz|ale)) (?=(?:mój|moja|moje|ja|mam|mów|jestem|nie \w+[mę]|\w+ę)\b)"
    r"|(?:,|,? (?:и|а|но)) (?=(?:я|у меня|мо[йяеёи]|у мо\w+|мне|меня|зови(?:те)?)\b)"
)
_OTHER = r"my ((?:(?:older|younger|twin) )?[\w'-]+)"
BOTH = rf"(?:(?:i|me) and {_OTHER}|{_OTHER} and i)\b"
OPENING = (
    r"^(?:(?:hi|hello|hey|well|so|also|oh|ok|yes|no|and|but|both|actually|please|meddie|remember"
    r"|that|by the way|cześć|hej|tak|więc|zapamiętaj|pamiętaj|proszę|że|привет|да|запомни"
    r"|пожалуйста|что)\b[ ,:!-]*)+"
)
NOT_SAID = r"(?:if|suppose|maybe|perhaps|when|jeśli|jeżeli|gdy\w*|если|когда)\b|.*\""
# Games, jokes, texts to work on and secrets: such a message has no facts.
NOT_MEANT = (
    r"\b(?:let'?s (?:play|pretend|imagine|say)|pretend|imagine|role.?play\w*|act as|kidding"
    r"|joking|jokes?|haha|lol|you are (?:now )?an?|translate|write (?:an?|me)|zagrajmy"
    r"|pobawmy|udawaj\w*|wyobraź|na niby|żart\w*|odgryw\w+|давай(?:те)? (?:поиграем|сыграем"
    r"|представим)|представь\w*|шучу|шутк\w+|pass(?:word|code|phrase)s?|pin|cvv|secret"
    r"|hasł\w+|парол\w*|пин\w*)\b|[;:]-?\)|[😂🤣😜😉]|(?:\d[ -]?){12}"
)
FORGET = (
    r"(?:(?:can|could) you )?(?:forget|(?:stop|don't|do not) remember(?:ing)?|delete|erase"
    r"|zapomnij|usuń|забудь|забудьте|удали)\b[ ,]*"
    r"(?:(?:that|about|że|o|proszę|что|про|обо?)\b[ ,]*)*(?P<what>.*)"
)
EVERYTHING = (
    r"(?=.*\b(?:all|everything|my memories|know|wszystk\w+|wiesz|всё|все|знаешь)\b)"
    r"(?:(?:me|all|everything|my memories|what|that|about|you|i|know|remember|said|told"
    r"|wszystk\w+|mnie|o|co|wiesz|всё|все|обо|мне|что|знаешь|please|proszę)\b[ ,!]*)*"
)
YES = r"(?:yes|tak|да)\b(?:[ ,.!]*(?:please|forget everything|proszę|пожалуйста))*"
POLISH = r"\b(?:tak|zapomnij|mam|jestem|mnie|mi|na|czy|co|o|w|z|jak|jest|od|nie|hej)\b|\b\w*[ąćęłńóśźż]\w*"
ENGLISH = r"\b(?:i|i'm|my|me|you|the|an|is|are|do|what|how|can|have|of|for|with|to)\b"
