"""English words. Every language module has the same names; `__init__` joins them.

Patterns are regular expressions without flags.
"""

from memory.languages.english_orders import ADDRESSED, ANSWERING, INSTRUCTIONS
from memory.languages.english_second_person import AS_FACT, SECOND_PERSON

__all__ = ["ADDRESSED", "ANSWERING", "AS_FACT", "INSTRUCTIONS", "SECOND_PERSON"]

OF_WOMAN = ()
STOP_WORDS = """
a about after again all also always am an and any anything are aren as at be because been
before being between both but by can could couldn d did didn do does doesn doing don
during each else ever few for from further get give had hadn has hasn have haven having
he her here hers him his how i if in into is isn it its itself just kind know let ll lot
make many may me might mine more most much must my no nor not now of off on once one
only or other our ours out over own please re s same shall she should shouldn so some
something such t tell than that the their theirs them then there these they thing things
this those through to too under until up us ve very want was wasn way we were weren what
when where which while who whom whose why will with won would wouldn yet you your yours
"""
SMALL_TALK = """
hello hi hey hiya thanks thank cheers welcome ok okay yes yeah yep nope bye goodbye good
great nice really quite well say says said see sure lol haha
"""
# Words that do not change what a sentence states.
FILLING = "indeed really actually truly currently now also too just the a an any"
AUXILIARIES = "is are am be been being has have having got do does s"
# Cut off before a prefix search, in this order.
SUFFIXES = "ings ing ies ied ers ed es er ly s y e"
# Endings of one and the same word. No past tense: "worked" is not "works".
ENDINGS = "ing ings es s ies y ic e"

MONTHS = (
    "jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?",
    "aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?",
)  # fmt: skip
WEEKDAYS = (
    "mondays?", "tuesdays?", "wednesdays?", "thursdays?", "fridays?", "saturdays?",
    "sundays?",
)  # fmt: skip
TIMES = """
today yesterday tomorrow morning noon afternoon evening night daily weekly monthly
"""
NUMBERS = """
two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
hundred thousand once twice half double first second third
"""
UNITS = """
kg g mg mcg lb lbs oz l ml dl cl km m cm mm ft iu mmol mol kcal cal bpm percent
kilo kilos kilogram kilograms gram grams milligram milligrams microgram micrograms pound
pounds stone litre litres liter liters metre metres meter meters mile miles feet inch
inches unit units drop drops tablet tablets pill pills capsule capsules puff puffs
second seconds minute minutes hour hours day days week weeks month months year years
time times am pm
"""
NEGATIONS = (
    r"\b(?:no longer|not|no|never|none|nor|neither|without|cannot|stopped|quit|ruled out|g[ai]ven? up|tested negative for)\b", r"n['’]t\b",
)  # fmt: skip
# What a fact may say of what is not eaten, taken or had.
LACKING = (
    r"\b(?:avoid|dislik|hat(?:e|ing)|poor|lack|former|without|free|allerg|intoleran)",
)
# Forms of one negation, and what they are compared as.
NOT = (
    (r"\bcan(?:['’]t|not)\b", "can not"),
    (r"n['’]t\b", " not"),
    (r"\bnever\b", "not"),
)
PAST = """
was were had did former formerly previously used off took ate drank ran slept spoke wrote
drove swam sang kept went wore taught
"""
PAST_FORMS = ()  # patterns; `PAST_ENDINGS` are enough for regular verbs
# An ending is past only where the other sentence has the verb without it.
PAST_ENDINGS = "ed ied"
# A state that has ended; "I was a", "he is a"; what makes a verb a perfect; endings
# of a verb in the present, for languages with PAST_FORMS.
FORMERLY = (r"\b(?:used to|formerly|in the past|back then)\b",)
WAS = "was were"
IS = "am is are m re"
PERFECT = "have has ve having"
PRESENT_ENDINGS = ""
SIDES = "left right upper lower"
# Words that change what a sentence states.
OPPOSITES = """
over under above below until some all only before after more less high low higher better
worse might maybe perhaps probably possibly will would
"""

