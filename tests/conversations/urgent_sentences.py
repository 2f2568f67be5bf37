# ruff: noqa: RUF001 - Russian letters are meant
"""Sentences with a red flag, by language."""

FIRST = {
    "en": """
I have chest pain and my left arm is numb
My chest feels tight and the pain goes into my jaw
Pressure in my chest that spreads to my left shoulder and arm
My husband has crushing chest pain and he is sweating
I think I'm having a heart attack
I had a heart attack in 2010, and now my chest hurts again and my arm tingles
My dad's face is drooping and his speech is slurred
Suddenly my right arm is weak and I can't speak properly
One side of my face has gone numb
I think my wife is having a stroke
I can't breathe
My son is struggling to breathe after a bee sting
She is gasping for air and her lips are blue
My throat is closing up after eating peanuts
My tongue is swelling and I'm wheezing
I took 30 paracetamol tablets an hour ago
My daughter swallowed bleach
I have overdosed on my sleeping pills
The wound won't stop bleeding
Blood is spurting from my leg, what should I do?
I'm vomiting blood
I want to kill myself
I don't want to live anymore
I keep thinking about ending my life
""",
    "pl": """
Mam ból w klatce piersiowej i drętwieje mi lewa ręka
Boli mnie w klatce i promieniuje do żuchwy
Silny ucisk w klatce piersiowej, ból idzie do lewego ramienia
Chyba mam zawał
Mąż ma zawał, co robić?
Mamie opadł kącik ust i bełkocze
Nagle nie mogę ruszać prawą ręką i mówię niewyraźnie
Tata chyba ma udar
Nie mogę oddychać
nie moge zlapac oddechu
Syn dusi się po użądleniu osy
Puchnie mi gardło po orzechach
Mam wstrząs anafilaktyczny
Wzięłam 40 tabletek paracetamolu
Przedawkowałem leki nasenne
Dziecko wypiło płyn do udrażniania rur
Rana mocno krwawi i nie przestaje
Nie mogę zatamować krwawienia
Chcę się zabić
Nie chcę już żyć
Mam myśli samobójcze
Myślę o tym, żeby ze sobą skończyć
""",
    "ru": """
У меня боль в груди и немеет левая рука
Давит за грудиной и отдаёт в челюсть
Сильно болит в груди, боль отдаёт в левое плечо
Кажется, у меня инфаркт
У мамы перекосило лицо и речь невнятная
Внезапно онемела половина тела
По-моему, у отца инсульт
Я не могу дышать
Мне не хватает воздуха, задыхаюсь
После укуса пчелы отекает горло
У меня отёк языка после орехов
Я выпила 40 таблеток снотворного
У сына передозировка
Кровотечение не останавливается
Кровь хлещет из ноги
Меня рвёт кровью
Я хочу умереть
Я хочу покончить с собой
Не хочу больше жить
Думаю о самоубийстве
""",
}

# Written before the rules met any failure; measured once, then kept.
FURTHER = {
    "en": """
There's a heavy weight on my chest and it radiates down my left arm
My chest hurts. It goes up into my neck and jaw.
Mum's mouth is hanging down on one side and she can't lift her arm
I'm having trouble breathing and it's getting worse
He isn't breathing!
I ate shrimp and now my lips and throat are swollen
I just took a whole bottle of pills
I cut myself and it's bleeding really badly
I wish I were dead
Everyone would be better off without me
""",
    "pl": """
Od rana gniecie mnie w piersi i boli mnie lewe ramię
Żona ma wykrzywioną twarz i nie może mówić
Mam duszności i nie mogę mówić pełnymi zdaniami
Połknęłam całe opakowanie tabletek
Wolałbym nie żyć
""",
    "ru": """
Жжёт в груди и болит левая рука
Муж не дышит
У неё опустился уголок рта и рука не поднимается
Ребёнок выпил уксус
Жить не хочется, хочу исчезнуть навсегда
""",
}

