"""Polish signs of an emergency; english.py explains the rows."""

CHEST_PAIN = """
ból|bólu|boli|bóle|bolało ... klatce|klatka|klatkę|klatki|piersi|piersiach|mostkiem|serce|sercu|serca
ucisk|uciska|ściska|ściskanie|gniecie|piecze|pieczenie|pali|kłuje|ciężar|rozpiera|dusi ... klatce|klatkę|klatka|piersi|piersiach|mostkiem|serce|sercu
klatka|klatce|piersi|mostkiem|serce ... boli|ból|ściska|piecze|pali|gniecie|kłuje|uciska
siedzi*|siedział* ... klatce
trzyma*|łapie|złapał* się za klatkę|pierś|serce
"""
BESIDE_CHEST_PAIN = """
promieni*
dręt*|zdręt*|mrow*|cierpn*|bol*|ból|słab*|ciężk*|idzie|przechodzi|schodzi|rozchodzi ... ręk*|ręce|rąk|rami*|bark*|żuchw*|szczę*|szyi|szyję|plec*
ręk*|ręce|rami*|bark*|żuchw*|szczę*|szyja|plec* ... ołow*|dręt*|zdręt*|mrow*|cierpn*|boli|bolą|słab*|ciężk*
poc* się
się poci|pocę
zimny*|zlan*|oblan*|mokr* ... potem|pot|poty
spocon*|poty|duszno|duszność|duszności|nudności|niedobrze|mdli|wymiotuje|wymiotuję
słabo mi|mu|jej
trudno|ciężko ... oddych*
kręci ... głowie
zawroty głowy
"""
HEART_ATTACK = """
mam|ma|mieć|masz|chyba|może|dostaje|dostaję ... zawał|zawału
to|to_jest|to_chyba|to_może_być zawał*
silny|ostry|nagły|straszny|okropny|potworny|miażdżący|rozdzierający ból w|serca|za klatce|piersi|mostkiem
"""
STROKE = """
mam|ma|mieć|chyba|dostaje ... udar|udaru
to|to_jest|to_chyba|to_może_być udar*
kącik*|twarz*|usta|ust|powiek*|policz*|buzi* ... opad*|wykrzyw*|zdrętw*|drętw*|krzyw*
opad*|wykrzyw*|zdrętw*|drętw*|krzyw* ... kącik*|twarz*|usta|powiek*|policz*|buzi*
bełko*
mówi*|mowa|mowę ... niewyraźn*|bełkotliw*
niewyraźn* ... mówi*|mowa|mowę
plącze ... język
mówi* od rzeczy
powłóczy nogą
mówi* jak pijan*
krzywo się? uśmiecha
przewrócił*|upadł*|zemdlał*|zasłab*|przytomność ... nie może|mówi|reaguje|rusza|oddycha
najgorszy ból głowy
nagle|nagły|nagłe ... drętw*|zdrętw*|osłab*|niedowład*|sparaliż*|bezwładn*|oślep*
nagle ... przestał* mówić|widzieć|ruszać
nagle nie ... mówić|ruszać|ruszyć|podnieść|widzę|widzi
stron*|połow* ... nie rusza*|czuj*
nie rusza*|czuj* ... stron*|połow*
stron*|połow* ... drętw*|zdrętw*|słab*|bezwładn*|sparaliż*
drętw*|zdrętw*|bezwładn*|sparaliż*|niedowład* ... stron*|połow*
"""
PAST_ATTACK = """
za sobą
w wieku
mając # lat
"""
BREATHING = """
nie mogę|może|możemy|mogła|mógł|umiem ... oddych*|odetchnąć|oddechu
niemogę ... oddych*|odetchnąć|oddechu|tchu|powietrza
nie mogę|może|mogła|mógł ... tchu|powietrza
trudno|ciężko ... oddych*
trudności|problem|problemy z|w|ze oddych*
duszę|dusi|dusimy się
się duszę|dusi|dławi
duszność|duszności
brak|brakuje ... tchu|powietrza
nie|przestał|przestała|przestaje oddycha|oddychać
zadławi*
atak astmy
dławi|dławię się
sinieje|siny|sina
sine|niebieskie ... usta|wargi
"""
HARMLESS_BREATHING = """
nos|nosem|katar|kataru
schod*|biegam|biegania|bieganiu|wysiłku|treningu|ćwicz*
"""
UNCONSCIOUS = """
jest|leży|nadal|wciąż|ciągle nieprzytomn*
nie mogę|możemy|da|daje ... dobudzić|ocucić
nie mogę|możemy ... obudzić $
nie budzi|wybudza się $
ma|dostał*|dostaje ... drgawki|drgawek|atak_padaczki|ataku_padaczki
drgawki|drgawek|padaczki ... nie ustają|ustaje|ustępują|mijają|mija|przechodzi|przechodzą
dziecko|niemowlę|synek|córeczka ... jest|leży ... wiotk*|bezwładn*
"""
HARMLESS_UNCONSCIOUS = """
nieprzytomn* z|ze|po
do szkoły|pracy|przedszkola
"""
ANAPHYLAXIS = """
mam|ma|mieć|to|chyba|dostał* ... wstrząs* anafilakt*
mam|ma|to|chyba ... anafilaks*
puchnie|zaciska|zamyka ... gardło|język|krtań|krtani
gardło|język|krtań ... puchnie|zaciska|zamyka
obrzęk ... gardła|języka|krtani
"""
SWELLING = """
puchn*|spuch*|opuch*|obrzęk* ... gardł*|język*|warg*|usta|ust|twarz*
gardł*|język*|warg*|usta|twarz* ... puchn*|spuch*|opuch*|ogromn*|wielk*
pokrzywk*
"""
REACTION = """
po|od orze*|ukąsz*|użądl*|osie|pszczo*|szersze*|krewet*|ryb*|antybiot*|penicyl*|lek*|zastrzyk*|zjedz*|jedzeniu|mleku|jajk*
zjad*|użądli*|ukąsi*|ugryz*|uczul*|alergi*|epipen*|adrenalin*
oddych*|duszno*|dusz*|świszcz*|przełyk*
"""
OVERDOSE = """
przedawkował*
dziecko|syn|syna|córka|wnuk|wnuczka ... zjad*|połkn*|wypi* ... tablet*|lek|leki|piguł*
wzią*|wzię*|łykn*|połkn*|zażył*|zjad* ... za_dużo|zbyt_dużo|zbyt_wiele|całe|cały|całą|garść ... tablet*|lek*|piguł*|opakowa*|prosz*|blist*|paracetamol*|ibuprofen*|xanax*|relanium
łykn*|połkn* wszystkie ... tablet*|lek*|piguł*
wzią*|wzię*|zażył*|zjad* wszystkie ... tablet*|lek*|piguł* ... naraz|na_raz|jednocześnie|przez_pomyłkę|na_cały|opakowa*|były_w_domu|miałam_w_domu|umrzeć|zabić
nałyka* się? ... tablet*|lek*|piguł*|prosz*
wzią*|wzię*|łykn*|połkn*|zażył* ... dużo|mnóstwo tablet*|lek*|piguł*
wzią*|wzię*|łykn*|połkn*|zażył*|zjad* ... #|dwadzieścia|trzydzieści|czterdzieści|pięćdziesiąt|kilkanaście|kilkadziesiąt tablet*|piguł*|prosz*|paracetamol*|ibuprofen*|nasenn*
wypi*|napi*|połkn*|zjad* ... wybielacz*|domestos*|kreta|ocet|trutk*|trucizn*|benzyn*|bateri*|detergent*|rozpuszczal*
wypi*|napi*|połkn* ... płyn*|środek do udrażn*|udrożn*|mycia|prania|naczyń|wc|podłóg|czyszczenia
"""
HARMLESS_OVERDOSE = """
swoj* ... witamin*
"""
BLEEDING = """
nie mogę|może|umiem|da ... krwaw*|krwi|krwotok*
krwaw*|krew|krwotok ... nie przestaje|ustaje|ustępuje|mogę|może|da|chce
krwawi i? nie przestaje|ustaje
mocno|silnie|obficie|bardzo|strasznie|ostro krwaw*
krwawi* ... mocno|silnie|obficie|bardzo|strasznie
silne|obfite|masywne|silny|masywny krwawieni*|krwotok*
krew ... tryska|leje|sika|chlusta
tryska|leje|sika|chlusta ... krew
stracił*|traci*|tracę ... dużo|mnóstwo krwi
wymiot*|rzyga*|pluj*|kaszl* ... krwią
"""
HARMLESS_BLEEDING = """
okres*|miesiącz*|menstru*|dziąs*
"""
SUICIDE = """
chcę|chce|chciał*|zamierza*|planuj*|muszę|ochotę|żeby|by ... się zabić
zabić|zabiję się|siebie
się zabiję
chcę|chce|wolę|wolał* ... umrzeć
nie chcę|chce|chcę_mi|chce_mi ... żyć
nie chcę|chce już? się ... budzić|obudzić $
zasnąć|usnąć ... nie ... obudzić
nie warto żyć
skoczyć|skoczę|rzucić|rzucę ... z|pod mostu|okna|dachu|balkonu|pociąg
nie widzę|widzi ... sensu życia|żyć|w_życiu
czy się nie? zabić
nie mam|ma ... po_co|dla_kogo|siły żyć
ze|z sobą|życiem ... skończ*|kończ*
skończ*|kończ* ... ze|z sobą|życiem
odebrać|odbiorę|odbierze sobie życie
myśli|myślach samobójcz*
samobójcz* myśl*
popełnić|popełnię|planuj*|myśl*|rozważ* ... samobójstw*
wolał* ... nie żyć
lepiej ... beze mnie
życie nie ma ... sensu
okaleczam|okalecza|okaleczyć|pociąć|tnę się
podci*|przeci*|potni* ... żyły
się okaleczam|pociąć|tnę|zabije
zrobić|zrobię sobie krzywdę|coś
"""
HARMLESS_SUICIDE = """
żyć w|na|z|ze
"""
SUFFERING = """
ból|bólu|bólem|cierpieniu|cierpieniem|męce|strachu|lęku|lękiem|piekle|świecie|ciele|wstydem
z tym
"""

