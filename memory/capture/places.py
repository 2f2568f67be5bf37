"""Places that hold towns: who lives in Poland may also live in Warsaw."""

_COUNTRIES = """
afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan
bahamas bahrain bangladesh barbados belarus belgium belize benin bhutan bolivia bosnia
botswana brazil britain brunei bulgaria burundi cambodia cameroon canada chad chile china
colombia congo croatia cuba cyprus czechia denmark ecuador egypt england eritrea estonia
eswatini ethiopia fiji finland france gabon gambia georgia germany ghana greece greenland
grenada guinea guyana haiti holland honduras hungary iceland india indonesia iran iraq
ireland israel italy jamaica japan jordan kazakhstan kenya korea kosovo kuwait kyrgyzstan
laos latvia lebanon lesotho liberia libya liechtenstein lithuania madagascar malawi
malaysia maldives mali malta mauritania mauritius mexico moldova mongolia montenegro
morocco mozambique myanmar namibia nepal netherlands nicaragua niger nigeria norway oman
pakistan palestine paraguay peru philippines poland portugal qatar romania russia rwanda
samoa scotland senegal serbia seychelles slovakia slovenia somalia spain sudan suriname
sweden switzerland syria taiwan tajikistan tanzania thailand togo tunisia turkey türkiye
turkmenistan uae uganda uk ukraine uruguay us usa uzbekistan venezuela vietnam wales yemen
zambia zimbabwe
"""
_REGIONS = """
africa alabama alaska alberta america andalusia aragon arizona arkansas asia asturias
bavaria brandenburg brittany california calabria catalonia colorado connecticut cornwall
corsica crete delaware devon essex europe florida galicia hawaii hesse idaho illinois
indiana iowa kansas kent kentucky lapland lombardy louisiana maine manitoba maryland
massachusetts michigan minnesota mississippi missouri montana nebraska nevada newfoundland
normandy ohio oklahoma ontario oregon pennsylvania piedmont provence puglia queensland
saarland sardinia saskatchewan saxony scandinavia sicily silesia surrey sussex tasmania
tennessee texas thuringia tuscany tyrol umbria utah vermont virginia wisconsin wyoming
yorkshire yucatan
"""
WIDE = frozenset((_COUNTRIES + _REGIONS).split())
TWO_WORDS = (
    "baden-w", "basque country", "british columbia", "burkina faso", "cape verde",
    "central america", "costa rica", "czech republic", "dominican republic", "east ",
    "eastern ", "el salvador", "ivory coast", "latin america", "lower saxony",
    "new hampshire", "new jersey", "new mexico", "new south wales", "new zealand",
    "north ", "northern ", "nova scotia", "papua new guinea", "puerto rico", "rhode island",
    "saudi arabia", "sierra leone", "south ", "southern ", "sri lanka", "united ",
    "upper austria", "west ", "western ",
)  # fmt: skip
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
