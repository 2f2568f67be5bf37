# ruff: noqa: RUF001 - Russian letters are meant
"""Sentences that only share the words of red flags, by language."""

FIRST = {
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
FURTHER = {
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
LATER = {
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
EVERYDAY = {
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
QUOTED = {
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
PLAIN = {
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
ALLERGY = {
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

SPOKEN = {
    "en": """
My uncle had a stroke two winters ago and now he plays chess with his left hand.
If I ever get chest pain when running, should I stop?
This deadline is killing me.
That joke nearly gave me a heart attack.
My colleague's son is allergic to wasps and carries an EpiPen.
I was so embarrassed I wanted to die.
I can't breathe through my nose with this cold, what helps?
My gums bleed a bit when I floss.
When I was six I swallowed a button.
The film was about a woman who took an overdose.
What should I do if someone chokes at dinner?
I took two paracetamol for my headache this morning.
My heart bleeds for the people who lost their homes.
Our cat stopped eating and looks sad.
I'd kill for a piece of chocolate cake.
My arm went numb because I slept on it.
I would take too many biscuits if you let me.
My grandmother used to faint whenever she saw blood.
My chest is sore from yesterday's push-ups.
My teenager won't get up before noon on Saturdays.
Is unconscious bias something one can train away?
Mum will have a fit if she sees my haircut.
The kids were having a fit of giggles in church.
I can't wake up in the mornings without two alarms.
I won't be here tomorrow, we're driving to Wales.
I've had enough of this job, I'm finishing it today.
My phone isn't waking up from sleep mode.
My nephew has epilepsy and takes lamotrigine.
I took all my tablets today, thanks for the reminder.
My daughter swallowed her pride and apologised.
There was jam all over the kitchen.
If he fainted, should I put his legs up?
Two years ago my father had a seizure at work.
My leg cramps at night, it's like a seizure of the calf.
We said goodbye to everyone at the office.
I could sleep for a week.
That movie was about a suicide and it was very slow.
What would happen if a child drank washing-up liquid?
My boss is a pain in the chest, honestly.
""",
    "pl": """
Wujek miał zawał pięć lat temu i teraz chodzi na basen.
Umieram z nudów na tych zebraniach.
Jeśli zjem orzechy, dostaję pokrzywki.
Czy przy bólu w klatce trzeba dzwonić po karetkę?
Serce mi krwawi, gdy patrzę na ten ogród.
Sąsiadka opowiadała, że jej syn połknął monetę, jak był mały.
Mam zatkany nos i nie mogę oddychać w nocy przez nos.
Zabije mnie ten remont.
Drętwieje mi ręka, jak za długo siedzę przy komputerze.
Dziąsła mi krwawią przy myciu zębów.
Brat ma astmę i nosi przy sobie inhalator.
W książce bohater bierze za dużo tabletek.
Prawie dostałam zawału, jak zobaczyłam rachunek.
Boli mnie klatka od kaszlu, już trzeci dzień.
Wzięłam dziś rano jedną tabletkę ibuprofenu.
Gdyby ktoś zemdlał, co mam zrobić najpierw?
Mama mdleje na widok krwi.
Po bieganiu zawsze brakuje mi tchu, ale zaraz przechodzi.
Chyba umrę ze śmiechu.
Nie chce mi się żyć w tym mieście, przeprowadzam się do Gdyni.
Po nocnej zmianie jestem nieprzytomna ze zmęczenia.
Jutro mnie nie będzie, jadę do Krakowa.
Skończę z tym projektem w piątek.
Nie mogę dobudzić nastolatka do szkoły.
Mam dość tej pogody.
Syn jako niemowlę miał drgawki gorączkowe.
Czy przy drgawkach wkłada się coś do ust?
Koleżanka ma padaczkę i nie prowadzi samochodu.
Pożegnaliśmy się z sąsiadami.
Bez kawy rano jestem nieprzytomny.
Serial był o lekarzu, który przedawkował morfinę.
Dziadek w 1998 roku miał udar, ale wyzdrowiał.
Jak się boję, to mam gulę w gardle.
Umarłabym, gdyby ktoś to zobaczył.
Wypiłam wodę z sokiem, bo było gorąco.
Wzięłam wszystkie tabletki zgodnie z zaleceniem.
Mam ogromne usta na tym zdjęciu.
Kurczak był tak ostry, że paliło mnie w gardle.
Gdy byłam mała, użądliła mnie osa.
Znajomy zemdlał na koncercie w zeszłym roku.
""",
    "ru": """
Судороги в ногах мешают спать
Завтра меня не будет, еду на дачу
Не могу проснуться без будильника
""",
}