FAREWELL = """
z tym|wszystkim ... skończę|kończę
skończę|kończę z tym|wszystkim
jutro ... mnie nie będzie
mnie już nie będzie
żegnaj|żegnajcie
"""
DESPAIR = """
tabletk*|sznur*|żyletk*|pociąg|most|mostu
dość $
nie daję|dam już? rady
nie mam ... siły|sił
beznadziejn*|ciężarem
pożegnaln* list*
list* pożegnaln*
"""

NO_WORDS = "nie|bez|ani|nigdy|brak|żadn*"
FILLING = """
mam|ma|miałem|miałam|miał|miała|czuję|czuje|już|żadn*|odczuwam|jest|było|też|silnego|nagłego|myślę|myślałem|myślałam|o|się|chcę|zamierzam
"""
ASIDE = """
zmarł*|zginął|zginęła
umarł* na|po|od|w
jakie są|to|mogą|objawy
jak rozpozn*|zatamow*|pomóc|udziel*|lecz*|zapobie*|wygląda*|odróżn*|postęp*|reagow*
gdy|jeśli|kiedy|jeżeli|że ktoś|osoba|dziecko|człowiek|pacjent
czy ... powoduj*|wywołuj*|oznacza|zawsze|może_powodować
czy ... ... powoduj*|wywołuj*|oznacza|zawsze
skutk* uboczn*
ryzyko|lęk|strach przed|zawału|udaru
śmie*|śmia*|uśmia*
pyta*|zapyta* czy|o
pierwsz* pomoc*
dentyst*|znieczul*
samobójczych brak|nie
ból|bóle już? minął|przeszedł|ustąpił|minęły
przeżył*|przeszedł|przeszła
umrzeć|umieram|umrę z|ze
"""
LONG_AGO = """
lat|lata|rok|roku|miesięcy|miesiące|miesiąc temu
zeszły*|ubiegły*|poprzedni*|minion*|zeszłe*|ubiegłe* rok*|miesi*|lat*|zim*|wios*|jesie*
w 19*|20*
jako dziecko|nastolat*
w dzieciństwie|młodości
od dziecka|dzieciństwa|urodzenia
kiedyś|dawniej
neguje|zaprzecza
działania niepożądane
gdy|kiedy był* mał*|dziec*|młod*
film|serial|książka|powieść|sztuka jest|był|była o
w|o|na film*|serial*|książ*|powieś*|piosen*|grze|odcin*|artyku*|kurs*
oglądał*|czytał*|widział* ... film*|serial*|książ*|artyku*|odcin*
"""
HABIT = """
jeśli|jeżeli|gdy|kiedy|jak|ilekroć|raz ... jem|zjem|je|zje|jemy|zjemy|piję|pije|wypiję|wypije|dotykam|dotyka|dotknę|biorę|bierze|wezmę
"""
NOW = "teraz|znowu|znów|dziś|dzisiaj|rana|właśnie|nagle"
JOINTS = "ale|lecz|a teraz|i teraz"

MEDICAL_NOTE = """\
**To może być stan nagły. Zadzwoń teraz pod numer {number}** albo poproś o to kogoś obok. \
Nie czekaj na odpowiedź tutaj i nie prowadź samochodu."""
CRISIS_NOTE = """\
**Nie musisz przechodzić przez to w pojedynkę. Jeśli grozi Ci niebezpieczeństwo, \
zadzwoń teraz pod numer {number}.**"""
SUPPORT_NOTE = "Możesz też bezpłatnie z kimś porozmawiać: {lines}."
LOCAL_NUMBER = "112 (USA 911, Wielka Brytania 999)"
LINES = "{adults} (dorośli), {minors} (dzieci i młodzież), całą dobę"
LOCAL_LINES = """\
Polska 116 123 (dorośli), 116 111 (dzieci i młodzież), całą dobę; inne kraje na \
findahelpline.com"""
