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
