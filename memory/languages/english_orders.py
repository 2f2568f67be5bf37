"""What orders a model about, in English."""

_ORDERS = (
    r"(?:instruction|prompt|rule|direction|guideline|command|order|"
    r"message|conversation|context)s?"
)
_SENDERS = (
    r"(?!\s+(?:from|of|by)\s+(?:the|his|her|their)\s+(?:lab|laboratory|doctor|hospital"
    r"|clinic|pharmacy|nurse|surgeon|insurer|practice|school)\b)"
)
_START = r"(?:^|[.:;!?\n\"'“][ \t]*)(?:(?:please|and|now|then|just|only),?\s+){0,2}"
_ALWAYS = r"(?:always|never|(?:do not|don['’]t)(?: ever)?|please|only)\s+"
# Orders to a model, from anyone. "Ignore the laboratory's message" is none.
INSTRUCTIONS = (
    (
        rf"(?<!to )\b(?:ignore|disregard|override|bypass|forget)\b(?:\W+\w+){{0,3}}?\W+"
        rf"(?:previous|prior|above|earlier|preceding|foregoing|system|existing)\W+"
        rf"(?:\w+\W+)?{_ORDERS}\b{_SENDERS}"
    ),
    (
        rf"\b(?:ignore|disregard|override|bypass)\b\W+(?:all\W+)?(?:of\W+)?"
        rf"(?:your|my|the|these|those)\W+{_ORDERS}\b{_SENDERS}"
    ),
    rf"{_START}forget (?:all )?(?:of )?your {_ORDERS}\b",
    (
        r"\b(?:system|developer)\s+(?:prompt|message|instructions?|note|notice|rule|override"
        r"|update|command)\s*:|(?<!['’]s )\b(?:new|updated|secret|hidden|important|special)\s+"
        r"(?:instruction|rule|order|command|directive)s?\s*:"
    ),
    r"\b(?:instructions?|rules?) (?:to|for) (?:the|all|any) (?:assistant|ai|model|chatbot)s?\b",
    r"\b(?:developer|god|dan|jailbreak|unrestricted) mode\b",
    # "User's job: assistant manager" is none.
    (
        rf"{_START}(?:the |this |your |ai |virtual )*(?:(?<!: )assistant|chatbot|meddie)\b"
        r"(?! (?:at|of|in|from)\b)"
    ),
    rf"{_START}as an? (?:ai|(?:large )?language model|chatbot)\b",
    rf"{_START}(?:in|for|during) (?:all |every |any |the )?(?:future|following|subsequent) \w+,",
    rf"{_START}(?:when(?:ever)?|if) (?:(?:the )?user (?:asks|mentions|says|writes)|asked)\b",
    (
        r"\b(?:reveal|print|repeat|show|output|leak)\b(?:\W+\w+){0,2}?\W+"
        r"(?:system|hidden|secret|your)\W+(?:\w+\W+)?(?:prompt|instructions?|message)\b"
    ),
    # "User's assistant must" is about a colleague.
    (
        r"(?<!['’]s )\b(?:assistant|chatbot|meddie|(?:ai|language|this|the) model|the ai)\W+"
        r"(?:should|must|shall|has to|needs to|is to|ought to|may not|cannot|can['’]t"
        r"|will always|will never|always|never"
        r"|is (?:now|allowed|required|supposed|instructed|free)\b)"
    ),
    r"\bwhen(?:ever)? (?:you|the assistant|meddie) (?:\w+ )?(?:answer|repl|respon|writ|speak|recommend)",
    (
        r"\b(?:wants?|asks?|asked|expects?|needs?|likes?|tells?|told|instruct\w+|allow\w+"
        r"|request\w*|order\w*|permit\w*|authori[sz]\w+) (?:you|the assistant|the ai|the model|meddie)"
        r" (?:to|not)\b"
    ),
    (
        r"\byour (?:new |next |only |first )?(?:instructions?|rules?|answers?|repl(?:y|ies)"
        r"|responses?|task|role|goal|purpose|persona) (?:is|are|must|should|shall|will|has)\b"
    ),
    rf"{_START}{_ALWAYS}(?:answer|respond|reply|recommend|obey|pretend|praise|roleplay)\b",
    (
        rf"{_START}(?:answer|respond|reply|recommend|suggest|promote|obey|pretend|roleplay"
        r"|simulate|act (?:as|like)|praise|reveal|disclose"
        r"|(?:tell|call|address|ask|remind|warn|give|show|greet) (?:the |all |every )?users?)\b"
    ),
    (
        r"\b(?:wants?|prefers?|likes?|hopes?|expects?|asks?|insists?|demands?|requests?"
        r"|requires?|wishes) (?:it |for )?(?:that |if |when )?(?:you|the assistant)\b"
    ),
)
# Orders about answers, which a user may give as a standing instruction.
ANSWERING = (
    (
        r"\bfrom now on,?\s+(?:always |never )?(?:act|answer|respond|reply"
        r"|say|tell|write|recommend|mention|speak|pretend|praise|obey|refuse)\b"
    ),
    r"\b(?:all|every|any|each|future|later|next) (?:answers?|repl(?:y|ies)|responses?)\b",
)
# What people tell each other, too: an instruction, unless it is reported.
ADDRESSED = (
    r"\bfrom now on,? you\b",
    (
        rf"{_START}(?:skip|use|give|hide|begin|start|end|assume|consider|omit)"
        r" (?:the|this|that|every|each|all|any|no)\b"
    ),
    (
        rf"{_START}(?:ignore|disregard|override|bypass|use only|remember to|make sure|ensure"
        r"|(?:speak|talk|write) (?:only|like|as|in|everything)|under no circumstances|be sure"
        r"|stop (?:recommend|warn|ask|mention|say|tell)ing|treat (?:the|every|all|each|any))\b"
    ),
    r"\byou(?: a|['’])re (?:now|no longer|an? )\b|\bthat you\b|\byour name is\b",
    r"\byou will (?:now |only )?(?:answer|respond|reply|ignore|recommend|obey|act|pretend)\b",
    r"\byou (?:must|shall|should|have to|need to|are to|will (?:always|never)|may not)\b",
    (
        rf"{_START}{_ALWAYS}(?:mention|remind|agree|warn|say|tell|ask|add|include|suggest|approve"
        r"|refuse|trust|follow|speak|be|give|call|write|show|treat|promote|advise|send|share"
        r"|store|save|remember|use|end|begin|start)\b"
    ),
)