USER = "user"
RELATIVES = """
mother mothers father fathers parents family husband wife spouse brother sister sibling
son daughter child kid children kids baby friend uncle aunt cousin nephew niece
grandmother grandfather grandma grandpa grandson granddaughter partner girlfriend
boyfriend colleague boss neighbour neighbor dog cat
"""
# Relatives by the word for whom the memory page has headings.
RELATIONS = """
mothers=mother fathers=father spouse=partner kid=child kids=children baby=child
grandma=grandmother grandpa=grandfather
"""
RELATIVE_FORMS = "mom=mother mum=mother dad=father"
FIRST_PERSON = "i my me mine myself we our us"
THIRD_PERSON = "he she they him her his their"
FIRST_PERSON_ENDINGS = ""  # endings by which a verb alone says "I"

# Words of health data, which belong to a person's notes and not to the user's profile.
HEALTH = """
allergy intolerance intolerant diagnosis diagnosed disease illness condition symptom
medicine medication medicament drug pill tablet dose dosage prescription supplement vitamin
vaccine vaccination therapy treatment surgery operation pregnancy pregnant blood diabetes
diabetic asthma cancer depression hypertension weight mg mcg
"""

FORGETTING = (r"\b(?:forget|forgot|delete|remove|erase)",)
# A request not to forget, cut out before requests to forget are looked for.
REMINDER = (r"\b(?:don['’]t|do not|never) forget\w*(?: that)?\W{0,3}",)
# The sentence quotes a statement and calls it wrong.
TAKEN_BACK = (
    r"(?<!me to )\b(?:ignore|disregard|drop|scrap) (?:that|what|the)\b",
    r"\byou (?:keep|always|still) (?:say|think|claim|repeat|mention|writ)\w*",
    (
        r"\b(?:stop|quit|stopped) (?:saying|telling|claiming|repeating|thinking|assuming"
        r"|insisting|mentioning|writing)\b"
    ),
    r"\b(?:wrongly|mistakenly|falsely|incorrectly)\b|\bby mistake\b",
    r"\b(?:wrong|false|untrue|not true|a mistake|a lie) that\b",
    r"\b(?:never|did not|didn['’]t) (?:say|said|tell|told|claim(?:ed)?)\b",
    r"\bi (?:once )?(?:thought|believed)\b",
)
JOINTS = "and but because although though while who whose"
REPORTED = (
    r"\b(?:said|says|wrote|writes|shouted|sang|goes|claims|claimed|told \w+)\s*:",
)
SUPPOSED = (r"\b(?:if|unless) (?:i|my|we|our)\b",)
# A clause that states nothing, unless the fact says so, too.
UNCERTAIN = (
    (
        r"\b(?:if|unless|whether|suppose|supposing|assuming|imagine|maybe|perhaps|almost|nearly|might|would|wouldn['’]t|could|(?:people|everyone|everybody|others) thinks?"
        r"|should|possibly|what if|as if|as though|thinking (?:of|about)|think(?:s)? (?:of|about)"
        r"|considering|dream(?:s|ing|t|ed)?|wish|wishes|hope|hopes|hoping|wants? to|wanna|fantasi[sz]e)\b"
    ),
    r"\b(?:i|you|we|they|he|she)['’]d\b(?! (?:been|had)\b)|\bpretend(?:s|ed|ing)?\b",
)
# From here on a game, a story or a text to work on.
PLAYED = (
    r"\b(?:let['’]s|let us|can we|could we) (?:play|pretend|imagine|role)",
    r"\brole-?\s?play\w*|\b(?:pretend|imagine|picture this)\b(?! my (?:surprise|shock|joy)\b)",
    r"(?:^|\bplease |\byou )(?:act|answer|speak|talk|write) as\b|\bin (?:the|this|my|our) (?:game|story|novel|play|scene|campaign)\b",
    r"(?:^|\bplease |\byou )(?:write|tell|compose|invent|make up|continue|draft)\b.{0,30}\b(?:story|poem|song|novel|scene|dialogue|tale|lyrics|limerick|monologue|script|thriller|essay|bio|letter|character)\b",
    r"(?:^|\bplease |\byou )(?:translate|proofread|paraphrase|rephrase|rewrite|summari[sz]e|correct (?:this|the|my))\b",
    r"\bmy (?:character|hero|heroine|avatar|persona|protagonist)\b|\bi(?:['’]m| am) playing (?:a|an|the)\b|\bplaying (?:a|the) (?:role|part)\b",
)
RESUMED = (
    r"\b(?:anyway|by the way|btw|seriously|in real life|in reality|for real|irl|out of character|jokes? aside|end of (?:game|story|scene)|back to reality)\b",
)
# The sentence and the one before it are no earnest statement.
JOKED = (
    (
        r"\b(?:just|only|totally|obviously|i['’]?m|i was|i am) (?:kidding|joking)\b|\b(?:kidding|joking)\b(?! aside)|\bjust a joke|\bas a joke\b|\bfor a laugh\b"
        r"|\bapril fools?|\bpulling your leg|\bjk\b|\bnot (?:really|for real)\b|\bsarcasm\b"
    ),
)
LAUGHTER = (r"\b(?:ha){2,}h?\b|\b(?:lol|lmao|rofl)\b|[😂🤣😜😝🤪]",)
# Before what a question takes for true; a clause that repeats what was said of another;
# a condition without a comma after it.
PRESUPPOSED = (
    r"\b(?:matters?|problem|safe|ok(?:ay)?|fine|bad|dangerous|normal|mind|wrong|given) that (?=(?:i|my)\b)|\b(?:because|since|although|while) (?=(?:i|my)\b)",
)
LIKEWISE = (
    r"\b(?:so|neither|nor) (?:am|do|did|have|can|was) i\b|\b(?:me|i am|i do|i have) (?:too|neither)\b",
)
CONDITION = (r"if i\b.{2,80}? (?=i\b)|if we\b.{2,80}? (?=we\b)",)
# Words before a name; verbs of a profile fact: "location: Paris".
NAMING = "name names named call calls called nickname known"
STATES = "live work"
WITH = "with"
ASKING = (
    "who what when where why how which whose am is are was were do does did have has had"
    " can could should would will may might shall isn aren don doesn didn"
)
# Who else is spoken of, besides relatives. No doctors: they speak of the user.
PEOPLE = """
roommate flatmate housemate landlord landlady coworker classmate teacher manager client
patient student fiance fiancee ex stepmother stepfather stepson stepdaughter inlaw grandparents
twin twins guy woman man girl boy people someone somebody everyone person employee intern
everybody author singer actor character wives husbands neighbours neighbors friends
colleagues kid grandchild grandchildren hamster horse parrot rabbit
"""

