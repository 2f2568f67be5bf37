"""English signs of an emergency. Every language module has the same names.

A row is a phrase: `|` separates alternatives, `*` is any ending, `_` a space within an
alternative, `?` makes a word optional, `#` is a number of two digits or more, `$` the end
of the clause, and `...` up to four words without a negation. Accents and case do not
count.
"""

CHEST_PAIN = """
chest ... pain*|pian|hurt*|ach*|tight*|pressure|heav*|burn*|squeez*|discomfort|killing|sitting
pain*|hurt*|ach*|tight*|pressure|weight|heav*|burn*|squeez*|crushing|stabbing|elephant|sitting|parked ... chest|breastbone|sternum
clutch*|grabbing|holding ... chest
middle|centre|center of my|his|her chest
"""
BESIDE_CHEST_PAIN = """
arm*|hand*|jaw*|neck|shoulder*|back ... numb*|tingl*|hurt*|pain*|ach*|weak*|heavy|tight|funny|strange|weird
numb*|tingl*|hurt*|pain*|ach*|weak*|heavy ... arm|arms|hand|hands|jaw|neck|shoulder|shoulders
spread*|radiat*|goes|going|moves|moving|shoot*|down|into|up ... arm|arms|jaw|neck|shoulder|shoulders|back
sweat*|clammy|breathless|faint*|nauseous|nausea|dizzy|light-headed|lightheaded|vomiting
short|shortness of breath
trouble|difficulty|hard ... breathing|breathe
feel|feeling sick|sick_to
throw|throwing|threw up
cold sweat
can't|cannot feel ... arm|arms
"""
"""What makes pain in the chest an emergency when it comes with it."""
HEART_ATTACK = """
having|suffering a? heart attack
this|it's|it_is ... a heart attack
crushing|severe|unbearable|squeezing|excruciating chest pain*
gone|went|going into cardiac arrest
having|have|has chest pain* right? now
collapsed|fell ... not|isn't|can't|cannot responding|breathing|moving|speak|talk|move
"""
STROKE = """
having|just_had|suffering a? mini-stroke|stroke
this|it's|it_is ... a stroke
face|mouth|smile|cheek|eyelid ... droop*|drop*|sag*|hang*|lopsided|crooked|uneven|fallen|twisted|numb
drooping|lopsided|crooked face|mouth|smile
speech ... slur*|garbled|incoherent
slurred|slurring|garbled ... speech|words|talk*|speak*
slurring
speak*|talk*|sound* like|as_if ... drunk
words ... wrong|jumbled|muddled
speech|words doesn't|don't|not make|making sense
suddenly ... confused
arm went weak|limp
arm|leg|side ... ... talk*|speak* gibberish|nonsense|funny|weird|strangely
one|left|right arm|leg ... hangs|hanging|limp
can't|cannot ... speak|talk properly|clearly|normally
can't|cannot ... speak|talk right $
can't|cannot get ... words out
worst headache of|ever
suddenly|sudden ... severe|terrible headache
suddenly|sudden ... numb|numbness|weak|weakness|paralysed|paralyzed|blind
suddenly ... can't|cannot|couldn't ... speak|talk|see|move|lift|raise|feel
can't|cannot move|lift|feel ... side|half
side|half ... numb|weak|paralysed|paralyzed|limp
numb|numbness|weak|weakness|paralysed|paralyzed ... side|half of|is
"""
PAST_ATTACK = """
age|aged #|thirty|forty|fifty|sixty|seventy
"""
BREATHING = """
can't|cannot|couldn't|can_not|can_hardly|can_barely|hardly|barely ... breathe|breathing|breath
can't|cannot ... catch|get ... breath|air
trouble|difficulty|difficulties|struggling|struggles|problems|hard ... breathing|breathe|breath
breathing ... difficult|hard|laboured|labored
gasping|suffocating
having ... asthma attack
struggling|fighting ... air
wheezing badly|heavily|terribly
can't|cannot finish ... sentence|sentences
choking
not|isn't|stopped|aren't|wasn't breathing
turning|turned|going|gone|went blue
lips|face ... blue|purple
severe|sudden|extreme shortness of breath
suddenly|so|very|extremely short of breath
"""
HARMLESS_BREATHING = """
nose
when|whenever|after|while ... run|running|climb|climbing|exercise|exercising|jogging|swimming|stairs
up ... stairs
choking up
so breathing
breathing exercise*
"""
UNCONSCIOUS = """
is|lying|lies|found|fell|knocked|went|still unconscious $
is|lying|lies|found|fell|knocked|went|still unconscious and|on|in|after|since
can't|cannot wake|rouse him|her|them up? $
can't|cannot wake|rouse my|our|the * up? $
isn't|won't waking|wake up? $
is|he's|she's not waking up? $
having|just_had a|an_epileptic|another fit|seizure
having seizures
is|are|started|keeps convulsing
fit|seizure ... won't|isn't|not|doesn't stop*
baby|child|son|daughter|toddler ... is|went|gone|looks ... floppy|limp|lifeless
"""
HARMLESS_UNCONSCIOUS = """
fit of|about|over|because
"""
ANAPHYLAXIS = """
having|in|into ... anaphylaxis|anaphylactic
throat ... closing|closes|tightening|swelling
tongue ... swelling|swells|bigger
"""
SWELLING = """
throat|tongue|lips|lip|face|mouth ... swelling|swollen|swelled|puff*|blowing_up|huge|enormous
swelling|swollen ... throat|tongue|lips|lip|face|mouth
throat ... tight*|funny|strange|weird
hives
"""
REACTION = """
ate|eating|eaten|stung|sting|bitten|nuts|peanut*|shrimp|bee|wasp|penicillin|antibiotic*|injection|allergic|epipen|epi-pen
breathing|breathe|breath|wheez*|swallow|dizzy|faint*
"""
"""What makes a swelling an emergency when it comes with it."""
OVERDOSE = """
overdosed|overdosing
took|taken|taking an overdose
took|taken|swallowed|swallowing ... double|too_many|too_much|bunch_of|loads_of|whole|entire|handful|a_lot ... pill*|tablet*|capsule*|pack*|bottle|box|strip|medication*|medicine*|meds|painkiller*|antidepressant*|paracetamol|ibuprofen|tylenol|xanax|valium|insulin
swallowed|swallowing|necked|downed all ... pill*|tablet*|capsule*|medication*|medicine*|meds
took|taken all ... sleeping
took|taken all ... pill*|tablet*|capsule*|medication*|medicine*|meds|painkiller*|antidepressant* ... at_once|in_one_go|by_mistake|by_accident|the_week|the_month|bottle|the_box|packet|pack|in_the_house|die|dead|kill
took|taken|swallowed|swallowing ... #|ten|fifteen|twenty|thirty|forty|fifty|hundred of? my|his|her|the|those? tablet*|pill*|capsule*|paracetamol|tylenol|ibuprofen|aspirin|sleeping|painkiller*|antidepressant*
child|son|daughter|toddler|baby|kid ... ate|eaten|swallowed ... pill*|tablet*|medication|medicine|meds
child|son|daughter|toddler|baby|kid|boy|girl ... swallowed something
child|son|daughter|toddler|baby|kid|boy|girl ... drank|drunk something ... sink|bottle|cupboard|garage|shed
child|son|daughter|toddler|baby|kid got into ... poison|bleach|pills|tablets|medication|medicine|meds
pills|tablets|capsules|medication|meds ... ... going|want|ready|about to take|swallow them_all|all_of_them
swallowed|drank|drunk|drinking|ate|eaten|ingested ... bleach|antifreeze|detergent|poison|petrol|gasoline|weedkiller|battery|batteries|acid
swallowed|drank|drunk|ate|eaten|ingested ... drain|oven|toilet|cleaning|nail cleaner|fluid|liquid|product*|polish
"""
HARMLESS_OVERDOSE = """
his|her|their|a|one ... vitamin*
"""
BLEEDING = """
won't|doesn't|can't|cannot|isn't|not|will_not stop|stopping ... bleed*|blood
bleed*|blood ... won't|doesn't|isn't|not|will_not|cannot|can't stop*|be_stopped
bleeding ... heavily|badly|profusely|severely|uncontrollably|everywhere|a_lot|out|through
bleeding really|very|so bad|badly|hard|much
heavy|heavily|severe|massive|profuse|uncontrolled|uncontrollable bleed*
blood ... spurt*|gush*|pour*|squirt*|pump*|everywhere|all_over
spurt*|gush*|pour*|squirt* ... blood
losing|lost ... lot|much of? blood
there_is|there's so much blood
cut|severed ... artery
vomit*|cough*|throwing|threw up? blood
blood when|whenever|if ... throw*|vomit*|cough*
"""
HARMLESS_BLEEDING = """
period|periods|menstrua*|gum|gums
"""
SUICIDE = """
kill|killing myself|my_self|himself|herself|themselves
want|wants|wanna|ready|decided|rather to? just? die|be_dead
don't|doesn't|do_not|does_not|no_longer|not want|wants|wish|wanting to ... live|be_alive
don't|doesn't|do_not|does_not|no_longer|not want|wants|wish|wanting to ... be_here|exist|wake_up|go_on anymore|any_more|any_longer|like_this|tomorrow|without_him|without_her? $
end|ending my|his|her|their own? life|lives
end|ending it all
it all to be_over|end
thoughts of|about ending it
take|taking my|his|her own life
suicidal
thought*|think|thinking|thinks|consider|considering|plan|planning|attempt|attempting|commit|committing ... suicide
wish i|he|she|they was|were dead
wish i was|were|had_never_been|was_never born|alive
better off dead|without_me|if_i
no reason|point to|in live|living|going_on|carrying_on
isn't|not worth living
cutting myself
cut|slit|cutting|slitting|slashed my|his|her wrists|veins
going|want|wants|will to? jump off|from|in_front_of|under ... bridge|roof|balcony|building|cliff|window|train
don't|can't|cannot|not see ... reason|point|sense ... live|living
nothing to live for
want|wants|going|urge to hurt|harm|cut myself|himself|herself
scared|afraid ... hurt|harm myself
want|wants|wish|would ... sleep|asleep ... never|not wake
want|wants to disappear|vanish forever
nobody|no_one would|will miss me
self-harm|self-harming
"""
HARMLESS_SUICIDE = """
live in|near|at|with|here|there|abroad|alone|together|apart
rather|sooner die than
"""
SUFFERING = """
pain|agony|misery|fear|hell|suffering|guilt|shame|world|body
like|with this|it|myself
than live|living|go|keep|be
"""
"""What makes a harmless ending of the wish an emergency again."""

