# ruff: noqa: RUF001 - Russian, Chinese and Japanese letters are meant
"""Messages about the past, about what is not so, and in passing, with their facts."""

TOLD = """
en|Does it matter that I take warfarin?|User takes warfarin
en|Can I eat grapefruit because I take statins?|User takes statins
en|Haha I live in Leeds now|User lives in Leeds
en|My wife is vegan and so am I|User is vegan
en|My wife is vegan and so am I|User's wife is vegan
de|Meine Frau ist Vegetarierin, ich auch|Nutzerin ist Vegetarierin
pl|Mój brat nie je glutenu i ja też nie|Użytkownik nie je glutenu
zh|我老婆对花生过敏，我也是|用户对花生过敏
en|Always answer in French|User wants answers in French
en|Use metric units|User prefers metric units
en|If I eat peanuts I get hives|User gets hives from peanuts
en|If I eat peanuts I get hives|User is allergic to peanuts
pl|Jeśli zjem orzechy, dostaję wysypki|Użytkownik ma alergię na orzechy
ru|Если я ем орехи, я чешусь|У пользователя аллергия на орехи
de|Wenn ich Nüsse esse, bekomme ich Ausschlag|Nutzer hat eine Allergie gegen Nüsse
de|Wenn ich Milch trinke, bekomme ich Bauchschmerzen|Nutzer bekommt von Milch Bauchschmerzen
en|My sister calls me Bob|User is called Bob
en|I was diagnosed with lupus in 2018|User has lupus
en|I was born in Lima and live in Quito|User lives in Quito
en|I had a baby in June|User has a baby
en|I'm not a fan of running but I love rowing|User loves rowing
en|I used to live in Bonn, now I live in Ulm|User lives in Ulm
en|I'm asking because I have a pacemaker, is that safe?|User has a pacemaker
de|Früher war ich Lehrer, jetzt bin ich Gärtner|Nutzer ist Gärtner
de|Ich habe aufgehört zu rauchen|Nutzer hat aufgehört zu rauchen
de|Ich wurde gestern am Knie operiert|Nutzer wurde am Knie operiert
de|Ich war beim Arzt, ich habe Gicht|Nutzer hat Gicht
pl|Przestałam pić alkohol|Użytkowniczka nie pije alkoholu
pl|Kupiłem mieszkanie w Łodzi|Użytkownik ma mieszkanie w Łodzi
pl|Byłem dziś u lekarza, mam anemię|Użytkownik ma anemię
ru|Раньше я жил в Омске, а теперь живу в Туле|Пользователь живёт в Туле
ru|Я перестала есть мясо|Пользовательница не ест мясо
ru|Мне не нравится кофе, я пью чай|Пользователь пьёт чай
zh|我以前住在上海，现在住在广州|用户住在广州
ja|去年から福岡に住んでいます|ユーザーは福岡に住んでいる
pl|Rzuciłem palenie|Użytkownik rzucił palenie
pl|Rzuciłem palenie|Użytkownik nie pali
pl|Przestałem palić|Użytkownik przestał palić
pl|Przestałam jeść mięso|Użytkowniczka nie je mięsa
en|I have lived in Paris for three years|User lives in Paris
en|I can't sleep without melatonin|User takes melatonin
en|I don't like my job at Bosch|User works at Bosch
en|I haven't seen my wife since May|User has a wife
en|I was in Rome with my wife|User has a wife
en|I was told I'm diabetic|User is diabetic
ru|Я развелся в мае|Пользователь разведён
"""
NOT_TOLD = """
en|I take 100 micrograms of thyroxine|User takes 100 milligrams of thyroxine
de|Ich nehme 100 Mikrogramm Thyroxin|Nutzer nimmt 100 Milligramm Thyroxin
en|If I eat peanuts I get hives|User eats peanuts
en|If I avoid sugar I sleep better|User avoids sugar
en|If I get a dog, I need a garden|User has a dog
en|Do you think that I have lupus?|User has lupus
en|I haven't got any pets|User has pets
de|Ich nehme das Insulin nicht mehr|Nutzer nimmt Insulin
en|Anna asked me to call back|User's name is Anna
en|Don't call me Bob|User's name is Bob
en|My sister's name is Anna|User's name is Anna
zh|我妹妹叫小王|用户叫小王
en|If I eat peanuts I get hives|User eats peanuts
de|Wenn ich im Lotto gewinne, kaufe ich ein Haus|Nutzer hat ein Haus
ru|Раньше я жила в Омске, сейчас живу в Томске|Пользовательница живёт в Омске
zh|我以前在武汉上班，现在在杭州上班|用户在武汉上班
en|I used to play the cello in college|User plays the cello
en|I lived in Denver until last year|User lives in Denver
en|I was a smoker back in 2015|User is a smoker
en|The blood test ruled out anaemia|User has anaemia
en|I tested negative for hepatitis B|User has hepatitis B
en|I gave up coffee last year|User drinks coffee
en|Everybody thinks I am shy|User is shy
de|Früher habe ich in Kiel gewohnt|Nutzer wohnt in Kiel
de|Ich war jahrelang Raucher|Nutzer ist Raucher
de|Ich trage keine Brille|Nutzer trägt eine Brille
de|Ich nehme kein Insulin|Nutzer nimmt Insulin
pl|Dawniej pracowałam w szpitalu|Użytkowniczka pracuje w szpitalu
pl|Nie jem ryb|Użytkownik je ryby
pl|Byłem palaczem|Użytkownik jest palaczem
pl|Nie mieszkamy już w Gdyni|Użytkownik mieszka w Gdyni
ru|Раньше я работал учителем|Пользователь работает учителем
ru|Я не пью молоко|Пользователь пьёт молоко
ru|Я был курильщиком|Пользователь курильщик
zh|我以前是老师|用户是老师
ja|昔は大阪に住んでいました|ユーザーは大阪に住んでいる
en|I used to live in Paris|User lives in Paris
en|I was a vegetarian until 2020|User is a vegetarian
en|I lived in Paris for ten years|User lives in Paris
de|Früher war ich Lehrer|Nutzer ist Lehrer
de|Ich wohnte in Kiel|Nutzer wohnt in Kiel
ru|Раньше я жил в Киеве|Пользователь живёт в Киеве
ru|Я курил десять лет|Пользователь курит
pl|Kiedyś mieszkałem w Łodzi|Użytkownik mieszka w Łodzi
pl|Mieszkałem w Łodzi|Użytkownik mieszka w Łodzi
zh|我以前住在北京|用户住在北京
de|Ich nehme kein Aspirin|Nutzer nimmt Aspirin
de|Ich esse kein Fleisch|Nutzer isst Fleisch
pl|Nie jem glutenu|Użytkownik je gluten
ru|Я не ем рыбу|Пользователь ест рыбу
pl|Nie jestem już nauczycielem|Użytkownik jest nauczycielem
en|I tested negative for celiac|User has celiac disease
en|The doctor ruled out celiac disease|User has celiac disease
en|I gave up smoking|User smokes
"""
