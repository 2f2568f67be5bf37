# ruff: noqa: RUF001 -- letters of all the world
"""Short texts of papers in the encodings of the world; lines are parted by "|".

`SEEN` were there when the rules of `encodings.py` were written, `APART` were not looked at.
"""

SEEN = (
    (
        "cp1252",
        "Größe;173 cm|Nüchternblutzucker;95 mg/dl|Bemerkung;Müdigkeit, Übelkeit – bitte prüfen",
    ),
    (
        "cp1252",
        "Glycémie à jeun;0,95 g/l|Allergie;pénicilline, éruption cutanée|Remarque;à contrôler",
    ),
    (
        "cp1252",
        "Glucosa en ayunas;95|Alergia;mariscos, hinchazón|Observación;niño de 4 años",
    ),
    (
        "cp1250",
        "Badanie;Wynik|Glukoza na czczo;95 mg/dl|Uwagi;pacjent zgłosił się z bólem głowy, źle śpi",
    ),
    (
        "iso8859_2",
        "Badanie;Wynik|Żelazo;55|Uwagi;pacjentka zgłosiła się z bólem głowy, źle śpi, zażywa leki",
    ),
    (
        "cp1250",
        "Vyšetření;Výsledek|Krevní cukr nalačno;5,3|Poznámka;užívá léky na štítnou žlázu",
    ),
    (
        "cp1250",
        "Vizsgálat;Eredmény|Éhgyomri vércukor;5,3|Megjegyzés;fejfájás, hőemelkedés, gyűrűs fű",
    ),
    (
        "cp1254",
        "Tahlil;Sonuç|Açlık kan şekeri;95|Açıklama;baş ağrısı, halsizlik, göğüs",
    ),
    ("cp1251", "Анализ;Результат|Глюкоза натощак;5,3|Замечание;аллергия на пенициллин"),
    ("koi8_r", "Анализ;Результат|Глюкоза натощак;5,3|Замечание;аллергия на пенициллин"),
    ("cp866", "Анализ;Результат|Глюкоза натощак;5,3|Замечание;аллергия на пенициллин"),
    (
        "cp1251",
        "Аналіз;Результат|Глюкоза натще;5,3|Примітка;алергія на пеніцилін, її дитина",
    ),
    (
        "cp1253",
        "Εξέταση;Αποτέλεσμα|Γλυκόζη νηστείας;95|Παρατήρηση;αλλεργία στην πενικιλίνη",
    ),
    ("cp1255", "בדיקה;תוצאה|גלוקוז בצום;95|הערה;אלרגיה לפניצילין"),
    ("cp1256", "التحليل;النتيجة|سكر الدم صائم;95|ملاحظة;حساسية من البنسلين"),
    (
        "cp1257",
        "Tyrimas;Rezultatas|Gliukozė nevalgius;5,3|Pastaba;alergija penicilinui, šlapimo tyrimas, ūžesys ausyse, širdžiai",
    ),
    ("cp874", "การตรวจ;ผล|น้ำตาลในเลือด;95|หมายเหตุ;แพ้ยาเพนิซิลลิน"),
    ("cp932", "検査;結果|空腹時血糖;95|備考;ペニシリンアレルギーがあります"),
    ("euc_jp", "検査;結果|空腹時血糖;95|備考;ペニシリンアレルギーがあります"),
    ("iso2022_jp", "検査;結果|空腹時血糖;95|備考;ペニシリンアレルギーがあります"),
    ("gbk", "检查项目;结果|空腹血糖;5.3|备注;对青霉素过敏，需要注意"),
    ("big5", "檢查項目;結果|空腹血糖;95|備註;對盤尼西林過敏,請注意"),
    ("cp949", "검사;결과|공복 혈당;95|비고;페니실린 알레르기가 있습니다"),
    (
        "cp852",
        "Badanie;Wynik|Glukoza;95|Uwagi;pacjent zgłosił się z bólem głowy, źle śpi",
    ),
    ("cp850", "Größe;173|Blutzucker nüchtern;95|Bemerkung;Müdigkeit, Übelkeit prüfen"),
    (
        "mac_roman",
        "Glycémie à jeun;0,95|Allergie;pénicilline, éruption|Remarque;à contrôler",
    ),
    (
        "iso8859_7",
        "Εξέταση;Αποτέλεσμα|Γλυκόζη νηστείας;95|Παρατήρηση;αλλεργία στην πενικιλίνη",
    ),
    ("iso8859_9", "Tahlil;Sonuç|Açlık kan şekeri;95|Açıklama;baş ağrısı"),
    ("iso8859_5", "Анализ;Результат|Глюкоза натощак;5,3|Замечание;аллергия"),
    ("utf-16-le", "Größe;173|Blutzucker;95"),
    ("cp1252", "Età;45|Allergia;sì, è grave|Pressione;perché alta"),
    ("cp1252", "Längd;173|Allergi;nötter, ägg"),
    ("cp1252", "Højde;173|Allergi;nødder, æg, frugt på træ"),
    ("cp1252", "Pressão;alta|Medicação;não|Alergia;camarão"),
    ("cp1250", "Înălţime;173|Alergie;polen, praf, mâncare de peşte"),
    (
        "cp1250",
        "Visina;173|Alergija;pčele, školjke, mliječni proizvodi, svježi češnjak",
    ),
    ("cp1251", "АЛЛЕРГИЯ: ПЕНИЦИЛЛИН"),
    ("cp1251", "Алергия;пеницилин|Лекарство;метформин, сутрин и вечер"),
)
APART = (
    (
        "cp1252",
        "Hausarztpraxis Dr. Böhm|Diagnose: chronische Müdigkeit, Verdacht auf Zöliakie|Bitte kein Weißbrot",
    ),
    ("cp850", "Rezept für Käthe Müßig|Täglich eine Tablette, nüchtern"),
    (
        "cp1252",
        "Ordonnance|Doliprane, un comprimé trois fois par jour après les repas, jusqu’à la fin de la fièvre",
    ),
    ("cp1252", "Mon père est né à Béziers, ma sœur a été opérée du genou"),
    (
        "cp1252",
        "Informe médico|Paciente de 34 años, embarazo de 20 semanas, sin alergias. Próxima revisión: miércoles",
    ),
    (
        "cp1252",
        "Referto|Il paziente è allergico alla penicillina; pressione più alta la mattina, perciò controllo martedì",
    ),
    (
        "cp1252",
        "Relatório|O doente não tem febre; alergia à penicilina; próxima consulta em março",
    ),
    (
        "cp1252",
        "Läkarintyg|Patienten är överkänslig mot nötter och mjölk. Återbesök på fredag",
    ),
    ("cp1252", "Lääkärintodistus|Potilas on yliherkkä pähkinöille, käytössä Thyroxin"),
    (
        "cp1250",
        "Zaświadczenie lekarskie|Pacjentka w ciąży, uczulona na orzechy, przyjmuje żelazo. Następna wizyta we wtorek",
    ),
    (
        "iso8859_2",
        "Wypis ze szpitala|Rozpoznanie: zapalenie płuc, leczenie antybiotykiem, poprawa. Kontrola za tydzień",
    ),
    ("cp852", "Mama bierze lek na ciśnienie, córka ma astmę, a syn uczulenie na pyłki"),
    (
        "cp1250",
        "Lékařská zpráva|Pacientka je alergická na ořechy, užívá lék na vysoký tlak, příští kontrola v úterý",
    ),
    (
        "cp1250",
        "Lekárska správa|Pacient je alergický na orechy, užíva liek na vysoký tlak, ďalšia kontrola vo štvrtok",
    ),
    (
        "cp1250",
        "Zárójelentés|A beteg allergiás a dióra, vérnyomáscsökkentőt szed, következő vizsgálat kedden lesz, időpont egyeztetendő",
    ),
    (
        "cp1250",
        "Scrisoare medicală|Pacienta este alergică la nuci şi ia fier în fiecare dimineaţă",
    ),
    (
        "cp1250",
        "Otpusno pismo|Bolesnik je alergičan na orahe, uzima lijek za tlak, sljedeći pregled u četvrtak, možda ranije",
    ),
    (
        "cp1254",
        "Doktor raporu|Hasta fındığa alerjisi olduğunu söylüyor, tansiyon ilacı kullanıyor, bir sonraki kontrol salı günü",
    ),
    (
        "cp1257",
        "Gydytojo pažyma|Pacientė alergiška riešutams, vartoja vaistus nuo aukšto kraujospūdžio, kitas vizitas antradienį",
    ),
    (
        "cp1251",
        "Выписка|Пациентка принимает железо, аллергии на лекарства нет. Следующий приём во вторник",
    ),
    ("koi8_r", "У мамы гипертония, у сына астма, сама пью левотироксин каждое утро"),
    ("cp866", "Рецепт: метформин утром и вечером во время еды"),
    (
        "cp1251",
        "Довідка|Пацієнтка приймає залізо, алергії на ліки немає. Наступний прийом у вівторок",
    ),
    (
        "cp1251",
        "Медицинска бележка|Пациентът е алергичен към орехи и приема лекарство за кръвно",
    ),
    (
        "cp1253",
        "Ιατρική βεβαίωση|Η ασθενής είναι αλλεργική στους ξηρούς καρπούς και παίρνει σίδηρο κάθε πρωί",
    ),
    ("cp1255", "מכתב שחרור|המטופלת אלרגית לאגוזים ונוטלת ברזל כל בוקר"),
    ("cp1256", "تقرير طبي|المريضة لديها حساسية من المكسرات وتتناول الحديد كل صباح"),
    ("cp874", "ใบรับรองแพทย์|ผู้ป่วยแพ้ถั่วและกินยาธาตุเหล็กทุกเช้า"),
    ("cp932", "診断書|患者はナッツにアレルギーがあり、毎朝鉄剤を飲んでいます。"),
    ("euc_jp", "次の診察は火曜日です。薬は朝食の後に飲んでください。"),
    ("iso2022_jp", "母は高血圧で、毎朝薬を飲んでいます。"),
    ("gbk", "诊断证明|患者对坚果过敏，每天早上服用铁剂。下次复诊在星期二。"),
    ("big5", "診斷證明|患者對堅果過敏,每天早上服用鐵劑。下次複診在星期二。"),
    ("cp949", "진단서|환자는 견과류 알레르기가 있으며 매일 아침 철분제를 복용합니다."),
    ("utf-16-be", "Besuch beim Arzt am Dienstag"),
    ("utf-16-le", "Allergie: Nüsse und Äpfel"),
)
# Both readings are words: a person is asked.
UNSURE = (
    ("cp1250", "cp1252", "dzień; ból kończyn"),
    ("cp1252", "cp1250", "mañana; niño, canción"),
    ("koi8_r", "cp1255", "АЛЛЕРГИЯ: ПЕНИЦИЛЛИН"),
)