# Harder ones, each measured once before the rules were mended.
LATER = {
    "en": """
For an hour now I've had a tight band around my chest and my left hand tingles
The pain in my chest is spreading to my back and I feel sick
My partner collapsed and isn't breathing
Her speech is slurred and she can't smile on one side
My grandmother can't move her right side
I'm wheezing badly and can't finish a sentence
The baby's lips are turning blue
My throat feels like it's closing
I mixed too many pills and alcohol and feel strange, I overdosed
He drank antifreeze by mistake
There's a deep cut on my thigh and the blood keeps pouring
I don't see any reason to keep living
I might kill myself tonight
I want to hurt myself
Crushing chest pain for 20 minutes, left arm tingling
my chest is killing me and I can't feel my left arm
My chest feels like someone is sitting on it and my jaw aches
I get a squeezing in the chest which goes to my back and I'm sweating
Am I having a heart attack?
My chest really hurts, I don't know what to do and my arm is going numb
Grandpa suddenly can't speak and his mouth is crooked
My neighbour's face dropped on one side and she's talking nonsense
My vision went black in one eye suddenly and my arm is weak
half of my body is numb
I cant breathe properly
Im struggling to get air
My baby is choking on a grape
My daughter stopped breathing
I got stung by a wasp and my face is swollen and I have hives
my lips are swelling up after the penicillin and I feel dizzy
I took too many of my antidepressants tonight
My friend swallowed a lot of pills
my 2-year-old drank bleach
I cut my wrist and there's blood everywhere
The bleeding does not stop after 20 minutes of pressing
She's bleeding heavily after giving birth
I'm coughing up blood
i dont want to be here anymore
I want to end it all
I'm thinking of killing myself tonight
I feel suicidal
I have a plan to take my own life
My friend says she wants to die
Nothing matters, I'd be better off dead
I can't go on, I want to die
Should I worry that my chest hurts and my left arm is numb?
""",
    "pl": """
Od pół godziny ból za mostkiem, poty i drętwienie ręki
Mama nie może mówić i ma krzywą twarz
Język mi puchnie i ciężko mi oddychać
Córka połknęła baterię
Ręka mocno krwawi po cięciu
Chcę zniknąć, nie chcę żyć
Myślę, żeby się zabić
boli mnie klatka piersiowa i drętwieje ręka
Od godziny mam ból w klatce piersiowej promieniujący do szczęki
Ściska mnie w klatce, jestem spocony i słabo mi
Czy to może być zawał? Boli mnie w piersi
Teść ma opadnięty kącik ust
Żona nagle przestała mówić i nie rusza lewą ręką
nie moge oddychac
Duszę się
Dziecko się dusi
Dziecko zadławiło się i sinieje
Po zastrzyku spuchła mi twarz i trudno mi oddychać
Zjadłam orzecha i puchną mi usta
Połknęłam 20 tabletek nasennych
Syn wypił domestos
Leci mi krew i nie mogę jej zatrzymać
Krew tryska z rany
Wymiotuję krwią
chce umrzec
Mam dość, chcę ze sobą skończyć
Nie mam siły żyć
Myślę o samobójstwie
zabiję się
Mój brat mówi, że się zabije
""",
    "ru": """
Сильная боль за грудиной, отдаёт под лопатку
У деда отнялась рука и речь невнятная
Горло отекло после укуса осы, трудно глотать
Дочь выпила много таблеток
Сильно кровоточит рана
Мысли о суициде не отпускают
сильная боль в груди, отдает в руку
У меня болит сердце и немеет рука
Сдавило грудь, холодный пот
У папы инсульт?
У бабушки опустился угол рта
Муж внезапно перестал говорить и не двигает рукой
тяжело дышать
Я задыхаюсь
Ребёнок подавился и посинел
После антибиотика опухло лицо и трудно дышать
Выпил пачку таблеток
Сын проглотил батарейку
Не могу остановить кровь
Кровь не останавливается уже полчаса
Хочу убить себя
не хочу жить
Мне незачем жить
Хочется умереть
Подруга говорит, что покончит с собой
""",
}