# Words before a colon that open the turn of a role in a prompt.
ROLES = "system assistant developer"
_SAID = (
    r"(?:always )?(?:said|says|told|tells|advised|advises|warned|explained|wrote|ordered"
    r"|recommended|recommends|suggested|asked|insisted)"
)
_PEOPLE = "|".join((*RELATIVES.split(), *RELATIVE_FORMS.replace("=", " ").split()))
# Words of others: "the doctor said", not "User says"; and a motto, a plan or a rule.
REPORTS = (
    rf"\buser['’]s (?:[\w-]+ ){{1,4}}?{_SAID}\b",
    r"\b(?:was|were|been) (?:told|advised|warned)\b",
    (
        rf"\b(?:{_PEOPLE}|doctor|nurse|surgeon|midwife|\w+(?:ist|i[ct]ian)|trainer|clinic"
        rf"|dr\.? [\w-]+) {_SAID}\b"
    ),
    (
        r"\buser['’]s (?:[\w'’-]+ ){0,3}?(?:motto|mantra|plan|goal|rule|resolution|diet)s?"
        r"(?: (?:for|in) (?!you\b)\w+)?\s*(?::[^.!?\n]*)?$"
    ),
)

# What is secret if its value follows.
PASSWORDS = (
    r"\bpass(?:word|code|phrase)s?\b(?! manager)", r"\bpwd\b",
    r"\b(?:api|secret|private) key\b",
)  # fmt: skip
PINS = (
    r"\bpin(?: code| number)?\b", r"\bcv[vc]2?\b", r"\bsecurity code\b",
    r"\b(?:ssn|social security number)\b",
    r"\b(?:credit |debit |bank )?card number\b",
)  # fmt: skip
COPULAS = "is was are"

