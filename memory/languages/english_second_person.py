"""A fact's first words as the user reads them.

A sentence with a second verb or of other people stays as it is.
"""

_ONE_PERSON = r"\b(?!.*\b(?:(?:user|he|she|they|them|him|his|her)\b|(?:and|but|or|who)\s\w+s\s\w))"
SECOND_PERSON = (
    (r"^user['’]s (?!.*\buser\b)", "Your "),
    (rf"^user is(n['’]t)?{_ONE_PERSON}", r"You are\1"),
    (rf"^user was(n['’]t)?{_ONE_PERSON}", r"You were\1"),
    (rf"^user has(n['’]t)?{_ONE_PERSON}", r"You have\1"),
    (rf"^user (do|go)es(n['’]t)?{_ONE_PERSON}", r"You \1\2"),
    (
        rf"^user (never|always|often|usually|sometimes|also|no longer) (\w+[^\Wsu])s{_ONE_PERSON}",
        r"You \1 \2",
    ),
    (rf"^user (\w+)ies{_ONE_PERSON}", r"You \1y"),
    (rf"^user (\w+(?:[cs]h|ss|x|z))es{_ONE_PERSON}", r"You \1"),
    (rf"^user (?!always|sometimes)(\w+[^\Wsu])s{_ONE_PERSON}", r"You \1"),
    (
        rf"^user (\w+ed|had|did|took|went|can|cannot|can['’]t|will|would|must){_ONE_PERSON}",
        r"You \1",
    ),
    (r"^(You .*)\btheir\b", r"\1your"),
)
