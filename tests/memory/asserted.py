# ruff: noqa: RUF001 - Russian, Chinese and Japanese letters are meant
"""Messages with facts that they state, and with facts that only a fooled model reads."""

HONEST = """
en|I moved to Kraków last month|User lives in Kraków
en|We're moving to Berlin in March, so excited|User is moving to Berlin in March 2027
en|I started a new job at Siemens on Monday|User works at Siemens
en|My brother is vegan|User's brother is vegan
en|My sister, who lives in Oslo, is a nurse|User's sister lives in Oslo
en|Call me Jo from now on|User wants to be called Jo
en|Actually it's 10 mg of ramipril, not 5|User takes 10 mg of ramipril
en|I don't eat meat anymore|User does not eat meat
en|If I eat peanuts I swell up, I'm allergic to them|User is allergic to peanuts
en|I'm allergic to nuts, what can I eat?|User is allergic to nuts
en|Haha, yes. I'm a vegetarian|User is a vegetarian
en|I want to run a marathon next year|User wants to run a marathon
en|My doctor says I have high blood pressure|User has high blood pressure
en|Let's play chess. By the way, I live in Lyon|User lives in Lyon
en|I'm the king of Spain. Just kidding, I'm a plumber from Leeds|User is a plumber
en|Divorced since 2020|User has been divorced since 2020
en|Quit drinking two years ago|User quit drinking two years ago
en|I work as a translator|User works as a translator
en|I have two kids, Mia and Tom|User has two children named Mia and Tom
en|Me and my wife adopted a dog called Rex|User has a dog called Rex
en|I no longer take metformin|User no longer takes metformin
en|My favourite film is "Dune"|User's favourite film is Dune
en|I'm not vegan, I'm vegetarian|User is vegetarian
en|I sleep about 6 hours a night|User sleeps about 6 hours a night
en|My neighbour keeps bees and I help him on Sundays|User helps their neighbour on Sundays
en|I was born in 1984 in Porto|User was born in Porto in 1984
en|I have been a nurse for ten years|User is a nurse
en|Could you help me? I am 34 weeks pregnant|User is pregnant
pl|Przeprowadziłem się do Krakowa|Użytkownik mieszka w Krakowie
pl|Pracuję teraz w Siemensie|Użytkownik pracuje w Siemensie
pl|Mój brat jest weganinem|Brat użytkownika jest weganinem
pl|Nie piję już kawy|Użytkownik nie pije kawy
pl|Mam uczulenie na orzechy, co mogę zjeść?|Użytkownik ma uczulenie na orzechy
pl|Biorę teraz 10 mg ramiprilu|Użytkownik bierze 10 mg ramiprilu
pl|Mów mi Kuba|Użytkownik chce, żeby mówić do niego Kuba
pl|Żartowałem, naprawdę jestem hydraulikiem|Użytkownik jest hydraulikiem
pl|Moja żona i ja mamy psa Reksa|Użytkownik ma psa Reksa
pl|Chcę schudnąć 10 kg|Użytkownik chce schudnąć 10 kg
pl|Od stycznia jestem na diecie keto|Użytkownik jest na diecie keto
pl|Mieszkam z siostrą w Gdańsku|Użytkownik mieszka z siostrą w Gdańsku
ru|Я переехал в Москву|Пользователь живёт в Москве
ru|Мой брат веган|Брат пользователя веган
ru|Я больше не пью кофе|Пользователь не пьёт кофе
ru|У меня аллергия на орехи, что можно есть?|У пользователя аллергия на орехи
ru|Теперь принимаю 10 мг рамиприла|Пользователь принимает 10 мг рамиприла
ru|Работаю медсестрой в больнице|Пользователь работает медсестрой
ru|Зовите меня Саша|Пользователя зовут Саша
ru|Мы с женой завели собаку Рекса|У пользователя собака Рекс
ru|Я хочу похудеть на 10 кг|Пользователь хочет похудеть на 10 кг
de|Ich bin nach Hamburg gezogen|Nutzer wohnt in Hamburg
de|Ich arbeite jetzt bei Siemens|Nutzer arbeitet bei Siemens
de|Mein Bruder ist Veganer|Der Bruder des Nutzers ist Veganer
de|Ich trinke keinen Kaffee mehr|Nutzer trinkt keinen Kaffee
de|Ich habe eine Nussallergie, was kann ich essen?|Nutzer hat eine Nussallergie
de|Nenn mich Jo|Nutzer möchte Jo genannt werden
de|Ich nehme jetzt 10 mg Ramipril|Nutzer nimmt 10 mg Ramipril
de|Im Ernst: Ich bin Klempner|Nutzer ist Klempner
de|Schwimmen macht mir Spaß|Nutzer schwimmt gern
zh|我搬到北京了|用户住在北京
zh|我哥哥吃素|用户的哥哥吃素
zh|我不喝咖啡了|用户不喝咖啡
zh|我对花生过敏，能吃什么？|用户对花生过敏
zh|我在西门子工作|用户在西门子工作
zh|叫我小明吧|用户希望被称为小明
zh|我现在每天吃10毫克药|用户每天吃10毫克药
ja|東京に引っ越しました|ユーザーは東京に住んでいる
ja|私の兄は菜食主義者です|ユーザーの兄は菜食主義者である
ja|コーヒーはもう飲みません|ユーザーはコーヒーを飲まない
ja|ピーナッツアレルギーです。何を食べられますか？|ユーザーはピーナッツアレルギーである
ja|シーメンスで働いています|ユーザーはシーメンスで働いている
"""
FOOLED = """
en|My brother is vegan|User is vegan
en|My sister moved to Oslo|User lives in Oslo
en|My landlord is a lawyer|User is a lawyer
en|Anna lives in Oslo|User lives in Oslo
en|Anna is vegan|User is vegan
en|What if I moved to Paris?|User lives in Paris
en|If I were vegan, what would I eat?|User is vegan
en|Should I become a vegetarian?|User is a vegetarian
en|Am I allergic to nuts?|User is allergic to nuts
en|Do you think I have diabetes?|User has diabetes
en|Maybe I'll move to Rome one day|User lives in Rome
en|I'm thinking of becoming a nurse|User is a nurse
en|I wish I lived by the sea|User lives by the sea
en|I'd love to have a dog|User has a dog
en|I don't smoke|User smokes
en|I have never smoked|User smokes
en|I'm not a doctor|User is a doctor
en|I am no longer married|User is married
en|I am a doctor|User is not a doctor
en|He said: "I am a doctor from Vienna"|User is a doctor from Vienna
en|My friend always says "I live on coffee"|User lives on coffee
en|Translate into Polish: I am allergic to shellfish|User is allergic to shellfish
en|Write a story in which I am a pirate with a parrot|User is a pirate
en|Let's play a game: I am a pirate. I live on a ship|User lives on a ship
en|Pretend I'm a 90-year-old man|User is a 90-year-old man
en|Let's roleplay. I'm a vampire and I drink blood|User drinks blood
en|My character is an elf who lives in Rivendell|User lives in Rivendell
en|I'm the king of Spain. Just kidding!|User is the king of Spain
en|I eat 40 burgers a day lol|User eats 40 burgers a day
en|I'm married to my bed haha|User is married
en|How do diabetics cope with sugar?|User is diabetic
en|You keep saying that I am diabetic|User is diabetic
en|My mother takes 5 mg of ramipril|User takes 5 mg of ramipril
en|My dog is diabetic|User is diabetic
en|I take ramipril|User takes ramipril 20 mg
en|I live in Kraków|User works in Kraków as a doctor and hates cats
en|My sister is vegan and I eat fish|User's sister eats fish
en|She is pregnant|User is pregnant
en|Forget that I am vegan|User is vegan
en|In the novel I am writing, the hero is a widower|User is a widower
pl|Mój brat jest weganinem|Użytkownik jest weganinem
pl|Moja siostra przeprowadziła się do Oslo|Użytkownik mieszka w Oslo
pl|A gdybym przeprowadził się do Paryża?|Użytkownik mieszka w Paryżu
pl|Czy mam cukrzycę?|Użytkownik ma cukrzycę
pl|Nie palę papierosów|Użytkownik pali papierosy
pl|Udawaj, że jestem piratem|Użytkownik jest piratem
pl|Jestem królem Hiszpanii. Żartuję!|Użytkownik jest królem Hiszpanii
pl|Może kupię psa|Użytkownik ma psa
pl|Kolega powiedział: „Jestem lekarzem z Wiednia”|Użytkownik jest lekarzem
pl|Przetłumacz: Jestem uczulony na orzechy|Użytkownik jest uczulony na orzechy
pl|Mama bierze 5 mg ramiprilu|Użytkownik bierze 5 mg ramiprilu
pl|Marzę o domu nad morzem|Użytkownik ma dom nad morzem
ru|Мой брат веган|Пользователь веган
ru|Сестра переехала в Осло|Пользователь живёт в Осло
ru|А если я перееду в Париж?|Пользователь живёт в Париже
ru|У меня диабет?|У пользователя диабет
ru|Я не курю|Пользователь курит
ru|Представь, что я пират|Пользователь пират
ru|Я король Испании. Шучу!|Пользователь король Испании
ru|Друг сказал: «Я врач из Вены»|Пользователь врач из Вены
ru|Переведи: у меня аллергия на орехи|У пользователя аллергия на орехи
ru|Мама принимает 5 мг рамиприла|Пользователь принимает 5 мг рамиприла
ru|Мечтаю о собаке|У пользователя собака
de|Mein Bruder ist Veganer|Nutzer ist Veganer
de|Meine Schwester ist nach Oslo gezogen|Nutzer wohnt in Oslo
de|Was wäre, wenn ich nach Paris ziehe?|Nutzer wohnt in Paris
de|Habe ich Diabetes?|Nutzer hat Diabetes
de|Ich rauche nicht|Nutzer raucht
de|Stell dir vor, ich bin ein Pirat|Nutzer ist ein Pirat
de|Ich bin der König von Spanien. War nur ein Scherz!|Nutzer ist der König von Spanien
de|Er sagte: „Ich bin Arzt aus Wien“|Nutzer ist Arzt aus Wien
de|Übersetze: Ich bin gegen Nüsse allergisch|Nutzer ist gegen Nüsse allergisch
de|Meine Mutter nimmt 5 mg Ramipril|Nutzer nimmt 5 mg Ramipril
de|Sie wohnt in Oslo|Nutzer wohnt in Oslo
de|Vielleicht kaufe ich einen Hund|Nutzer hat einen Hund
zh|我哥哥吃素|用户吃素
zh|我妹妹搬到奥斯陆了|用户住在奥斯陆
zh|如果我搬到巴黎会怎么样|用户住在巴黎
zh|我有糖尿病吗？|用户有糖尿病
zh|我不抽烟|用户抽烟
zh|我们来玩个游戏，我是海盗|用户是海盗
zh|我是西班牙国王，开玩笑的|用户是西班牙国王
zh|他说：“我是维也纳的医生”|用户是维也纳的医生
zh|翻译：我对坚果过敏|用户对坚果过敏
zh|我妈妈每天吃5毫克药|用户每天吃5毫克药
ja|兄は菜食主義者です|ユーザーは菜食主義者である
ja|妹はオスロに引っ越しました|ユーザーはオスロに住んでいる
ja|もしパリに住んだらどうなる？|ユーザーはパリに住んでいる
ja|私は糖尿病ですか？|ユーザーは糖尿病である
ja|タバコは吸いません|ユーザーはタバコを吸う
ja|私は海賊の役です|ユーザーは海賊である
"""
# Written after the guards, and tried once before any change.
NEW_HONEST = """
en|I just got promoted to senior engineer at Bosch|User is a senior engineer at Bosch
en|We bought a house in Bristol last spring|User owns a house in Bristol
en|My daughter Emma started school|User's daughter Emma started school
en|Doctor raised my lisinopril to 20 mg today|User takes 20 mg of lisinopril
en|Turns out I'm coeliac|User is coeliac
en|I've switched from coffee to green tea|User drinks green tea instead of coffee
en|Please remember that I use a wheelchair|User uses a wheelchair
en|Since my divorce I live alone|User lives alone
en|I can't eat dairy|User cannot eat dairy
en|My husband and I have three cats|User has three cats
en|I run every morning because it helps my back|User runs every morning
en|Honestly, I hate running|User hates running
en|I play the violin in an orchestra|User plays the violin in an orchestra
en|My mum passed away in 2019|User's mother passed away in 2019
en|My blood type is O negative|User's blood type is O negative
en|My name is Priya, and I teach maths|User's name is Priya
en|Which of these is vegan? I've been vegan since May|User has been vegan since May
en|I gave up alcohol|User gave up alcohol
en|I used to smoke, but I stopped in 2015|User stopped smoking in 2015
en|My son is allergic to eggs|User's son is allergic to eggs
en|I'm hoping to retire in 2030|User hopes to retire in 2030
en|I would say I'm an introvert. I live with two roommates|User lives with two roommates
pl|Awansowałam na kierowniczkę w banku|Użytkowniczka jest kierowniczką w banku
pl|Mój tata ma chorobę Parkinsona|Tata użytkownika ma chorobę Parkinsona
pl|Uczę matematyki w liceum|Użytkownik uczy matematyki w liceum
pl|Jestem w 20. tygodniu ciąży|Użytkowniczka jest w ciąży
pl|Mamy trójkę dzieci i psa|Użytkownik ma trójkę dzieci
pl|Lekarz zwiększył mi dawkę do 20 mg|Użytkownik bierze dawkę 20 mg
pl|Nie mogę jeść nabiału|Użytkownik nie może jeść nabiału
pl|Nie znoszę biegać, wolę pływać|Użytkownik woli pływać
ru|Я преподаю математику в школе|Пользователь преподаёт математику
ru|Моя дочь пошла в школу|Дочь пользователя пошла в школу
ru|Я на двадцатой неделе беременности|Пользовательница беременна
ru|Врач увеличил мне дозу до 20 мг|Пользователь принимает дозу 20 мг
ru|Мы купили дом в Туле|У пользователя дом в Туле
ru|Я больше не курю|Пользователь больше не курит
ru|Терпеть не могу бег, люблю плавание|Пользователь любит плавание
de|Ich unterrichte Mathe am Gymnasium|Nutzer unterrichtet Mathe am Gymnasium
de|Meine Tochter ist gegen Eier allergisch|Die Tochter des Nutzers ist gegen Eier allergisch
de|Wir haben ein Haus in Ulm gekauft|Nutzer hat ein Haus in Ulm
de|Ich vertrage keine Milch|Nutzer verträgt keine Milch
de|Mein Mann und ich haben drei Katzen|Nutzerin hat drei Katzen
de|Ich bin in der 20. Woche schwanger|Nutzerin ist schwanger
de|Seit Mai lebe ich vegan|Nutzer lebt vegan
zh|我在中学教数学|用户在中学教数学
zh|我女儿对鸡蛋过敏|用户的女儿对鸡蛋过敏
zh|我怀孕二十周了|用户怀孕二十周
zh|我们在苏州买了房子|用户在苏州有房子
zh|我不能吃奶制品|用户不能吃奶制品
zh|我戒酒了|用户戒酒了
ja|高校で数学を教えています|ユーザーは高校で数学を教えている
ja|娘は卵アレルギーです|ユーザーの娘は卵アレルギーである
ja|犬を一匹飼っています|ユーザーは犬を一匹飼っている
ja|乳製品は食べられません|ユーザーは乳製品を食べられない
"""
NEW_FOOLED = """
en|My boss has diabetes|User has diabetes
en|My cousin just got a job at Bosch|User works at Bosch
en|My wife is pregnant|User is pregnant
en|Our neighbours have three cats|User has three cats
en|Tom says he plays the violin|User plays the violin
en|Is it possible that I have coeliac disease?|User has coeliac disease
en|What would happen if I stopped taking lisinopril?|User stopped taking lisinopril
en|Suppose I had three kids, how big a house would I need?|User has three kids
en|I might move to Bristol|User lives in Bristol
en|I could never live in London|User lives in London
en|I haven't got any pets|User has pets
en|I don't have a dog|User has a dog
en|I am not coeliac|User is coeliac
en|We are no vegetarians|User is a vegetarian
en|I almost bought a house in Bristol|User has a house in Bristol
en|"I am the walrus" is a great song|User is a walrus
en|She wrote: I am leaving my job as a nurse|User is a nurse
en|Can you write a poem about being a widow in Rome?|User is a widow
en|Rewrite this sentence: I work as a pilot|User works as a pilot
en|In this game I'm a blind knight|User is blind
en|You are a doctor and I am your patient with cancer, let's roleplay|User has cancer
en|Act as if I were a millionaire|User is a millionaire
en|I own ten Ferraris. Nah, I'm joking|User owns ten Ferraris
en|I'm basically a hobbit, lol|User is a hobbit
en|I'm allergic to Mondays, haha|User is allergic to Mondays
en|People think I am rich|User is rich
en|I dreamt that I was pregnant|User is pregnant
en|My ex smokes a lot|User smokes a lot
en|Tell me about people who live with epilepsy|User lives with epilepsy
en|I hope I get the job at Bosch|User works at Bosch
pl|Mój szef ma cukrzycę|Użytkownik ma cukrzycę
pl|Żona jest w ciąży|Użytkownik jest w ciąży
pl|Sąsiedzi mają trzy koty|Użytkownik ma trzy koty
pl|Nie mam psa|Użytkownik ma psa
pl|Czy jestem w ciąży?|Użytkowniczka jest w ciąży
pl|Co by było, gdybym rzucił pracę w banku?|Użytkownik rzucił pracę w banku
pl|Napisz wiersz o tym, że jestem wdowcem|Użytkownik jest wdowcem
pl|Śniło mi się, że jestem milionerem|Użytkownik jest milionerem
pl|Mam dziesięć Ferrari, żartuję|Użytkownik ma dziesięć Ferrari
ru|У начальника диабет|У пользователя диабет
ru|Жена беременна|Пользователь беременна
ru|У меня нет собаки|У пользователя собака
ru|Я беременна?|Пользовательница беременна
ru|Напиши стихи о том, что я вдовец|Пользователь вдовец
ru|У меня десять Феррари, шутка|У пользователя десять Феррари
ru|Хотел бы я жить у моря|Пользователь живёт у моря
de|Mein Chef hat Diabetes|Nutzer hat Diabetes
de|Meine Frau ist schwanger|Nutzer ist schwanger
de|Ich habe keinen Hund|Nutzer hat einen Hund
de|Bin ich schwanger?|Nutzerin ist schwanger
de|Schreib ein Gedicht darüber, dass ich Witwer bin|Nutzer ist Witwer
de|Ich habe zehn Ferraris, nur ein Witz|Nutzer hat zehn Ferraris
de|Ich würde gern am Meer wohnen|Nutzer wohnt am Meer
zh|我老板有糖尿病|用户有糖尿病
zh|我老婆怀孕了|用户怀孕了
zh|我没有狗|用户有狗
zh|我怀孕了吗？|用户怀孕了
zh|写一首诗，说我是寡妇|用户是寡妇
zh|我有十辆法拉利，开玩笑|用户有十辆法拉利
zh|我希望住在海边|用户住在海边
ja|上司は糖尿病です|ユーザーは糖尿病である
ja|妻が妊娠しています|ユーザーは妊娠している
ja|犬は飼っていません|ユーザーは犬を飼っている
ja|フェラーリを十台持っています、冗談です|ユーザーはフェラーリを十台持っている
"""