# Everyday wording: lower case, no accents, slips of the keyboard, several sentences.
EVERYDAY = {
    "en": """
my chest is so tight, like a belt, and now my jaw has started to ache as well
Dad is grey and sweaty and clutching his chest
chest pian and my left arm feels funny
It feels like an elephant is sitting on my chest. I'm cold and sweaty.
my husband's face is drooping and he can't speak
mum woke up and one arm just hangs there, her words come out wrong
she suddenly cant see out of one eye and is dizzy and confused
I literally cannot get enough air, my inhaler isn't working
he's turning blue, help
My toddler has something stuck in his throat and can't breathe
i have just eaten cashews and my lips are swelling and my throat feels tight
Got stung ten minutes ago and I've come out in hives all over, feeling faint
I've taken all my sleeping tablets
my sister has taken about 50 of her pills and won't wake up
The kid drank some bleach from under the sink, what do I do
I cut my hand with a knife and the blood just won't stop
he's losing a lot of blood from the leg
there's a lot of blood when I throw up
I've been thinking about killing myself for days
i just want it all to end, I don't want to be alive any more
I have the pills in front of me and I'm going to take them all
My daughter texted me that she is going to kill herself
i cant breath
having really bad chest pains and feeling sick, should I wait until morning?
My father has pain in the chest that goes to both arms
my wifes words are all jumbled and her left side is weak
He has been stung and his tongue is getting bigger and bigger
He took a whole strip of her tablets after an argument
She's bleeding through everything, it won't slow down
I can't do this anymore, I want to be dead
I wrote a goodbye note, I'm going to end my life tonight
I don't want to live in constant pain any longer
Rather be dead than live like this
her chest hurts and she is short of breath
I don't want to live in London and I want to die
There is this crushing feeling behind my breastbone and I'm drenched in sweat
Grandma's left side went limp all of a sudden
My dad can't move his right arm and is talking gibberish
I'm having a hard time breathing, my lips look bluish
Please help, my baby isn't breathing
I ate a peanut by accident, my face is puffing up and I can hardly swallow
I swallowed twenty ibuprofen because I had a fight with my boyfriend
My roommate overdosed on heroin
The dog bit me and blood is pouring out
My nose has been bleeding for an hour and won't stop
Thinking about suicide again
I keep having thoughts about ending it
Nobody would miss me if I died, I want to disappear forever
What is the best way to kill myself?
I'm scared I will hurt myself tonight
She said she took the whole bottle of Tylenol
My chest feels really heavy and I keep sweating, it started after dinner
sharp stabbing pain in chest when i breathe in and im short of breath
my mom is having chest pains right now what should i do
pressure in the middle of my chest, feel like throwing up
He collapsed and is not responding, I think it is his heart
My wife can't move one side of her body
his smile is crooked all of a sudden and he sounds drunk
I suddenly can't feel my left leg and arm
worst headache of my life, came on suddenly and my vision is blurry
my throat is swelling shut
My son is having an asthma attack and his inhaler is empty
I am choking
Grandpa is choking on a piece of meat
she drank a bottle of nail polish remover
i overdosed
I accidentally took double my insulin
I took a bunch of xanax and vodka
my arm is bleeding really bad and I feel faint
we can't stop the bleeding
he's coughing up blood
I don't want to live
life isn't worth living anymore
I feel like ending it all
my friend wants to kill himself what do i do
i've been cutting myself again
I'm going to jump off the bridge
My chest has been hurting for half an hour and the pain is going down my left arm
Tightness across my chest and pain in my jaw
I've got chest pain that shoots into my shoulder
I'm feeling pressure on my chest, I'm dizzy and sweating
My father's chest hurts and he can barely breathe
Half of my mother's face has dropped
My arm went weak and I can't find my words
My wife is suddenly confused and her speech doesn't make sense
I woke up and can't move my right side
My lips and tongue are swollen after I ate shellfish
My throat feels tight after the antibiotic and I have a rash all over
I'm having an allergic reaction and it's getting hard to breathe
I swallowed a handful of sleeping pills
I drank drain cleaner
My teenager took 25 Tylenol
I think my brother overdosed
There's so much blood and it's not stopping
I've cut an artery
I'm pregnant and bleeding heavily
I feel like killing myself
I've decided to end my life
I have no reason to live anymore
I am going to hurt myself
There's no point in going on
I can't get my breath
I'm struggling for breath
My child is not breathing properly and is turning blue
I have severe chest pain radiating to my back
My heart is racing, my chest is tight and I feel like fainting
my face feels numb on one side and my vision is blurred
My dad's having a stroke!
I'm having difficulty breathing and my chest is wheezing
I used my EpiPen but my tongue is still swollen and I can't breathe
I've taken an overdose
I took all my antidepressants at once
He lost a lot of blood
I sliced my wrist, it's deep and bleeding heavily
I want to commit suicide
Life is not worth it, I want to kill myself
""",
    "pl": """
boli mnie w klatce i dretwieje reka
Mąż zbladł, trzyma się za klatkę piersiową i jest zlany potem
mama mówi jak pijana i opadł jej jeden policzek
ojciec nie moze podniesc reki i krzywo sie usmiecha
nie moge zlapac powietrza inhalator nie dziala
dziecko ma cos w gardle i nie moze oddychac
Ugryzła mnie osa i spuchły mi wargi, robi mi się słabo
polknelam wszystkie tabletki nasenne
krew leci z nogi i nie chce przestac
nie chce mi sie juz zyc
myślę o tym żeby się zabić
niemoge oddychac
Babcia nagle bełkocze i nie rusza prawą stroną ciała
silny bol w klatce i jest mi duszno
nie chcę żyć z tym bólem
syn połknął garść tabletek
Chyba mam zawał, ręka mi drętwieje
Mąż nie oddycha!
Strasznie mnie ściska w klatce piersiowej i promieniuje do pleców
Mam drętwienie lewej strony twarzy i ręki
Córka wzięła za dużo leków i nie mogę jej dobudzić
Po użądleniu pszczoły mam opuchnięte gardło
Nie widzę sensu życia, chcę umrzeć
Chciałabym zasnąć i się nie obudzić
Kaszlę krwią od rana
Potrzebuję pomocy, zrobię sobie krzywdę
Dziecko zjadło tabletki babci
Od godziny boli mnie za mostkiem i jest mi niedobrze
kłuje mnie serce i drętwieje lewa ręka
tata się przewrócił i nie może mówić
Babcia ma wykrzywione usta
Nie czuję połowy twarzy
Mój syn ma atak astmy i nie może złapać oddechu
Wypiłam butelkę płynu do czyszczenia
Wzięłam za dużo leków
Strasznie krwawię i nie mogę tego zatrzymać
Mam ochotę się zabić
Życie straciło sens, chcę ze sobą skończyć
nie mam po co żyć
Od pół godziny boli mnie w klatce i ból idzie do ręki
Ucisk w klatce piersiowej i ból żuchwy
Mąż ma ból w klatce i się poci
Mamie wykrzywiło twarz
Nagle nie mogę mówić i ręka mi opada
Puchną mi wargi po orzeszkach
Ciężko mi się oddycha
Dławię się
Wypiłem wybielacz
Zażyłam całe opakowanie ibuprofenu
Nie mogę zatrzymać krwawienia
Krwawię bardzo mocno w ciąży
Chcę ze sobą skończyć
Nie widzę sensu życia
Zastanawiam się, czy się nie zabić
Chyba się duszę
Mam silny ból w klatce promieniujący do pleców
Tata ma udar!
Mam trudności z oddychaniem
Wzięłam wszystkie leki naraz
Stracił dużo krwi
Chcę popełnić samobójstwo
Język mi spuchł i nie mogę oddychać
Mam ochotę skoczyć z mostu
""",
    "ru": """
болит в груди и левая рука немеет
Муж держится за грудь, весь в поту, бледный
у мамы перекосило лицо, не может говорить
папа не может поднять руку и речь как у пьяного
не могу вдохнуть, ингалятор не помогает
ребенок подавился и не дышит
укусила оса, губы опухли и кружится голова
я выпила все таблетки которые были дома
кровь из раны не останавливается
я больше не хочу жить
думаю о том чтобы убить себя
немогу дышать
сильно болит грудь и трудно дышать
у жены отнялась правая рука и она говорит невнятно
Не хочу жить в этом мире
сестра наглоталась таблеток
Сильно давит в груди, отдаёт в левую руку и челюсть
У бабушки половина лица не двигается
мне тяжело дышать и синеют губы
Ребёнок съел таблетки бабушки
Порезала руку, кровь не останавливается
Не вижу смысла жить
Мне не хочется жить
После орехов опухло горло
Думаю, как покончить с собой
Сильно жмёт за грудиной, отдаёт в лопатку
Муж упал и не дышит
У мамы онемела рука и перекосило рот
Не чувствую левую половину тела
Ребёнок задыхается
Дочка проглотила батарейку
Я приняла слишком много таблеток
Кровь идёт и не останавливается
Хочу покончить с жизнью
Мне не для чего жить
Полчаса болит в груди и отдаёт в руку
Давит в груди и болит челюсть
У мужа болит сердце и он весь потный
У мамы перекосило лицо
Вдруг не могу говорить и рука не слушается
Губы распухли после креветок
Мне трудно дышать
Я выпил отбеливатель
Приняла целую упаковку ибупрофена
Не могу остановить кровотечение
Сильное кровотечение при беременности
Я собираюсь покончить с собой
Думаю, не убить ли себя
Нет смысла жить дальше
Сильная боль в груди отдаёт в спину
У папы инсульт!
Мне трудно дышать, грудь свистит
Я выпила все таблетки сразу
Он потерял много крови
Хочу совершить самоубийство
Язык распух и не могу дышать
Хочу прыгнуть с моста
""",
}

