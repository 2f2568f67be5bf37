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
