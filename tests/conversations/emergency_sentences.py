# ruff: noqa: RUF001 - Russian letters are meant
"""Sentences with a red flag and sentences that only share its words."""

RAISE = {
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

STAY_QUIET = {
    "en": """
My father died of a heart attack
I had chest pain after push-ups last year
I have no chest pain and my arm is fine
I don't have trouble breathing any more
What are the symptoms of a heart attack?
How do you recognise a stroke?
What should I do if someone is choking?
How do you stop heavy bleeding?
Does sertraline cause suicidal thoughts?
I'm dying to see it
This deadline kills me
My back is killing me
In the film he can't breathe and dies
My grandmother had a stroke in 2015
My arm hurts after the vaccination
I had a heart attack three years ago
I can't breathe through my nose because of a cold
I get out of breath when I climb the stairs
My gums bleed a little when I brush my teeth
I'm allergic to peanuts
I take two paracetamol tablets a day
I have never had suicidal thoughts
My uncle took his own life when I was a child
I almost died laughing
""",
    "pl": """
Mój ojciec zmarł na zawał
W zeszłym roku bolało mnie w klatce po pompkach
Nie mam bólu w klatce piersiowej ani duszności
Jakie są objawy zawału?
Jak rozpoznać udar?
Co robić, gdy ktoś się dusi?
Czy sertralina powoduje myśli samobójcze?
Babcia miała udar w 2015 roku
Umieram z głodu
Ten szef mnie wykończy
Plecy mnie zabijają
Zabiję się śmiechem przy tym serialu
W filmie bohater chce się zabić
Mam katar i nie mogę oddychać przez nos
Boli mnie ręka po szczepieniu
Jestem uczulona na orzechy
Biorę dwie tabletki ibuprofenu dziennie
Trzy lata temu miałem zawał
""",
    "ru": """
Мой отец умер от инфаркта
В прошлом году у меня болело в груди после отжиманий
У меня нет боли в груди
Какие симптомы инфаркта?
Как распознать инсульт?
Что делать, если кто-то подавился?
Бабушка перенесла инсульт в 2015 году
Умираю от скуки
Я умираю, как хочу есть
Спина меня убивает
Никогда не думал о самоубийстве
В книге герой хочет умереть
Насморк, не могу дышать носом
Болит рука после прививки
У меня аллергия на орехи
Я пью две таблетки ибупрофена в день
Три года назад у меня был инфаркт
Вызывает ли сертралин мысли о самоубийстве?
""",
}

# Written before the rules met any failure; measured once, then kept.
FURTHER_RAISE = {
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
FURTHER_QUIET = {
    "en": """
My mother survived a stroke ten years ago
Is chest pain with a numb arm always a heart attack?
I read an article about overdoses
The chest freezer broke and my arm hurts from moving it
I was so embarrassed I wanted to die
No shortness of breath, no swelling
We practised what to do when a person stops breathing in the first-aid course
My nose bleeds sometimes
That song kills me every time
I'm allergic to bee stings and carry an EpiPen
""",
    "pl": """
Dziadek zmarł po udarze
Czy ból w klatce zawsze oznacza zawał?
Oglądałem serial o samobójstwie
Czasem krwawią mi dziąsła
Zabójczo przystojny ten aktor
""",
    "ru": """
Дедушка умер после инсульта
Боль в груди прошла, рука не болит
Смотрел фильм про передозировку
Иногда кровоточат дёсны
Я чуть не умер от смеха
""",
}
# Harder ones, each measured once before the rules were mended.
LATER_RAISE = {
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
LATER_QUIET = {
    "en": """
I bruised my chest and arm when I fell off my bike last month
My grandfather died of a stroke at 80
Are stroke symptoms different in women?
I'm scared my mole is cancer
My ears bleed sometimes when I clean them
I had an anaphylactic reaction to penicillin as a child
I take all my pills with breakfast
My knee is swollen after running
This spreadsheet makes me want to scream
I've never overdosed on anything
Can you die from holding your breath?
My brother survived an overdose five years ago
My dad had chest pain and a numb arm in 2019, it was a heart attack
I'm afraid of having a stroke
Can aspirin prevent a heart attack?
What happens during anaphylaxis?
My chest muscles are sore from the gym and my back hurts
My arm is numb when I sleep on it
This heat is killing me
I could kill for a coffee
My phone died
I laughed so hard I couldn't breathe
The view took my breath away
I'm out of breath after running
My son choked on a grape last year
How many paracetamol tablets are an overdose?
I take 20 mg tablets of citalopram
I have been taking 40 mg of atorvastatin tablets
I have heavy periods
Blood test results: iron is low
I stopped breathing exercises
My asthma is well controlled, no trouble breathing at night
I don't want to live with my parents
I want to die my hair red
My grandfather died by suicide
I work at a suicide prevention hotline
Is depression linked to suicide?
The killer whale documentary was great
I have a stroke survivor in my family
My swimming stroke got better
A stroke of luck
Heart attack runs in my family
I nearly had a heart attack when I saw the bill
My face is numb after the dentist
My eyes are swollen because I'm allergic to pollen
My lips are dry
Which pills should I take for a headache?
I took all my vitamins today
My mother is bleeding money
My nose bled but it stopped
I donated blood
I used to be suicidal but therapy helped
No, I'm not suicidal
He said he would kill himself laughing
I have allergic rhinitis and a stuffy nose
Where do I learn first aid for choking?
""",
    "pl": """
Mam zawroty głowy i boli mnie ręka
Jak długo trwa rekonwalescencja po zawale?
Mój pies się dusił w zeszłym roku
Ten film o udarze mnie wzruszył
Lekarz mówi, że nie mam zawału
Boli mnie gardło i mam katar
Mam zadyszkę po schodach
Tata miał zawał dwa lata temu
Jak zapobiegać udarowi?
Nie chcę żyć w mieście
Umieram z nudów
Ale się uśmiałam, nie mogłam oddychać ze śmiechu
Zabiłbym za kawę
Wzięłam 400 mg ibuprofenu
Biorę tabletki 20 mg
Czy można przedawkować witaminę D?
Boję się zawału
Mam obfite miesiączki
Krew z nosa leci mi czasem zimą
Bolą mnie plecy i ręka po przeprowadzce
Co zrobić, kiedy ktoś ma udar?
Samobójstwo w powieści było smutne
Mam alergię na penicylinę
Zdrętwiała mi ręka od leżenia
""",
    "ru": """
Жена боится инсульта
Болит колено после бега
Мне не грустно и я хочу жить
Сколько таблеток парацетамола можно в день?
У меня болит горло и насморк
Папа перенёс инфаркт два года назад
Как предотвратить инсульт?
Не хочу жить в городе
Умираю со смеху
Умираю от жары
Принимаю таблетки 20 мг
Можно ли передозировать витамин D?
Боюсь инфаркта
У меня обильные месячные
Рука онемела, потому что отлежал
Болит спина и плечо после ремонта
Мы смотрели фильм о самоубийстве
Я не задыхаюсь
Сердце болит за страну
""",
}
# Everyday wording: lower case, no accents, slips of the keyboard, several sentences.
EVERYDAY_RAISE = {
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
EVERYDAY_QUIET = {
    "en": """
I don't want to live in London anymore
I'm dying to see you
this job is killing me
my phone died
my legs are killing me after the marathon
I'd rather die than eat broccoli
Breaking news: a man died of a heart attack on the train
My neighbour had a stroke last winter and is in rehab now
I read that ibuprofen can raise the risk of stroke
We watched a movie where the girl takes an overdose
I have had no chest pain since the stent
Give him a big hug, he had a heart attack in May
I hurt my chest at the gym, just sore muscles
Could you explain what anaphylaxis is?
My nose bleed stopped after five minutes
I choked on my coffee when I saw the price
That joke was so funny I couldn't breathe
Remind me to take my blood pressure pills at 8
My cat swallowed a string yesterday but the vet says she is fine
I am swimming the breast stroke again
I don't want to live with a dog that barks all night
The kids will be the death of me
I've got a killer headache from that meeting
My wife would kill me if I bought another bike
That exam was murder
She was diagnosed with heart disease after a heart attack two years ago
My dad's cholesterol is high, and heart attacks run in the family
Is it normal that my hand tingles after typing?
The doctor ruled out a stroke
I do not have any trouble breathing since I stopped smoking
He had an allergic reaction to shrimp in 2018
I used to have panic attacks where I couldn't breathe
I no longer have chest pain
That concert was a heart attack of joy
Stroke of genius!
My heart aches for the people in that earthquake
I'm breathing fine today
What are the early signs of a stroke in older people?
My aunt took an overdose in the nineties and recovered
Does chest pain with exercise mean angina?
I took two ibuprofen for my back
I swallowed a cherry stone
My arm is numb from carrying the baby all day
I have a cough and a sore chest from coughing
My son's science project is about how the lungs breathe
I want to cut my hair
I would kill for a nap
My therapist asked whether I have suicidal thoughts; I don't
I'm short of breath when I run for the bus
My tongue is burnt from hot tea
The pain in my chest turned out to be reflux, the doctor said last week
How is a heart attack treated?
My mum takes aspirin since her heart attack
I bled a little after flossing
I was choking up at the wedding
I want to end my subscription
I'm so tired I could die
Remember the scene where he can't breathe?
I nearly died of embarrassment
Don't kill me, but I forgot the cake
suicide squad is my favourite movie
I drank a bottle of water after the run
He stroked the cat
I take 10 tablets a week
My father had chest pain and a numb arm ten years ago
My grandmother died of a stroke
I have a sore throat and swollen glands
My lips are swollen after the dentist
I take 2 tablets of paracetamol when I have a headache
How much paracetamol is an overdose?
My period is heavy this month
I'm bleeding from a paper cut
My breathing is fine since I started the inhaler
I don't have any suicidal thoughts anymore
I lost my will to exercise
I was reading about a woman who killed herself
My arm hurts from the gym
My face is red from the sun
My speech at the wedding went well
I dropped my phone on my face
The doctor asked whether I had chest pain
I've had a stroke in the past
I am overwhelmed with work
My hand tingles when I type too long
I had an overdose of chocolate
I'm bleeding money on this house
He broke my heart
This book took my breath away
My mum used to have trouble breathing before the inhaler
She died of an overdose in 2001
Is chest pain common in pregnancy?
My back pain radiates down my leg
I'm not having a heart attack, am I just nervous? No pain at all
I feel dead tired
Kill the process on the server please
My dog ate chocolate last year
""",
    "pl": """
Nie chcę już mieszkać w Londynie
nie chce już żyć w Warszawie
umieram z głodu
Zabije mnie ta praca
telefon mi padł
Umrę ze wstydu
Wiadomości: aktor zmarł na zawał
Sąsiad miał udar w zeszłym miesiącu
Prawie dostałem zawału jak zobaczyłem rachunek
Biorę 50 mg tabletki na ciśnienie
Boli mnie ręka po siłowni
Mama mówi, że zabije mnie za te oceny
Nie chcę mieszkać sam
Umieram z ciekawości
Czytam książkę o zawałach
Dusiłem kapustę na obiad
Wujek zmarł nagle na udar
Mam skurcze łydek w nocy
Serce mi pęka, kiedy patrzę na te zdjęcia
Boli mnie serce po rozstaniu
Nie mam myśli samobójczych
Wzięłam dwie tabletki apapu
Czy aspiryna chroni przed zawałem?
Dostałam okres i krwawię mocno
Ciężko mi oddychać przez katar
Mój dziadek po udarze uczy się mówić
Duszę warzywa na patelni
Jak leczy się zawał?
Boli mnie klatka po kaszlu
Zaraz padnę ze zmęczenia
Wypiłam butelkę wody
Biorę dużo leków
Dziecko ma katar i źle śpi
Umieram, taki jestem zmęczony
Mój tata zmarł na udar
Dziesięć lat temu miałem ból w klatce
Boli mnie gardło
Mam obfity okres
Zacięłam się papierem
Czytałam o kobiecie, która się zabiła
Boli mnie ramię po siłowni
Lekarz pytał, czy boli mnie w klatce
Ile paracetamolu to przedawkowanie?
Nie mam już myśli samobójczych
Mam złamane serce
Widok zapierał dech
Czy ból w klatce jest częsty w ciąży?
Ból pleców promieniuje do nogi
Jestem śmiertelnie zmęczona
Zabij ten proces na serwerze
""",
    "ru": """
Я больше не хочу жить в Лондоне
умираю со смеху
Умираю с голоду
Эта работа меня убивает
телефон сдох
Чуть инфаркт не схватил, когда увидел цену
В новостях сказали, что актёр умер от инсульта
У соседа был инсульт прошлой зимой
Муж меня убьёт за эту покупку
Я пью таблетки от давления 50 мг
Рука болит после тренировки
Хочу умереть от стыда, так опозорилась
Не хочу жить с родителями
Убийственная жара сегодня
Он умирает по ней
Врач исключил инсульт
Сердце кровью обливается, когда вижу это
У меня нет мыслей о самоубийстве
Выпила две таблетки парацетамола
Помогает ли аспирин от инфаркта?
Бабушка после инсульта учится говорить
Умираю, хочу спать
Жить не могу без кофе
Врач сказал, что это не инфаркт
У меня болит грудь перед месячными
Как лечат инфаркт?
Я так устала, сейчас умру
Выпила бутылку воды
Принимаю много лекарств
У ребёнка насморк
Убийственно вкусный торт
Мой отец умер от инсульта
Десять лет назад болело в груди
Болит горло
Порезалась бумагой
Читала о женщине, которая убила себя
Болит плечо после тренировки
Врач спросил, болит ли в груди
Сколько парацетамола это передозировка?
У меня больше нет мыслей о самоубийстве
У меня разбито сердце
Дух захватывает от вида
Часто ли болит грудь при беременности?
Боль в спине отдаёт в ногу
Я смертельно устала
Убей этот процесс на сервере
""",
}
# Medical letters and leaflets that people paste, and what a doctor said.
QUOTED_RAISE = {
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
QUOTED_QUIET = {
    "en": """
Patient denies chest pain, shortness of breath or arm numbness.
Denies suicidal thoughts.
No suicidal ideation, no self-harm.
The ECG ruled out a heart attack.
Negative for chest pain radiating to the arm.
Common side effects: nausea, chest pain, swelling of the face, difficulty breathing.
Get medical help right away if you have swelling of the lips or trouble breathing, the leaflet says.
History: stroke 2018, heart attack 2020.
The patient was admitted with chest pain radiating to the left arm in 2021.
My insurance asks whether I ever attempted suicide.
The pain is gone and I can breathe again.
""",
    "pl": """
Pacjent neguje ból w klatce piersiowej i duszność.
Neguje myśli samobójcze.
Wykluczono zawał serca.
Przebyty zawał w 2019, udar w 2020.
Działania niepożądane: obrzęk twarzy, trudności z oddychaniem, ból w klatce.
W ulotce piszą, że może spuchnąć język i gardło.
Myśli samobójczych brak.
""",
    "ru": """
Пациент отрицает боль в груди и одышку.
Суицидальные мысли отрицает.
Инфаркт исключён.
Перенесённый инфаркт в 2019 году.
Суицидальных мыслей нет.
""",
}
# What people say about their days, and plain descriptions beside it.
PLAIN_RAISE = {
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
PLAIN_QUIET = {
    "en": """
I don't want to go on statins.
I don't want to go on this diet.
I don't want to go on holiday.
I don't want to be here on Friday.
Took all my medications this morning.
I took all my pills from the pill box before leaving the house.
Took all my medications this morning and I am allergic to nuts.
I have taken all my pills today.
I can't talk right now.
I have COPD, so breathing is hard.
I am allergic to bees, my throat swells.
My child ate his vitamins tablet.
I finished all my antibiotics last week.
I picked up all my pills from the pharmacy today.
My chest hurts a bit when I press on the rib I bruised.
I don't want to go on with this physiotherapist.
My neck is numb after a long day at the desk.
Dad's stroke was six years ago and he walks well now.
I cut my finger while chopping onions, it stopped after a minute.
Running makes me breathe hard but I love it.
My lips get dry and puffy in the winter.
I take two tablets of paracetamol when my head aches.
I can't speak German yet.
My daughter swallowed her vitamin without water for the first time.
I could die for a coffee right now.
My heart beats faster before exams.
Donated blood yesterday, my arm is a bit bruised.
My grandmother had heart failure and took water tablets.
I take my pills in the morning and at night.
Ran out of my inhaler, can you remind me to order one?
My toddler ate all of his dinner today.
I'm not going to be here next week, I'm on holiday.
My uncle survived a stroke in 2015.
My back is killing me after gardening.
Doctor says my blood pressure is a bit high.
I get short of breath on the stairs, I'm 80.
I had a small nosebleed on Tuesday.
I'm allergic to wasps and carry an EpiPen.
My hands go numb when it's cold.
The dentist numbed half of my face, it feels funny.
I took the whole course of antibiotics as told.
I can't stop eating chocolate.
I have taken a lot of vitamins over the winter.
My wife wants to stop taking the pill.
I give up, this form is impossible.
My grandson wants to be a stuntman and jump off roofs, kids!
Bleeding gums again, should I see the hygienist?
I was so embarrassed I wanted to disappear.
Grandpa can't move as fast as he used to.
He always talks funny, he is from Liverpool.
We went through a whole bottle of ibuprofen this winter, four of us.
I'm tired of living out of a suitcase.
Mum's speech is clear again since the therapy.
I have asthma and my chest gets tight in spring.
Jumping off the diving board makes my chest hurt.
My friend's husband took his own life in 2009.
My lips are swollen from the dentist.
""",
    "pl": """
Wzięłam dziś wszystkie leki.
Wzięłam wszystkie tabletki rano w domu.
Mój dziadek ma za sobą udar.
Biorę rano wszystkie leki na ciśnienie.
Nie chcę już iść na tę rehabilitację.
Babcia miała udar w zeszłym roku.
Zacięłam się przy goleniu, krwi było mało.
Po treningu bolą mnie ręce i klatka piersiowa.
Wzięłam dwie tabletki ibuprofenu na ból zęba.
Nie mogę teraz mówić, jestem na zebraniu.
Tata ma rozrusznik po zawale.
Przez katar trudno mi oddychać nosem.
Umieram z głodu, co zjeść na kolację?
Nie chce mi się żyć w tym mieście, szukam pracy w Gdańsku.
Dziecko połknęło pestkę wiśni.
Drętwieje mi ręka, kiedy na niej śpię.
Moja mama ma nadciśnienie i bierze leki.
Nie chcę tu być w weekend.
Nie mogę się doczekać urlopu.
Wzięłam dziś podwójną porcję zupy.
Brat miał zawał dwa lata temu, teraz czuje się dobrze.
Kładę się spać o dziesiątej i nie mogę się obudzić rano.
Mam uczulenie na osy.
Krew z nosa leciała mi wczoraj chwilę.
Zapomniałam wziąć wszystkie leki wczoraj wieczorem.
Skończyłam całe opakowanie antybiotyku zgodnie z zaleceniem.
Boli mnie kręgosłup i drętwieje noga.
Mam dość tej pracy.
Duszę warzywa na kolację.
Zabiję tego kota, znowu zrzucił kwiatek.
Życie jest piękne, ale ciężko mi wstać rano.
Synek zjadł tabletkę witaminy C.
Bolą mnie zakwasy na klatce po pompkach.
Krwawię mocno w czasie okresu.
Dziadek po udarze chodzi o lasce.
Nie mogę oddychać przez nos.
Ten upał mnie zabije.
Umrę ze wstydu na tym weselu.
Duszno tu, otwórz okno.
""",
    "ru": """
Я приняла все таблетки утром.
Приняла все таблетки сразу после еды и чувствую себя лучше.
У бабушки был инсульт.
У отца инфаркт в 50 лет.
Я пью все таблетки по расписанию.
У мамы был инфаркт пять лет назад.
Я больше не хочу ходить в этот спортзал.
У меня аллергия на пчёл, однажды опухло лицо.
Порезала палец, но кровь уже остановилась.
Не могу сейчас говорить, я в метро.
После пробежки тяжело дышать, это нормально?
У меня затекла рука, пока я спала.
Муж чуть не умер со смеху.
Выпила две таблетки от головы, стало легче.
Я выпила все лекарства, что прописал врач.
У дедушки был инсульт в 2010 году.
Не хочу жить с родителями, ищу квартиру.
У меня онемела нога, я сидела неудобно.
Сдала кровь на анализ, рука немного болит.
Ребёнок съел витамин утром.
Я не хочу туда идти.
Принимаю лекарства от давления, всё хорошо.
Сердце колотится от волнения перед экзаменом.
У меня аллергия на орехи.
Хочу жить у моря.
Умираю, как хочу спать.
Раньше у меня были панические атаки, я задыхалась.
После стоматолога онемела половина лица.
Выпил пачку кефира.
Дочка съела все конфеты.
Он говорит невнятно с детства.
""",
}
# A reaction of this moment, and one that recurs.
ALLERGY_RAISE = {
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
ALLERGY_QUIET = {
    "en": """
If I eat peanuts I get hives, so check the recipe for me.
If I eat peanuts, my throat closes up
Whenever I eat shrimp my lips get swollen and I can hardly swallow
When I take penicillin, I get hives
I get hives if I eat peanuts
My throat closes when I eat nuts
Peanuts give me hives
I get hives from peanuts
Every time my son eats eggs his face is swollen
""",
    "pl": """
Jak zjem orzeszki, dostaję pokrzywki
Gdy jem orzechy, puchnie mi gardło
Jeśli zjem krewetki, puchną mi usta
Dostaję pokrzywki, kiedy jem orzechy
""",
    "ru": """
Если я ем арахис, у меня крапивница
Когда я ем орехи, у меня отекает горло
Если съем креветок, опухают губы
""",
}