OVERVIEW = (
    (
        r"what (?:else )?(?:do|did|have|can|does) you (?:\w+ ){0,2}?"
        r"(?:know|remember|learn(?:ed|t)?|stored?|saved?|recall|memori[sz]ed?)"
        r"(?: (?:about|of|on|from) (?:me|us|myself)(?: and (?:my|our) \w+)?)?"
        r"(?: so far| already| now| by now)?"
    ),
    r"tell me (?:something |more )?about (?:me|us|myself)(?: and (?:my|our) \w+)?",
    (
        r"do you (?:know|remember|have) (?:anything|something|much|a lot|things)"
        r" (?:about|on) (?:me|us)"
    ),
    (
        r"what (?:information|facts|notes|data|memories|details|things)"
        r" (?:do|have) you (?:have|know|keep|kept|stored?|saved?)(?: stored| saved)?"
        r" (?:about|on|of) (?:me|us)"
    ),
    (
        r"what (?:did|have) i (?:ever |already )?(?:tell|told|say|said|shared?)"
        r"(?: (?:to |with )?you)?(?: about (?:me|myself))?(?: so far| already| before)?"
    ),
    (
        r"(?:tell|show|give|list)(?: me)? (?:everything|all|what)(?: that)?(?: you)?"
        r" (?:know|remember|have stored|have saved)(?: (?:about|of|on) me)?"
    ),
    (
        r"what(?: do| have)? you(?: ve| have)? (?:got |stored |saved |noted )?(?:know )?"
        r"(?:about|on) me"
    ),
)
# Overview requests that make up the whole message.
OVERVIEW_ALONE = (
    r"who am i", r"summari[sz]e me", r"describe me",
)  # fmt: skip
ABOUT_USER = (r"\b(?:about|of|on|from) (?:me|us|myself)\b",)
AMBIGUOUS_MONTHS = "may march"
# Words that may precede an overview question; others are its topic.
OPENING_WORDS = "so and but now then please just meddie a"
# Words that may follow an overview question.
CLOSING_WORDS = """
please thanks thank you meddie be brief briefly in short as a one by few word words
sentence sentences list
"""
# Words of a message that only says yes. With "forget" it could say "forget it".
CONFIRMING = """
yes yep yeah yup yea sure ok okay please certainly absolutely definitely exactly right
correct agreed confirm confirmed i am have do it go ahead of course that is s all
"""
# Words at the beginning of a sentence that announce another topic.
TOPIC_MARKERS = (
    r"(?:oh,? )?(?:by the way|incidentally)(?=\s*[,:;–—-]+\s*\w|\s+(?:i|i['’]\w+|my|do|does|did|can|could|should|is|are|will|would|have|how|what|when|where|which|who|why)\b)",
    r"(?:oh,? )?btw\b(?=\W+\w)|(?:changing|switching) (?:the )?(?:subjects?|topics?|gears)\b",
    (
        r"(?:ok(?:ay)?,? )?(?:let['’]?s|let us|can we|could we|shall we|i(?:['’]d| would)? (?:want|like) to|i wanna) (?:please )?"
        r"(?:(?:talk|speak|chat) about something (?:else|different)|(?:change|switch) (?:the )?(?:subjects?|topics?)(?! (?:line|of)\b))"
    ),
    r"(?:on|to) (?:a|an)(?:other| different| unrelated) (?:note|topic|subject)\b",
    r"(?:a )?(?:change|switch) of (?:subject|topic)\b|(?:new|different|another|other) (?:topic|subject)(?=\s*[.,:;!–—-]|\s*$)",
    r"(?:now )?(?:for )?something (?:completely|totally) different\b|(?:completely )?(?:unrelated|off[- ]topic)(?=\s*[.,:;–—-])",
)
# Words that name a file.
FILES = (
    r"\b(?:photos?|pictures?|images?|files?|documents?|pdf|scans?|recordings?|attachments?)\b",
)
# Questions about what was said, which need no reply before them.
RECALLING = (
    (
        r"^(?:so |and )?what (?:did|have|had) (?:we|i|you) (?:say|said|discuss(?:ed)?|talk(?:ed)?"
        r"|tell|told|mention(?:ed)?)(?: you| me)? (?:about|on|of) "
    ),
)