# Medical letters and leaflets that people paste, and what a doctor said.
QUOTED = {
    "en": """
Yesterday I had chest pain and my left arm was numb, it is still there
If I have chest pain and my left arm is numb, should I call an ambulance?
I'm on ramipril. Since this morning pressure in my chest. Jaw hurts too.
Can I wait until Monday? Chest pain, sweating, left arm tingling.
The doctor said it was nothing, but I can't breathe
""",
    "pl": """
Wczoraj bolało mnie w klatce i drętwiała ręka, dalej to mam
Lekarz mówił że to nerwy, ale nie mogę oddychać
""",
    "ru": """
Вчера болела грудь и немела рука, до сих пор не прошло
Врач сказал нервы, но я задыхаюсь
""",
}

# What people say about their days, and plain descriptions beside it.
PLAIN = {
    "en": """
I have no painkillers and my chest hurts and my arm is numb.
im gonna kill my self
I cut my wrists
I slit my wrists
My wife can't lift her arm and talks funny
I used my EpiPen, throat tight
I took all my pills at once
My wife is having a stroke at 45 Elm Street
I don't want to go on anymore
I don't want to be here any more
I don't want to exist
My chest feels tight and my jaw aches.
My husband suddenly can't speak and his mouth is crooked.
I'm struggling to breathe.
I swallowed thirty paracetamol tablets.
I took all my pills because I want to die.
The cut is deep and the blood won't stop.
I ate a peanut and my tongue is swelling up.
I want to kill myself tonight.
My baby has stopped breathing.
I've been thinking about suicide every day.
There's a heavy weight on my chest and I'm sweating like mad.
My mum's face has dropped on one side.
Dad collapsed and isn't responding.
I can't get enough air, my inhaler isn't helping.
My son drank bleach.
I've just taken a whole packet of ibuprofen.
Blood is pouring out of his leg.
My throat is closing up after the antibiotic.
I don't see any point in living.
I'm planning to end my life.
I cut my wrists and it won't stop bleeding.
Her speech is slurred and her right arm is weak.
Something is wrong, my granddad's smile is uneven and he can't hold a cup.
She is gasping and her lips look grey.
I necked all the pills in the cabinet.
There is so much blood and I don't know how to stop it.
I just want it all to be over, I have the rope ready.
Everyone would be better off if I was gone.
My kid got into the rat poison.
Bee sting, now my whole face is blowing up and I'm wheezing.
He can't get his words out all of a sudden.
""",
    "pl": """
mama zasłabła i nie reaguje
Nałykałam się tabletek
Wzięłam wszystkie tabletki naraz
Boli mnie w klatce i drętwieje mi lewa ręka.
Żona ma wykrzywioną twarz i bełkocze.
Nie mogę złapać oddechu.
Połknęłam całe opakowanie tabletek nasennych.
Chcę się zabić.
Krew leci z rany i nie da się jej zatamować.
Użądliła mnie osa i puchnie mi gardło.
Tata stracił przytomność i nie oddycha.
Nie chcę już żyć.
Synek wypił płyn do udrożniania rur.
Ściska mnie w klatce i jestem zlana potem.
Tata nie może podnieść ręki i mówi niewyraźnie.
Dziecko się zadławiło i sinieje.
Wzięłam czterdzieści tabletek.
Mam myśli samobójcze.
Po orzeszkach spuchł mi język i ciężko mi oddychać.
Mocno krwawię i nie mogę tego zatrzymać.
Nie widzę sensu życia.
Mąż nagle przestał mówić i upadł.
Jakby ktoś siedział mi na klatce, ręka jak z ołowiu.
Mama nagle zaczęła mówić od rzeczy i powłóczy nogą.
Córka połknęła baterię.
Nie chcę się już budzić.
Tracę dużo krwi.
Łyknęłam całą paczkę xanaxu.
Gardło mi się zamyka po krewetkach.
Chcę ze sobą skończyć.
""",
    "ru": """
Мне нечем дышать
Я порезала вены
Сильно течёт кровь, не могу остановить
Выпила все таблетки из пачки
У меня был инфаркт и сейчас сильная боль в груди
Болит в груди и отдаёт в левую руку.
У мужа перекосило лицо, он не может говорить.
Я задыхаюсь.
Я выпила целую упаковку снотворного.
Я хочу умереть.
Кровь хлещет из ноги, не останавливается.
После укуса осы опухло горло и трудно дышать.
Мама упала и не дышит.
Я думаю о самоубийстве.
Кажется, у бабушки сейчас инсульт.
Давит в груди, холодный пот, тошнит.
Бабушка вдруг не может говорить, рот перекосило.
Мне трудно дышать, губы синеют.
Муж выпил горсть таблеток.
Сын проглотил батарейку.
Кровь не останавливается уже полчаса.
Не хочу больше жить.
У меня опух язык после укола.
Хочу покончить с собой.
Как будто камень на груди, и рука немеет.
У деда рот съехал набок, мычит.
Не могу вдохнуть полной грудью, губы синие.
Не хочу просыпаться.
Хочу выпить все таблетки и уснуть навсегда.
Нога разрезана, кровища льёт.
Лицо раздуло после укуса, хриплю.
Ребёнок выпил жидкость для труб.
""",
}