FAREWELL = """
won't|will_not be here|around tomorrow|anymore|any_more|much_longer
goodbye|farewell ... everyone|everybody|world|forever
end|ending|finish|finishing it|this|everything tonight|today
"""
DESPAIR = """
pills|tablets|rope|blade|gun
had|have enough $
can't|cannot do|take|stand|bear this|it|life anymore|any_more|any_longer
can't|cannot go|carry on
hopeless|worthless|burden
goodbye|suicide|farewell letter|letters|note|notes
"""
"""What makes a farewell a wish to die."""

NO_WORDS = """
no|not|never|without|nor|neither|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|haven't|hasn't|hadn't|won't|couldn't
"""
FILLING = """
longer|have|having|has|had|feel|feeling|get|got|getting|any|more|the|a|an|really|been|ever|in|my|his|her|severe|sudden|going|want|wanting|wanted|planning|about|to|of|signs|symptoms|thinking
"""
"""Words that may stand between a negation and the sign that it denies."""
ASIDE = """
died|dies of|from|after|when|in
passed away
survived
asked|asks|asking whether|if|about
what are|is|were ... symptoms|signs|causes|difference|treatment
what causes|happens
how do|can|should|would|does you|one|we|people|they|someone|it
how to
if|when|whenever|that someone|somebody|anyone|a|one|people|you
do|does|can|could|may|did|will ... cause|causes
do|does|can|could|may|did|will ... lead|mean|indicate
do|does|can|could|may|did|will ... ... cause|mean|indicate
is|are ... ... always|usually|necessarily|typical|normal
side effect|effects
risk|history|fear|afraid|scared of
used to have|be|get
pain|it|bleeding is|has gone|stopped|passed|eased
die|died|dying of|from|laughing|for
die|dye my|her|his hair
laugh*
so|too funny|hilarious
joke*
first aid
dentist|anaesthetic|anesthetic
"""
"""A clause that speaks of something else: a death, a question in general, an idiom."""
LONG_AGO = """
last year|month|summer|winter|spring|autumn|fall|christmas|decade
year|years|months|decades ago
in 19*|20*
in the eighties|nineties|80s|90s
denies|denied any? chest|pain|shortness|dyspnoea|dyspnea|bleeding|self-harm|suicid*
negative for
common|possible|rare|serious side effects
side effects include|are|may
when|since i|he|she|they was|were a|little|young|small|born|pregnant|#
as a child|kid|teenager|baby|student
since childhood|birth
in the|a|this|that|my|every|one film|movie|novel|book|series|episode|song|game|story|show|dream|course|first-aid
film|movie|novel|book|series|episode|song|documentary|article|lecture|course|essay|scene is|was? about|on|where|called|says
read|reading|watched|watching|saw|heard|wrote|writing|learned|learnt ... article|articles|film|movie|documentary|series|book|about
"""
"""Another time or a story; at the start of a clause it covers those that follow."""
HABIT = """
if|when|whenever|time|once|after i|we|he|she|they|it|my ... eat|eats|drink|drinks|touch|touches|try|tries
if|when|whenever|time ... take|takes my|the|an? penicillin|amoxicillin|antibiotic*|aspirin|ibuprofen|medicine*|medication*
if|when|whenever|time ... am|is|are|get|gets stung|bitten
get|gets ... hives ... from|to|if|when|whenever|time
give|gives me|him|her|us ... hives
cause|causes ... hives
"""
"""A reaction that recurs; the clauses after it are about it, too."""
NOW = """
now|again|today|tonight|currently|still|just|suddenly
is|are|am closing|swelling|tightening|getting
"""
JOINTS = "but|and now|and i"

MEDICAL_NOTE = """\
**This may be an emergency. Call {number} now**, or ask someone near you to call. Do not \
wait for an answer here, and do not drive yourself."""
CRISIS_NOTE = """\
**You do not have to go through this alone. If you are in danger, call \
{number} now.**"""
SUPPORT_NOTE = "You can also talk to someone for free: {lines}."
LINES = "{adults} for adults, {minors} for children and teenagers, day and night"
LOCAL_NUMBER = "112 (US 911, UK 999)"
LOCAL_LINES = "US 988, UK 116 123, day and night; other countries at findahelpline.com"
