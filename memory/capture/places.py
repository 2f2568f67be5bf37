"""Places that hold towns: who lives in Poland may also live in Warsaw."""

_WIDE = """
africa america argentina armenia asia australia austria bavaria belarus belgium brazil
britain bulgaria california canada catalonia chile china colombia croatia cyprus czechia
denmark egypt england estonia europe finland florida france georgia germany greece hungary
iceland india indonesia iran iraq ireland israel italy japan kazakhstan kenya korea latvia
lithuania malta mexico moldova morocco nepal netherlands nigeria norway oregon pakistan
peru philippines poland portugal romania russia scotland serbia slovakia slovenia spain
sweden switzerland syria texas thailand tunisia turkey uk ukraine us usa vietnam wales
"""
WIDE = frozenset(_WIDE.split())
TWO_WORDS = ("czech republic", "new zealand", "south africa", "united ", "saudi arabia")
_BEGINNINGS = """
anglii angli austri belgi białorus bułgari chorwacj czech dani estoni europ finlandi
francj grecj hiszpani holandi irlandi islandi kanad litw litwie łotw mazow małopols
niderland niemcz niemiec norwegi pols portugali rosj rumuni słowacj słoweni szkocj szwajcari
szwecj śląsk turcj ukrain usa walii węgr wielkopols wielkiej włosz włoch
австри англи беларус бельги болгари великобритани венгри герман греци дани европ израил
испани итали казахстан канад латви литв молдов нидерланд норвеги польш росси румыни серби
словаки сша турци украин финлянди франци чехи швейцари швеци эстони
"""
BEGINNINGS = tuple(_BEGINNINGS.split())
LONGEST_ENDING = 4


def is_wide(place: str) -> bool:
    """Whether the place is a country or as wide as one, as far as it is listed."""
    name = place.lower().removeprefix("the ")
    inflected = any(
        name.startswith(start) and len(name) - len(start) <= LONGEST_ENDING
        for start in BEGINNINGS
    )
    return name in WIDE or name.startswith(TWO_WORDS) or inflected