# A reaction of this moment, and one that recurs.
ALLERGY = {
    "en": """
I ate peanuts and my throat is closing
If I eat peanuts I get hives, and now I ate some and my throat is closing
I get hives when I eat nuts. I ate some and my face is swelling up.
When I eat these peanuts my throat is closing
I ate peanuts and I get hives
When I swallow my throat closes
If I eat I can't breathe, my lips are blue
""",
    "pl": """
Zjadłam orzeszki i puchnie mi gardło
Jak jem orzechy, puchnie mi gardło, a teraz zjadłam i puchnie mi język
""",
    "ru": """
Я съел орехи, и у меня отекает горло
Когда я ем орехи, опухают губы, а сейчас съел и отекает горло
""",
}

SPOKEN = {
    "en": """
Please help, my dad just fell over in the kitchen and he isn't waking up.
There's a tight band round my chest and I feel sick and sweaty.
My neighbour's mouth has gone crooked on one side and I can't understand a word she's saying.
I just ate a biscuit with cashews in it and now my lips are huge and my throat feels funny.
My little boy drank something from under the sink and he's dribbling.
He put his hand through a window and there's blood all over the floor, I can't get it to stop.
My baby is blue and floppy.
Help, my wife is having a fit and it's been going on for ten minutes.
Grandma took all her heart tablets for the week this morning by mistake.
Our lodger is lying in the hall and we can't wake him.
My toddler has gone floppy after the fall.
She's having a seizure right now, what do I do?
Dad collapsed at the table and won't wake up.
I've had enough, by tomorrow I won't be here anymore.
My daughter swallowed something shiny and now she keeps coughing.
I ate prawns and my face is huge and I feel faint.
There's blood all over the bathroom and my wife is very pale.
He took all of his sleeping tablets by accident.
Grandpa can't move his right side since breakfast.
""",
    "pl": """
Mąż leży na podłodze i nie mogę go dobudzić.
Od pół godziny strasznie gniecie mnie w klatce i promieniuje do żuchwy.
Babci opadł kącik ust i mówi od rzeczy.
Użądliła mnie pszczoła i puchnie mi język.
Mam już dość, dziś w nocy z tym skończę, tabletki leżą na stole.
Synek napił się płynu do udrażniania rur.
Krew leje się z nogi i nie mogę jej zatamować.
Tata nagle przestał widzieć na jedno oko i nie może podnieść ręki.
Nie mogę złapać tchu, sinieją mi usta.
Córka dostała drgawek i jest nieprzytomna.
Sąsiad leży nieprzytomny na klatce schodowej.
Dziecko dostało drgawek przy gorączce.
Nie mogę dobudzić żony.
Skończę z tym wszystkim, nie daję już rady.
Syn napił się domestosa.
Babcia wzięła wszystkie tabletki na cały tydzień.
Po orzeszkach mam ogromne usta i gardło mi się zaciska.
Mam straszny ucisk w piersiach i zlewa mnie zimny pot.
Mama nagle nie może mówić i opadła jej twarz.
Krew tryska z rany i nie da się zatrzymać.
""",
    "ru": """
Муж лежит на полу без сознания
Не могу разбудить бабушку
У сына судороги
С меня хватит, завтра меня не будет
""",
}
