"""A fact's first words as the user reads them.

A sentence with a second verb or of other people stays as it is.
"""

_ONE_PERSON = (
    r"(?!.*\b(?:user|he|she|they|them|him|his|her|(?:and|but|or|who)\s\w+s\s\w))"
)
SECOND_PERSON = (
    (r"^user['’]s (?!.*\buser\b)", "Your "),
    (rf"^user is (?:now )?{_ONE_PERSON}", "You are "),
    (rf"^user was {_ONE_PERSON}", "You were "),
    (rf"^user has {_ONE_PERSON}", "You have "),
    (rf"^user (do|go)es(n['’]t)? {_ONE_PERSON}", r"You \1\2 "),
    (
        rf"^user (never|always|often|usually|sometimes) (\w+[^\Wsu])s {_ONE_PERSON}",
        r"You \1 \2 ",
    ),
    (rf"^user (\w+)ies {_ONE_PERSON}", r"You \1y "),
    (rf"^user (\w+(?:[cs]h|ss|x|z))es {_ONE_PERSON}", r"You \1 "),
    (rf"^user (?!always|sometimes)(\w+[^\Wsu])s {_ONE_PERSON}", r"You \1 "),
    (
        rf"^user (\w+ed|had|did|took|went|can|cannot|can['’]t|will|would|must) {_ONE_PERSON}",
        r"You \1 ",
    ),
    (r"^(You .*)\btheir\b", r"\1your"),
)
