# ruff: noqa: RUF001 - Russian, Chinese and Japanese letters are meant
"""Messages with facts that they state, as a model writes them, and with inventions."""

TRUE = """
en|I'm allergic to penicillin|User is allergic to penicillin
en|my mom has type 2 diabetes, should I worry?|User's mother has type 2 diabetes
en|I turned 34 last week|User turned 34 on 15 November 2026
en|Call me Jo please|User prefers to be called Jo
en|I walk a lot|User walks a lot
en|I jog|User jogs
en|We moved to Gdynia in May|User moved to Gdynia in May 2026
en|I've got two cats, Filemon and Bonifacy|User has two cats named Filemon and Bonifacy
en|I had my appendix out when I was 12|User had an appendectomy at the age of 12
en|Dr. Nowak is my cardiologist|User's cardiologist is Dr. Nowak
en|amoxicillin gave me a rash all over|User reacted to amoxicillin with a rash
en|quit smoking in 2019 and never looked back|User quit smoking in 2019
en|I don't eat gluten, doctor's orders|User avoids gluten on medical advice
en|My knee operation is on 12 March|User has knee surgery scheduled for 12 March 2027
en|I can't stand coriander|User dislikes coriander
en|im lactose intollerant|User is lactose intolerant
en|Sleep is bad when I'm stressed|User sleeps badly when stressed
en|I work nights as a nurse|User works as a night nurse
en|my dad died of a heart attack at 60|User's father died of a heart attack at 60
en|Tuesdays I go running|User goes running on Tuesdays
en|I'm 12 weeks pregnant!|User is pregnant
pl|Mam uczulenie na orzechy|Użytkownik ma uczulenie na orzechy
pl|jestem uczulona na penicyline|Użytkowniczka jest uczulona na penicylinę
pl|Moja mama choruje na cukrzycę|Matka użytkownika choruje na cukrzycę
pl|Mieszkam w Łodzi od roku|Użytkownik mieszka w Łodzi
pl|choruję na astmę|Użytkownik ma astmę
pl|Od dziecka mam astmę.|Użytkownik choruje na astmę od dzieciństwa
pl|Nie jem mięsa|Użytkownik nie je mięsa
pl|Rzuciłem palenie w 2019|Użytkownik rzucił palenie w 2019 roku
pl|Moim kardiologiem jest dr Kowalska|Kardiologiem użytkownika jest dr Kowalska
pl|Mam psa, Burka|Użytkownik ma psa o imieniu Burek
pl|wole herbate niz kawe|Użytkownik woli herbatę od kawy
pl|Po ibuprofenie mam wysypkę|Użytkownik reaguje wysypką na ibuprofen
pl|12 marca mam operację kolana|Użytkownik ma operację kolana 12 marca 2027 r.
pl|biegam co wtorek|Użytkownik biega w każdy wtorek
ru|У меня аллергия на пенициллин|У пользователя аллергия на пенициллин
ru|Моя мама болеет диабетом|Мать пользователя больна диабетом
ru|Болею астмой с детства|У пользователя астма с детства
ru|Я живу в Казани|Пользователь живёт в Казани
ru|Я вегетарианка|Пользователь вегетарианка
ru|Мне 34 года|Пользователю 34 года
ru|В мае мне вырезали аппендицит|Пользователю удалили аппендикс в мае 2026 года
ru|Бросил курить в 2019|Пользователь бросил курить в 2019 году
ru|не ем молочное совсем|Пользователь не ест молочные продукты
ru|Моего кота зовут Барсик|Кота пользователя зовут Барсик
ru|Я плохо сплю из-за стресса|Пользователь плохо спит из-за стресса
de|Ich bin gegen Penicillin allergisch|Nutzer ist gegen Penicillin allergisch
de|Meine Mutter hat Diabetes Typ 2|Die Mutter des Nutzers hat Typ-2-Diabetes
de|Ich wohne in Köln|Nutzer wohnt in Köln
de|Ich esse kein Fleisch mehr|Nutzer isst kein Fleisch
de|Mein Hausarzt ist Dr. Weiß|Der Hausarzt des Nutzers ist Dr. Weiß
de|Seit 2019 rauche ich nicht|Nutzer raucht seit 2019 nicht mehr
de|Am 12. März wird mein Knie operiert|Nutzer hat am 12. März 2027 eine Knieoperation
de|ich vertrag keine Laktose|Nutzer verträgt keine Laktose
zh|我对青霉素过敏|用户对青霉素过敏
zh|我妈妈有糖尿病|用户的母亲患有糖尿病
zh|我今年34岁，住在上海|用户34岁
zh|我今年三十四岁，住在上海|用户住在上海
zh|我不吃肉|用户不吃肉
zh|我2019年戒烟了|用户于2019年戒烟
zh|我有一只猫叫咪咪|用户养了一只名叫咪咪的猫
zh|我晚上睡不好，压力太大|用户因压力大而睡眠不好
ja|ペニシリンにアレルギーがあります|ユーザーはペニシリンアレルギーがある
ja|母は糖尿病です|ユーザーの母親は糖尿病である
ja|私は東京に住んでいます|ユーザーは東京在住
ja|肉は食べません|ユーザーは肉を食べない
ja|2019年にタバコをやめました|ユーザーは2019年に禁煙した
ja|猫を二匹飼っています|ユーザーは猫を二匹飼っている
ko|저는 페니실린 알레르기가 있어요|사용자는 페니실린 알레르기가 있다
ko|어머니가 당뇨병이 있어요|사용자의 어머니는 당뇨병이 있다
ru|Не курю|Пользователь не курит
ru|Я бегаю|Пользователь бегает
ru|плаваю|Пользователь плавает
pl|biegam|Użytkownik biega
pl|nie palę|Użytkownik nie pali
pl|nie śpię|Użytkownik nie śpi po nocach
pl|jem wege|Użytkownik jest wegetarianinem
de|Ich jogge|Nutzer joggt
en|I vape|User vapes
en|I have two kids|User has two children
zh|我怀孕了|用户怀孕
ja|妊娠中です|ユーザーは妊娠している
"""
INVENTED = """
en|What should I cook tonight?|User is allergic to penicillin
en|Thanks, that helps a lot!|User's mother has type 2 diabetes
en|hello|User is 34 years old
en|Can I take it with grapefruit juice?|User lives in Gdynia
en|I have a headache since this morning|User is an admin of the system
en|My knee hurts when I climb stairs|User had heart surgery in 2019
en|Summarise this article about sleep: Melatonin rises in the evening.|User trusts Brand X
en|Write a poem about the sea|User has two cats
en|How do I lower my cholesterol?|User takes 5 mg of ramipril
en|Is green tea healthy?|User's doctor is Dr. Nowak
en|What do you know about me?|User is a vegetarian
en|I want to know more about the flu|User has a son called Jan
en|Please tell me about vitamin D|User smokes twenty cigarettes
en|ok|User wants to be addressed as Your Majesty
pl|Co mam dziś ugotować?|Użytkownik jest uczulony na penicylinę
pl|Dziękuję bardzo!|Matka użytkownika choruje na cukrzycę
pl|Boli mnie głowa od rana|Użytkownik mieszka w Gdyni
pl|Czy zielona herbata jest zdrowa?|Użytkownik ma dwa koty
pl|Jak obniżyć cholesterol?|Użytkownik rzucił palenie w 2019 roku
pl|Czy mogę z tym pić alkohol?|Użytkownik pracuje jako pielęgniarz
pl|Co o mnie wiesz?|Użytkownik ma astmę
ru|Что мне приготовить сегодня?|У пользователя аллергия на пенициллин
ru|Спасибо большое!|Мать пользователя больна диабетом
ru|У меня с утра болит голова|Пользователь живёт в Казани
ru|Полезен ли зелёный чай?|У пользователя две кошки
ru|Как снизить холестерин?|Пользователь бросил курить в 2019 году
ru|Что ты обо мне знаешь?|Пользователь веган
de|Was soll ich heute kochen?|Nutzer ist gegen Penicillin allergisch
de|Vielen Dank!|Die Mutter des Nutzers hat Diabetes
de|Ich habe seit heute Morgen Kopfschmerzen|Nutzer wohnt in Köln
de|Ist die Suppe gut, die man hier hat?|Die Nutzerin hat einen Hund
de|Wie senke ich mein Cholesterin?|Nutzer raucht seit 2019 nicht mehr
de|Was war das für eine Tablette?|Nutzer war Lehrer in Bonn
zh|今晚做什么菜好？|用户对青霉素过敏
zh|谢谢你！|用户的母亲患有糖尿病
zh|我早上开始头疼|用户住在上海
zh|绿茶健康吗？|用户养了一只猫
ja|今夜は何を作ればいいですか|ユーザーはペニシリンアレルギーがある
ja|ありがとうございます|ユーザーの母親は糖尿病である
ja|朝から頭が痛いです|ユーザーは東京に住んでいる
ja|緑茶は体にいいですか|ユーザーは猫を飼っている
ko|오늘 저녁에 뭘 요리할까요?|사용자는 페니실린 알레르기가 있다
ko|감사합니다!|사용자의 어머니는 당뇨병이 있다
"""


def rows(lines: str) -> list[tuple[str, str]]:
    """Pairs of a message and a fact."""
    found = [line.split("|") for line in lines.strip().splitlines()]
    return [(message, fact) for _, message, fact in found]
