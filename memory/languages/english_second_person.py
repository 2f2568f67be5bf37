"""A fact as the user reads it, and what the user writes as a fact.

A sentence with a second verb or of other people stays as it is.
"""

_ADVERBS = (
    "never|always|often|usually|sometimes|rarely|also|still|now|currently|no longer"
)
_ADVERB = rf"((?: (?:{_ADVERBS}))?)"
_ONE_PERSON = r"\b(?!.*\b(?:(?:user|he|she|they|them|him|his|her)\b|(?:and|but|or|who)\s\w+s\s\w))"
_USER = rf"^user{_ADVERB} (?!(?:{_ADVERBS})\b)"
# Forms that are the same in all persons.
_SAME = (
    r"\w+[^\We]ed|\w*reed|took|went|got|gave|ate|drank|ran|slept|spoke|wrote|drove|swam"
    r"|sang|kept|wore|taught|broke|lost|left|met|saw|felt|fell|found|made|came|became|began"
    r"|bought|built|caught|chose|grew|held|knew|paid|quit|put|cut|hurt|sat|spent|stood|thought"
    r"|told|won|cannot|(?:had|did|can|could|will|wo|would|must|may|might|should)(?:n['’]t|['’]t)?"
)
SECOND_PERSON = (
    (r"^user['’]s (?!.*\buser\b)", "Your "),
    (rf"{_USER}is(n['’]t)?{_ONE_PERSON}", r"You\1 are\2"),
    (rf"{_USER}was(n['’]t)?{_ONE_PERSON}", r"You\1 were\2"),
    (rf"{_USER}has(n['’]t)?{_ONE_PERSON}", r"You\1 have\2"),
    (rf"{_USER}(\w*(?:do|go))es(n['’]t)?{_ONE_PERSON}", r"You\1 \2\3"),
    (rf"{_USER}({_SAME}){_ONE_PERSON}", r"You\1 \2"),
    (rf"{_USER}(\w\w+)ies{_ONE_PERSON}", r"You\1 \2y"),
    (rf"{_USER}(\w+(?:[cs]h|ss|cus|x|z))es{_ONE_PERSON}", r"You\1 \2"),
    (rf"{_USER}(\w+[^\Wsu])s{_ONE_PERSON}", r"You\1 \2"),
    (r"^(You .*)\btheir\b", r"\1your"),
    (r"^(You .*)\bthemselves\b", r"\1yourself"),
)
_OWN = rf"^(?:you|i){_ADVERB}"
_DOING = rf"{_OWN} (?!(?:{_ADVERBS}|and|or|both|all|who)\b)"
_ALONE = r"\b(?!.*\b(?:i|me|mine|you|yours|we|(?-i:us)|ours?)\b)"
AS_FACT = (
    (rf"^(?:your|my){_ALONE} ", "User's "),
    (rf"{_OWN}(?: are| am|['’]re|['’]m)(n['’]t)?{_ALONE}", r"User\1 is\2"),
    (rf"{_OWN} (?:were|was)(n['’]t)?{_ALONE}", r"User\1 was\2"),
    (rf"{_OWN}(?: have|['’]ve)(n['’]t)?{_ALONE}", r"User\1 has\2"),
    (rf"{_DOING}(\w*(?:do|go))(n['’]t)?{_ALONE}", r"User\1 \2es\3"),
    (rf"{_DOING}({_SAME}){_ALONE}", r"User\1 \2"),
    (rf"{_DOING}(\w+[^\Waeiou])y{_ALONE}", r"User\1 \2ies"),
    (rf"{_DOING}(\w+(?:[cs]h|ss|cus|x|z)){_ALONE}", r"User\1 \2es"),
    (rf"{_DOING}(\w+){_ALONE}", r"User\1 \2s"),
    (r"^(User .*)\b(?:your|my)\b", r"\1their"),
    (r"^(User .*)\b(?:yourself|myself)\b", r"\1themselves"),
)
