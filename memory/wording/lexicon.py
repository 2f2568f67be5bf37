"""The word lists that remain: what a text is compared without, and whose it is.

What a sentence means is judged by models and examples, not here. Words are in lower
case; `memory.wording.words` folds them as it folds texts.
"""

# By language: it is recognised by the words that only it has. Left out of German is
# what is another word in English, such as "die" and "gut".
STOP_WORDS = {
    "en": """
a about after again all also always am an and any anything are aren as at be because
been before being between both but by can could couldn d did didn do does doesn doing
don during each else ever few for from further get give had hadn has hasn have haven
having he her here hers him his how i if in into is isn it its itself just kind know let
ll lot make many may me might mine more most much must my no nor not now of off on once
one only or other our ours out over own please re s same shall she should shouldn so
some something such t tell than that the their theirs them then there these they thing
things this those through to too under until up us ve very want was wasn way we were
weren what when where which while who whom whose why will with won would wouldn yet you
your yours
""",
    "pl": """
a aby ale ani bardzo bez bo być był była było byli były będzie będę chcę ci ciebie cię
co coś czy dla do gdy gdzie go i ich im ile ja jak jaka jaki jakie jako je jego jej jest
jestem jeszcze jesteś już każdy kiedy kim kto która które który ma mam mamy masz mi mnie
mną moi moja moje mojej mojego moim może mu mój my na nad nam nas nasz nie nich nim niż
no o od on ona one oni ono oraz po pod przed przez przy proszę sam się są ta tak tam te
tego tej ten też to tobie tu tutaj twoja twoje twój ty tych tylko tym w we więc wszystko
wy z za ze że żeby
""",
    "ru": """
а без бы был была были было быть в вам вас ваш весь во вот все всё вы где да для до его
ее её если есть еще ещё же за здесь и из или им их к как какая какие какой когда кто ли
меня мне мной мое моё моего моей мои мой моя моём мы на над нам нас наш не него нее неё
нет ни них но ну о об он она они оно от по под при про с сам себя со так также там те
тебе тебя то тобой тоже только том ты у уже что чтобы чем эта эти это этот я
""",
    "de": """
aber als am an auf aus bei beim bis da damit dann das dass dein deine dem den der des
dich dir doch du durch ein eine einem einen einer eines er es für gegen haben habe hast ich
ihm ihn ihr im ist kann mein meine meinem meinen meiner mich mir mit nach noch nun ob
oder schon sehr sein seit seine sich sie sind um und uns vom von vor wegen weil wenn
werde werden wie wir wird wo zu zum zur über
""",
}

# Further words by which a language is recognised. A search compares them.
SHOWING = {
    "en": "m mum dad went got today tomorrow yesterday",
    "de": """
abends ahnung arbeite danke darf das deiner der die einmal ne nen ner gestern gibt guten heiße heißt heute kann kannst
geht hatte durfte kein keine könnte morgens muss musst musste müssen möchte nehme nicht schwanger tschüss unser unsere vergiss
soll sollte täglich viele vielen wann warum was will so also her all not welche welcher wer wohne wohnt wurde zurzeit
""",
    "es": """
a además adiós ahora al alguna alguno antes así ayer años aún buenas buenos cada como
con cuando cuál cuándo cuánto cuántos cómo damos de del desde después donde dos duele dónde e
el ella ellas ellos en entre era eres es esa ese eso esta estaba este esto estoy está
están estás fue fui gracias gusta gustan ha hace han hasta hay he hermana hermano hija
hijo hijos hola hoy la le les llama llamo lo los luego mañana me mi mis mucha muchas
mucho muchos muy más mí nada necesito ni no noche nos nosotros nunca o olvida olvidar
otra otro para pastilla pastillas pero por porque puede puedes puedo que quien quiero
quién qué recuerda se según si siempre siento sin sobre solo son su sus sé sí también te
tengo tiene tienes toda todavía todo trabajo tu tus tuve tú un una usted ustedes y ya yo
él
""",
    "fr": """
ai au aux avec bonjour c ce cela ces cet cette comme d dans de des deux du elle elles en
est et eu il ils j je l la le les leur lui m ma mais me merci mes moi mon même n ne non
nos notre nous on ont ou oui où par pas plus pour qu quand que quel quelle quels qui
quoi s sa salut sans se ses si son sont suis sur t ta te tes toi ton très tu un une vos
votre vous y à ça étais était été être
""",
    "it": """
a ad al alla anche avere avevo c che chi ciao come con cosa da dal dalla dei del della
delle di dopo dove e ed era gli grazie ha hai ho i il in io l la le lei li lo loro lui
ma mai me mi mia mie miei mio molto nel nella no noi non nostra nostro o ogni per perché
più poi posso quale quando quanto quella quello questa questo qui sa sai se sei sempre
si sono sta sto su sua suo sì ti tra tu tua tuo un una uno vi voi è
""",
    "pt": """
a ainda ao as com como da das de dela dele depois desde do dos e ela ele eles em era
essa esse esta este estou está eu foi há isso isto já lhe mais mas me mesmo meu meus mim
minha minhas moro muita muito na nas no nos não nós o obrigada obrigado olá onde os ou
para pela pelo por porque posso qual quando quanto que quem se sem ser seu sim sobre sou
sua são também te tem tenho teu tomo tu tua tudo um uma você à às é
""",
    "nl": """
aan als bedankt ben bij daar dan dat de deze die dit doen door een en er geen graag haar
heb hebben heeft heel hem het hier hij hoe hun ik in is ja je jij jouw kan kun maar me
met mij mijn moet na naar nee niet nog nu of om omdat ons onze ook op over te tot u uit
van veel voor waar waarom wanneer was wat we weet wel wie wil worden wordt zal ze zij
zijn zo zonder
""",
}

# Letters that show a language where no word does.
LETTERS = {"pl": "ąęłńśźż", "de": "ß", "es": "ñ¿¡"}

SMALL_TALK = {
    "en": """
hello hi hey hiya thanks thank cheers welcome ok okay yes yeah yep nope bye goodbye good
great nice really quite well say says said see sure lol haha
""",
    "pl": """
cześć hej witaj dzięki dziękuję dobra dobrze dobranoc spoko pa jasne fajnie super
hi ok okay lol haha
""",
    "ru": """
привет здравствуй здравствуйте спасибо пока хорошо ладно ок ага отлично
""",
    "de": """
hallo moin servus danke bitte tschüss ja nein super hi ok okay lol haha
""",
}

# Words before a full stop that ends no sentence: titles, streets, units and the like. Left out
# are those that often end one, such as "etc." and "usw.".
ABBREVIATIONS = """
dr mr mrs ms mx prof st jr sr rev vs approx dept appt e.g i.e tab tabl
ca hr fr frl str bzw bspw evtl ggf inkl tägl gg gem allg med z.b d.h u.a
lek ul al pl os np tzn godz tel św m.in inż mgr pt zob
ул пр пер д-р проф г-н г-жа т.е т.к т.д вул просп
sra srta dra uds aprox ej p.ej
mme mlle env p.ex
dott sig prof.ssa dott.ssa sig.ra
mevr dhr bijv o.a
mudr ing tzv např
bl.a f.eks t.ex kl
doç sn örn
"""
# Units before a full stop, where a sentence may begin with a small letter.
DOSES = "mg mcg µg g kg ml dl l tbsp tsp iu ie j.m мг мкг мл"

# Words for the user in facts.
USER = """
user użytkownik użytkownika użytkownikowi użytkowniczka użytkowniczki użytkowniczce
пользователь пользователя пользователю пользовательница пользовательницы anwender anwenderin nutzer
nutzers nutzerin benutzer benutzers benutzerin usuario usuaria utilisateur utilisatrice
utente utilizador utilizadora gebruiker gebruikster користувач користувача
用户 ユーザー 使用者
"""
# Those of the user, by the word for which the memory page has a heading.
RELATIONS = """
mother mothers=mother mom=mother moms=mother mommy=mother momma=mother mum=mother mums=mother mummy=mother
matka=mother matki=mother matkę=mother matce=mother matką=mother mama=mother mamy=mother mamie=mother mamę=mother
mamą=mother mamo=mother mamusia=mother mamusi=mother mamusię=mother mamusią=mother мать=mother матери=mother
матерью=mother мама=mother мамы=mother маме=mother маму=mother мамой=mother мамочка=mother мати=mother матір=mother
матері=mother мамі=mother maminka=mother maminky=mother mamince=mother maminku=mother matky=mother mamka=mother
mamky=mother mamke=mother mamku=mother mutter=mother mutters=mother mutti=mother mami=mother mamas=mother madre=mother
mamá=mother mère=mother maman=mother mamma=mother mammà=mother mãe=mother mamãe=mother moeder=mother moeders=mother
mors=mother moder=mother morsan=mother äiti=mother äidin=mother äidillä=mother äitini=mother äidille=mother
anya=mother anyám=mother anyu=mother anyukám=mother anyának=mother anyámnak=mother mamă=mother mamei=mother
annem=mother annesi=mother annemin=mother anneme=mother майка=mother майката=mother majka=mother majke=mother
majci=mother majku=mother μητέρα=mother μαμά=mother μητέρας=mother أمي=mother والدتي=mother امي=mother אמא=mother
אמי=mother แม่=mother ibuku=mother mataji=mother मां=mother माँ=mother मेरी妈妈=mother 母亲=mother 妈=mother
母親=mother 母=mother お母さん=mother 엄마=mother 어머니=mother father fathers=father dad=father dads=father daddy=father
papa=father ojciec=father ojca=father ojcu=father ojcem=father tata=father taty=father tacie=father tatę=father
tatą=father tato=father tatuś=father tatusia=father tatusiowi=father отец=father отца=father отцу=father отцом=father
папа=father папы=father папе=father папу=father папой=father батько=father батька=father батькові=father тато=father
тата=father татові=father otec=father otce=father otci=father otcem=father táta=father táty=father tátovi=father
tátu=father tatínek=father otca=father otcovi=father ocko=father vater=father vaters=father vati=father papi=father
papas=father padre=father papá=father père=father papà=father babbo=father pai=father papai=father vader=father
vaders=father fader=father pappa=father  isän=father isällä=father isäni=father isälle=father apa=father
apám=father apukám=father apának=father apámnak=father tată=father tatăl=father tatălui=father babam=father
babası=father babamın=father babama=father баща=father бащата=father татко=father otac=father oca=father ocu=father
πατέρας=father πατέρα=father μπαμπάς=father μπαμπά=father أبي=father والدي=father ابي=father אבא=father אבי=father
พ่อ=father ayah=father ayahku=father bapak=father पिताजी=father पिता=father 爸爸=father 父亲=father 爸=father
父親=father 父=father お父さん=father 아빠=father 아버지=father parents rodzice=parents rodziców=parents rodzicom=parents
rodzicami=parents родители=parents родителей=parents родителям=parents батьки=parents батьків=parents rodiče=parents
rodičů=parents rodičům=parents rodičia=parents rodičov=parents eltern=parents padres=parents genitori=parents
pais=parents ouders=parents foreldre=parents föräldrar=parents forældre=parents vanhempani=parents vanhemmat=parents
szülők=parents szüleim=parents părinți=parents părinții=parents ebeveynlerim=parents родителите=parents
roditelji=parents γονείς=parents والداي=parents 父母=parents 両親=parents 부모님=parents family rodzina=family
rodzinie=family семья=family семье=family сім'я=family rodina=family rodině=family familie=family familia=family
famille=family famiglia=family família=family husband husbands=husband hubby=husband mąż=husband męża=husband
mężowi=husband mężem=husband mężu=husband муж=husband мужа=husband мужу=husband мужем=husband чоловік=husband
чоловіка=husband чоловікові=husband manžel=husband manžela=husband manželovi=husband manželem=husband mann=husband
mannes=husband ehemann=husband gatte=husband marido=husband esposo=husband mari=husband époux=husband marito=husband
echtgenoot=husband mannen=husband aviomies=husband mieheni=husband miehelläni=husband férj=husband férjem=husband
férjemnek=husband soț=husband soțul=husband soțului=husband kocam=husband eşim=husband kocamın=husband съпруг=husband
съпругът=husband мъж=husband suprug=husband muž=husband muža=husband mužu=husband σύζυγος=husband άντρας=husband
زوجي=husband בעלי=husband chồng=husband สามี=husband suami=husband suamiku=husband पति=husband 丈夫=husband 老公=husband
 夫=husband  남편=husband wife wifes=wife żona=wife żony=wife żonie=wife żonę=wife żoną=wife
жена=wife жены=wife жене=wife жену=wife женой=wife дружина=wife дружини=wife дружині=wife дружину=wife manželka=wife
manželky=wife manželce=wife manželku=wife frau=wife ehefrau=wife gattin=wife esposa=wife mujer=wife femme=wife
épouse=wife moglie=wife mulher=wife echtgenote=wife vrouw=wife kone=wife konen=wife hustru=wife vaimo=wife
vaimoni=wife feleség=wife feleségem=wife feleségemnek=wife soție=wife soția=wife soției=wife karım=wife karımın=wife
съпруга=wife supruga=wife žena=wife žene=wife ženi=wife ženu=wife γυναίκα=wife زوجتي=wife אשתי=wife ภรรยา=wife
istri=wife istriku=wife पत्नी=wife 妻子=wife 老婆=wife 妻=wife 家内=wife 아내=wife partner partners=partner spouse=partner
fiancé=partner fiancée=partner partnerka=partner partnera=partner partnerowi=partner partnerem=partner
partnerki=partner partnerce=partner partnerkę=partner partnerką=partner партнёр=partner партнер=partner
партнёрша=partner partnerin=partner pareja=partner compagnon=partner compagne=partner conjoint=partner
conjointe=partner compagno=partner compagna=partner companheiro=partner companheira=partner parceiro=partner
parceira=partner sambo=partner kumppani=partner girlfriend dziewczyna=girlfriend dziewczyny=girlfriend
dziewczynie=girlfriend dziewczynę=girlfriend девушка=girlfriend novia=girlfriend copine=girlfriend
fidanzata=girlfriend namorada=girlfriend boyfriend chłopak=boyfriend chłopaka=boyfriend chłopakowi=boyfriend
парень=boyfriend novio=boyfriend copain=boyfriend fidanzato=boyfriend namorado=boyfriend brother brothers=brother
brat=brother brata=brother bratu=brother bratem=brother bracie=brother bracia=brother брат=brother брата=brother
брату=brother братом=brother bratr=brother bratra=brother bratrovi=brother bratrem=brother bruder=brother
bruders=brother brüder=brother hermano=brother hermanos=brother frère=brother frères=brother fratello=brother
fratelli=brother irmão=brother irmãos=brother broer=brother broers=brother bror=brother brors=brother veli=brother
veljeni=brother veljelläni=brother báty=brother bátyám=brother öcs=brother öcsém=brother frate=brother fratele=brother
fratelui=brother kardeşim=brother ağabeyim=brother abim=brother αδελφός=brother αδερφός=brother
αδελφό=brother αδερφό=brother أخي=brother אחי=brother พี่ชาย=brother भाई=brother 哥哥=brother 弟弟=brother 兄=brother
弟=brother 형=brother 오빠=brother 남동생=brother sister sisters=sister siostra=sister siostry=sister siostrze=sister
siostrę=sister siostrą=sister siostrzyczka=sister сестра=sister сестры=sister сестре=sister сестру=sister
сестрой=sister сестрі=sister sestra=sister sestry=sister sestře=sister sestru=sister sestre=sister schwester=sister
schwestern=sister hermana=sister hermanas=sister sœur=sister soeur=sister sœurs=sister sorella=sister sorelle=sister
irmã=sister irmãs=sister zus=sister zussen=sister søster=sister syster=sister søstre=sister sisko=sister
siskoni=sister siskollani=sister nővér=sister nővérem=sister húgom=sister soră=sister surorii=sister
ablam=sister сестрата=sister sestri=sister sestro=sister αδελφή=sister αδερφή=sister أختي=sister אחותי=sister
พี่สาว=sister बहन=sister 姐姐=sister 妹妹=sister 姉=sister 妹=sister 언니=sister 누나=sister 여동생=sister sibling siblings=sibling
rodzeństwo=sibling geschwister=sibling son sons=son syn=son syna=son synowi=son synem=son synu=son synek=son synka=son
synkowi=son synkiem=son сын=son сына=son сыну=son сыном=son сынок=son сынка=son син=son сина=son синові=son сином=son
synovi=son syne=son sohn=son sohns=son sohne=son söhne=son söhnchen=son hijo=son hijos=son hijito=son fils=son
figlio=son figli=son filho=son filhos=son zoon=son zoons=son zoontje=son sønn=son sønnen=son søn=son poika=son
poikani=son pojalla=son pojallani=son poikamme=son fia=son fiam=son fiú=son fiamnak=son fiul=son fiului=son fiu=son
oğlum=son oğlumun=son oğlu=son синът=son γιος=son γιο=son γιός=son γιό=son ابني=son בני=son ลูกชาย=son putra=son
बेटा=son बेटे=son 儿子=son 息子=son 아들=son daughter daughters=daughter córka=daughter córki=daughter córce=daughter
córkę=daughter córką=daughter córeczka=daughter córeczki=daughter córeczce=daughter córeczkę=daughter
córeczką=daughter córcia=daughter дочь=daughter дочка=daughter дочери=daughter дочке=daughter дочку=daughter
дочерью=daughter доченька=daughter донька=daughter доньки=daughter доньці=daughter доньку=daughter dcera=daughter
dcery=daughter dceři=daughter dceru=daughter dcerou=daughter dcerka=daughter dcéra=daughter dcéry=daughter
dcére=daughter tochter=daughter töchter=daughter töchterchen=daughter tochters=daughter hija=daughter hijas=daughter
hijita=daughter fille=daughter filles=daughter figlia=daughter figlie=daughter filha=daughter filhas=daughter
dochter=daughter dochters=daughter dochtertje=daughter datter=daughter dotter=daughter døtre=daughter tytär=daughter
tyttäreni=daughter tytöllä=daughter tyttärelläni=daughter lánya=daughter lányom=daughter lányomnak=daughter
fiica=daughter fiicei=daughter fiică=daughter kızım=daughter kızımın=daughter kızı=daughter дъщеря=daughter
дъщерята=daughter kći=daughter kćeri=daughter ćerka=daughter kćerka=daughter κόρη=daughter κόρης=daughter
ابنتي=daughter בתי=daughter ลูกสาว=daughter putri=daughter बेटी=daughter 女儿=daughter 娘=daughter 딸=daughter child
kid=child baby=child toddler=child newborn=child infant=child dziecko=child dziecka=child dziecku=child
dzieckiem=child dzidziuś=child maluch=child малыш=child ребёнок=child ребенок=child ребёнка=child ребёнку=child
ребенка=child ребенку=child дитина=child дитини=child дитині=child dítě=child dítěti=child dítěte=child dieťa=child
kind=child kindes=child niño=child niña=child niños=child niñas=child bebé=child enfant=child
bébé=child bambino=child bambina=child bimbo=child bimba=child criança=child bebê=child kindje=child barn=child
barnet=child lapsi=child lapsen=child lapsella=child gyerek=child gyermek=child gyermekem=child copil=child
copilul=child copilului=child çocuğum=child bebeğim=child дете=child детето=child dijete=child beba=child παιδί=child
παιδιού=child طفلي=child ילד=child ลูก=child anakku=child बच्चा=child 孩子=child 宝宝=child 子供=child 아이=child children
kids=children dzieci=children dzieciom=children dziećmi=children дети=children детей=children детям=children
діти=children дітей=children děti=children dětí=children dětem=children deti=children detí=children kinder=children
kindern=children enfants=children bambini=children crianças=children kinderen=children barna=children lapset=children
gyerekek=children copii=children copiii=children çocuklarım=children деца=children децата=children djeca=children
παιδιά=children أطفالي=children 子供たち=children 아이들=children friend friends=friend buddy=friend przyjaciel=friend
przyjaciela=friend przyjacielowi=friend przyjaciółka=friend przyjaciółki=friend przyjaciółce=friend kolega=colleague
kolegi=colleague koledze=colleague koleżanka=colleague koleżanki=colleague koleżance=colleague друг=friend друга=friend другу=friend
подруга=friend подруги=friend подруге=friend подругу=friend подрузі=friend přítel=friend kamarád=friend
kamaráda=friend kamarádka=friend kamarádky=friend freund=friend freundes=friend freundin=friend freunde=friend
amigo=friend amiga=friend ami=friend amie=friend amico=friend amica=friend vriend=friend vriendin=friend venn=friend
 väninna=friend ystävä=friend ystäväni=friend barát=friend barátom=friend barátnő=friend prieten=friend
prietena=friend arkadaşım=friend приятел=friend приятелка=friend prijatelj=friend prijateljica=friend φίλος=friend
φίλη=friend صديقي=friend صديقتي=friend 朋友=friend 友達=friend 친구=friend uncle wujek=uncle wujka=uncle wujkowi=uncle
wuj=uncle stryj=uncle дядя=uncle дяди=uncle дяде=uncle дядько=uncle strýc=uncle strýček=uncle onkel=uncle tío=uncle
oncle=uncle zio=uncle tio=uncle farbror=uncle morbror=uncle setä=uncle eno=uncle nagybátyám=uncle unchiul=uncle
amcam=uncle dayım=uncle вуйчо=uncle stric=uncle ujak=uncle θείος=uncle 叔叔=uncle 舅舅=uncle 伯父=uncle 叔父=uncle 삼촌=uncle
aunt auntie=aunt ciocia=aunt cioci=aunt ciocię=aunt ciotka=aunt ciotki=aunt тётя=aunt тетя=aunt тёти=aunt тёте=aunt
тітка=aunt tante=aunt tantchen=aunt tía=aunt zia=aunt tia=aunt moster=aunt faster=aunt täti=aunt nagynéni=aunt
mătușa=aunt teyzem=aunt halam=aunt леля=aunt tetka=aunt θεία=aunt 阿姨=aunt 姑姑=aunt 伯母=aunt 叔母=aunt 이모=aunt 고모=aunt
cousin cousins=cousin kuzyn=cousin kuzyna=cousin kuzynka=cousin kuzynki=cousin двоюродный=cousin cousine=cousin
vetter=cousin cugino=cousin cugina=cousin neef=cousin fetter=cousin serkku=cousin unokatestvér=cousin
kuzenim=cousin kuzinim=cousin братовчед=cousin nephew bratanek=nephew siostrzeniec=nephew siostrzeńca=nephew
племянник=nephew племянника=nephew neffe=nephew neffen=nephew sobrino=nephew neveu=nephew nipote=nephew
sobrinho=nephew yeğenim=nephew niece bratanica=niece siostrzenica=niece siostrzenicy=niece племянница=niece
nichte=niece sobrina=niece nièce=niece sobrinha=niece grandmother grandma=grandmother granny=grandmother
nana=grandmother nanna=grandmother grandmum=grandmother babcia=grandmother babci=grandmother babcię=grandmother
babcią=grandmother babunia=grandmother babcie=grandmother бабушка=grandmother бабушки=grandmother бабушке=grandmother
бабушку=grandmother бабуся=grandmother babička=grandmother babičky=grandmother babičce=grandmother babičku=grandmother
babka=grandmother oma=grandmother omas=grandmother omi=grandmother großmutter=grandmother grossmutter=grandmother
abuela=grandmother abuelita=grandmother yaya=grandmother grand-mère=grandmother  nonna=grandmother
avó=grandmother vovó=grandmother bestemor=grandmother mormor=grandmother farmor=grandmother isoäiti=grandmother
mummo=grandmother mummi=grandmother nagymama=grandmother nagymamám=grandmother nagyanyám=grandmother
bunica=grandmother bunicii=grandmother babaannem=grandmother anneannem=grandmother ninem=grandmother баба=grandmother
бабата=grandmother baka=grandmother bake=grandmother γιαγιά=grandmother جدتي=grandmother סבתא=grandmother
ยาย=grandmother nenek=grandmother दादी=grandmother 奶奶=grandmother 外婆=grandmother 姥姥=grandmother 祖母=grandmother
おばあちゃん=grandmother 할머니=grandmother grandfather grandpa=grandfather granddad=grandfather gramps=grandfather
dziadek=grandfather dziadka=grandfather dziadkowi=grandfather dziadkiem=grandfather dziadzio=grandfather
дедушка=grandfather дедушки=grandfather дедушке=grandfather дед=grandfather дідусь=grandfather děda=grandfather
dědeček=grandfather dědečka=grandfather opa=grandfather opas=grandfather opi=grandfather großvater=grandfather
grossvater=grandfather abuelo=grandfather abuelito=grandfather yayo=grandfather grand-père=grandfather
papy=grandfather pépé=grandfather nonno=grandfather avô=grandfather vovô=grandfather bestefar=grandfather
morfar=grandfather farfar=grandfather isoisä=grandfather vaari=grandfather ukki=grandfather nagypapa=grandfather
nagyapám=grandfather bunicul=grandfather bunicului=grandfather dedem=grandfather дядо=grandfather djed=grandfather
παππούς=grandfather جدي=grandfather סבא=grandfather ปู่=grandfather kakek=grandfather दादा=grandfather 爷爷=grandfather
外公=grandfather 祖父=grandfather おじいちゃん=grandfather 할아버지=grandfather grandparents dziadkowie=grandparents
großeltern=grandparents abuelos=grandparents grands-parents=grandparents nonni=grandparents grandson wnuk=grandson
wnuka=grandson wnukowi=grandson внук=grandson enkel=grandson nieto=grandson petit-fils=grandson neto=grandson
kleinzoon=grandson torunum=grandson granddaughter wnuczka=granddaughter wnuczki=granddaughter wnuczce=granddaughter
wnuczkę=granddaughter внучка=granddaughter enkelin=granddaughter nieta=granddaughter petite-fille=granddaughter
kleindochter=granddaughter teściowa=mother-in-law teściowej=mother-in-law teściową=mother-in-law тёща=mother-in-law
теща=mother-in-law свекровь=mother-in-law schwiegermutter=mother-in-law suegra=mother-in-law belle-mère=mother-in-law
suocera=mother-in-law sogra=mother-in-law schoonmoeder=mother-in-law svigermor=mother-in-law svärmor=mother-in-law
anoppi=mother-in-law anyósom=mother-in-law soacra=mother-in-law kayınvalidem=mother-in-law tchyně=mother-in-law
婆婆=mother-in-law 岳母=mother-in-law teść=father-in-law teścia=father-in-law teściowi=father-in-law тесть=father-in-law
свёкор=father-in-law schwiegervater=father-in-law suegro=father-in-law beau-père=father-in-law suocero=father-in-law
sogro=father-in-law schoonvader=father-in-law svigerfar=father-in-law svärfar=father-in-law appi=father-in-law
apósom=father-in-law socrul=father-in-law kayınpederim=father-in-law tchán=father-in-law 公公=father-in-law
岳父=father-in-law szwagier=brother-in-law szwagra=brother-in-law schwager=brother-in-law cuñado=brother-in-law
beau-frère=brother-in-law cognato=brother-in-law cunhado=brother-in-law zwager=brother-in-law szwagierka=sister-in-law
szwagierki=sister-in-law bratowa=sister-in-law schwägerin=sister-in-law cuñada=sister-in-law belle-sœur=sister-in-law
cognata=sister-in-law cunhada=sister-in-law schoonzus=sister-in-law stepson pasierb=stepson stiefsohn=stepson
hijastro=stepson beau-fils=stepson figliastro=stepson stepdaughter pasierbica=stepdaughter stieftochter=stepdaughter
hijastra=stepdaughter belle-fille=stepdaughter figliastra=stepdaughter colleague colleagues=colleague
coworker=colleague współpracownik=colleague współpracownica=colleague коллега=colleague kollege=colleague
kollegen=colleague kollegin=colleague colega=colleague collègue=colleague collega=colleague 同事=colleague 同僚=colleague
동료=colleague boss szef=boss szefa=boss szefowa=boss начальник=boss chef=boss chefin=boss jefe=boss jefa=boss
patron=boss patronne=boss capa=boss chefe=boss 老板=boss 上司=boss neighbour neighbours=neighbour neighbor=neighbour
neighbors=neighbour sąsiad=neighbour sąsiada=neighbour sąsiadka=neighbour sąsiadki=neighbour sąsiadce=neighbour
сосед=neighbour соседка=neighbour nachbar=neighbour nachbarn=neighbour nachbarin=neighbour vecino=neighbour vicini=neighbour sąsiadów=neighbour voisins=neighbour
vecina=neighbour voisin=neighbour voisine=neighbour vicino=neighbour vizinho=neighbour vizinha=neighbour
buurman=neighbour buurvrouw=neighbour 邻居=neighbour dog dogs=dog puppy=dog pies=dog psa=dog psu=dog psem=dog piesek=dog
suczka=dog собака=dog собаки=dog собаке=dog пёс=dog пес=dog hund=dog hundes=dog hündin=dog perro=dog perra=dog
perrito=dog chien=dog chienne=dog cane=dog cagnolino=dog cachorro=dog hond=dog kutya=dog kutyám=dog câine=dog
köpeğim=dog куче=dog 狗=dog 犬=dog 강아지=dog cat cats=cat kitten=cat kot=cat kota=cat kotu=cat kotem=cat kotka=cat
кошка=cat кошки=cat кот=cat кота=cat кошке=cat katze=cat katzen=cat kater=cat gato=cat gata=cat gatito=cat chat=cat
chatte=cat gatto=cat gatta=cat katt=cat macska=cat macskám=cat pisică=cat kedim=cat котка=cat mačka=cat 猫=cat 고양이=cat
grandad=grandfather granda=grandfather mother-in-law father-in-law brother-in-law sister-in-law son-in-law
daughter-in-law great-grandmother great-grandfather arrière-grand-mère=great-grandmother arrière-grand-père=great-grandfather prababcia=great-grandmother pradziadek=great-grandfather
urgroßmutter=great-grandmother urgroßvater=great-grandfather uroma=great-grandmother uropa=great-grandfather
schwiegersohn=son-in-law schwiegertochter=daughter-in-law zięć=son-in-law zięcia=son-in-law synowa=daughter-in-law
synowej=daughter-in-law yerno=son-in-law nuera=daughter-in-law gendre=son-in-law genero=son-in-law nuora=daughter-in-law
tonton=uncle tata=father tatie=aunt rabbit królik=rabbit kaninchen=rabbit conejo=rabbit lapin=rabbit coniglio=rabbit
hamster bisabuela=great-grandmother bisabuelo=great-grandfather bisnonna=great-grandmother bisnonno=great-grandfather
mamina=mother mammina=mother mamuśka=mother matula=mother nan=grandmother nanny=grandmother gramma=grandmother
grandmama=grandmother omama=grandmother großmama=grandmother babuni=grandmother babciu=grandmother bunia=grandmother
abu=grandmother nonnina=grandmother mémère=grandmother mamé=grandmother mamette=grandmother grampa=grandfather
grandpapa=grandfather opapa=grandfather großpapa=grandfather dziadzia=grandfather dziadzi=grandfather
dziadunio=grandfather nonnino=grandfather pépère=grandfather papé=grandfather papet=grandfather bro=brother
braciszek=brother bruderherz=brother hermanito=brother frangin=brother frérot=brother fratellino=brother
bruderchen=brother sis=sister siostrunia=sister hermanita=sister frangine=sister sœurette=sister sorellina=sister
schwesterherz=sister schwesterchen=sister córunia=daughter córuni=daughter córunię=daughter girlie=daughter
tochterherz=daughter nena=daughter figlioletta=daughter mädel=daughter sonny=son synuś=son synusia=son synusiowi=son
filius=son bub=son bursche=son fiston=son figliolo=son nene=son kiddo=child kiddie=child neugeborenes=child
säugling=child niemowlę=child niemowlak=child gamin=child gamine=child gosse=child crío=child cría=child
chiquitín=child chiquitina=child piccolino=child piccolina=child bimbi=child neonato=child neonata=child bebe=child
twins=children zwillinge=children bliźniaki=children bliźniaków=children gemelos=children mellizos=children
jumeaux=children jumelles=children gemelli=children hubbie=husband ehegatte=husband mężulek=husband maritino=husband
missus=wife ehegattin=wife żonka=wife żonki=wife fiance=partner fiancee=partner narzeczony=partner narzeczona=partner
narzeczonej=partner narzeczonego=partner lebensgefährte=partner lebensgefährtin=partner verlobter=partner
verlobte=partner prometido=partner prometida=partner mec=partner mate=friend  bff=friend kumpel=friend
kumpela=friend kumpeli=friend przyjaciółkę=friend pote=friend copains=friend bekannter=friend bekannte=friend workmate=colleague co-worker=colleague teammate=colleague arbeitskollege=colleague
arbeitskollegin=colleague koleżankę=colleague kolegę=colleague kolegą=colleague compañeros=colleague
collegue=colleague koleg=colleague flatmate roommate=flatmate mitbewohner=flatmate mitbewohnerin=flatmate
współlokator=flatmate współlokatorka=flatmate współlokatorki=flatmate współlokatora=flatmate colocataire=flatmate
coinquilino=flatmate coinquilina=flatmate nachbars=neighbour sąsiadkę=neighbour sąsiadem=neighbour vecinos=neighbour
voisines=neighbour grandchild grandkid=grandchild enkelkind=grandchild wnuczek=grandchild wnusia=grandchild
nipotino=grandchild nipotina=grandchild wnuczkowi=grandson wnusio=grandson enkelsohn=grandson nietito=grandson
wnusi=granddaughter wnuczką=granddaughter enkeltochter=granddaughter nietecita=granddaughter ciociu=aunt
ciocią=aunt cioteczka=aunt tantine=aunt zietta=aunt wujaszek=uncle wujkiem=uncle wujku=uncle zietto=uncle
onkels=uncle kuzynem=cousin kuzynkę=cousin kuzynce=cousin cousinchen=cousin primito=cousin cuginetto=cousin
cuginetta=cousin kuzynowi=cousin bratanka=nephew bratankowi=nephew siostrzeńcowi=nephew sobrinito=nephew
bratanicę=niece bratanicy=niece siostrzenicę=niece sobrinita=niece teściówka=mother-in-law schwiegermama=mother-in-law
schwiegermutti=mother-in-law suegrita=mother-in-law bellemère=mother-in-law teściu=father-in-law teściem=father-in-law
schwiegerpapa=father-in-law szwagrem=brother-in-law szwagrowi=brother-in-law schwippschwager=brother-in-law
cuñadito=brother-in-law bratowej=sister-in-law bratową=sister-in-law szwagierkę=sister-in-law stepmother
stepmum=stepmother stepmom=stepmother macocha=stepmother macochy=stepmother stiefmutter=stepmother
madrastra=stepmother matrigna=stepmother stepfather stepdad=stepfather ojczym=stepfather ojczyma=stepfather
stiefvater=stepfather padrastro=stepfather patrigno=stepfather stepbrother stiefbruder=stepbrother
hermanastro=stepbrother fratellastro=stepbrother stepsister stiefschwester=stepsister hermanastra=stepsister
sorellastra=stepsister godson=godchild goddaughter=godchild godchild chrześniak=godchild chrześniaczka=godchild
patenkind=godchild ahijado=godchild ahijada=godchild filleul=godchild filleule=godchild figlioccio=godchild
figlioccia=godchild godmother chrzestna=godmother patentante=godmother madrina=godmother marraine=godmother godfather
chrzestny=godfather patenonkel=godfather padrino=godfather parrain=godfather ex-husband=ex ex-wife=ex exmann=ex
exfrau=ex exmarido=ex exmujer=ex ex-mari=ex ex-femme=ex doggo=dog pup=dog welpe=dog hündchen=dog szczeniak=dog
psiak=dog psiaka=dog chiot=dog cucciolo=dog pieska=dog suczki=dog suni=dog sunia=dog kitty=cat kätzchen=cat kiciuś=cat
kicia=cat kici=cat gatita=cat minou=cat micio=cat gattino=cat kocur=cat kocura=cat horse pony=horse pferd=horse
koń=horse konia=horse caballo=horse cheval=horse cavallo=horse guinea-pig meerschweinchen=guinea-pig parrot
papagei=parrot papuga=parrot papugi=parrot  perroquet=parrot pappagallo=parrot chomik=hamster
chomika=hamster hámster=hamster criceto=hamster budgie wellensittich=budgie
stepfather stepdad=stepfather stepmother stepmum=stepmother stepmom=stepmother stepbrother stepsister step-sister=stepsister
step-brother=stepbrother step-dad=stepfather step-mum=stepmother step-mom=stepmother half-brother=brother half-sister=sister
ex-husband ex-wife ex-partner exmann=ex-husband ex-mann=ex-husband exfrau=ex-wife ex-frau=ex-wife ex-mari=ex-husband
ex-femme=ex-wife grandchild grandkid=grandchild great-aunt great-uncle flatmate roommate=flatmate housemate=flatmate
fiance=partner fiancee=partner poppa=father pops=father
schwiegermama=mother-in-law schwiegerpapa=father-in-law stiefvater=stepfather stiefmutter=stepmother
stiefbruder=stepbrother stiefschwester=stepsister halbbruder=brother halbschwester=sister enkelkind=grandchild
kumpel=friend verlobter=partner verlobte=partner verlobten=partner lebensgefährte=partner lebensgefährten=partner
lebensgefährtin=partner lebenspartner=partner lebenspartnerin=partner zwillingsbruder=brother
zwillingsschwester=sister schwagers=brother-in-law freundinnen=friend neffens=nephew großtante=great-aunt
großonkel=great-uncle urgroßoma=great-grandmother urgroßopa=great-grandfather mitbewohner=flatmate mitbewohnerin=flatmate
teściem=father-in-law synową=daughter-in-law zięciowi=son-in-law zięciem=son-in-law szwagrowi=brother-in-law
szwagrem=brother-in-law szwagierce=sister-in-law szwagierkę=sister-in-law bratowej=sister-in-law bratową=sister-in-law
wujkiem=uncle wuja=uncle wujowi=uncle stryja=uncle stryjek=uncle stryjka=uncle ciocią=aunt ciociu=aunt ciotce=aunt
ciotkę=aunt ciotką=aunt kuzynowi=cousin kuzynem=cousin kuzynce=cousin kuzynkę=cousin kuzynką=cousin bratanka=nephew
bratankowi=nephew bratanicy=niece bratanicę=niece siostrzeńcowi=nephew siostrzenicę=niece wnukiem=grandson
wnuczek=grandson wnuczka=granddaughter wnuczkowi=grandson wnuczką=granddaughter narzeczony=partner narzeczonego=partner
narzeczonemu=partner narzeczona=partner narzeczonej=partner narzeczoną=partner sąsiadowi=neighbour sąsiadem=neighbour
sąsiadkę=neighbour sąsiadką=neighbour szefowi=boss szefem=boss szefowej=boss kolegę=colleague kolegą=colleague
koleżankę=colleague koleżanką=colleague przyjacielem=friend przyjaciółkę=friend przyjaciółką=friend chłopakiem=boyfriend
dziewczyną=girlfriend ojczym=stepfather ojczyma=stepfather ojczymowi=stepfather macocha=stepmother macochy=stepmother
macosze=stepmother prababci=great-grandmother pradziadka=great-grandfather suczki=dog suczce=dog pieska=dog kotek=cat
kotkowi=cat tatusiem=father mężom=husband córuś=daughter synuś=son dzidzia=child współlokatorka=flatmate współlokator=flatmate
padrastro=stepfather madrastra=stepmother hermanastro=stepbrother hermanastra=stepsister prometido=partner
prometida=partner compañero=colleague compañera=colleague papi=father mami=mother tito=uncle tita=aunt suegros=parents-in-law
tíos=uncle sobrinos=nephew abuelos=grandparents exmarido=ex-husband exmujer=ex-wife nietos=grandchildren
demi-frère=brother demi-sœur=sister beau-papa=father-in-law belle-maman=mother-in-law fiancés=partner
jumeau=brother jumelle=sister colocataire=flatmate
patrigno=stepfather matrigna=stepmother fratellastro=stepbrother sorellastra=stepsister coinquilino=flatmate coinquilina=flatmate genitori=parents nonni=grandparents
suoceri=parents-in-law fratellone=brother sorellona=sister cuginetto=cousin cuginetta=cousin
padrasto=stepfather madrasta=stepmother enteado=stepson enteada=stepdaughter noivo=partner
noiva=partner mamã=mother bisavó=great-grandmother bisavô=great-grandfather titia=aunt
oom=uncle schoonvader=father-in-law schoonouders=parents-in-law stiefvader=stepfather stiefmoeder=stepmother broertje=brother zusje=sister
kleinkind=child buurvrouw=neighbour opoe=grandmother
мамою=mother мамо=mother матусі=mother матуся=mother татом=father тату=father батьком=father бабусі=grandmother
бабусю=grandmother бабусею=grandmother бабця=grandmother дідуся=grandfather дідусю=grandfather дідусеві=grandfather
дід=grandfather діда=grandfather чоловіку=husband чоловіком=husband дружиною=wife сину=son дочки=daughter дочці=daughter
дочкою=daughter донькою=daughter братові=brother тітки=aunt тітці=aunt тітку=aunt дядька=uncle дядькові=uncle
свекруха=mother-in-law свекрухи=mother-in-law свекрусі=mother-in-law тещі=mother-in-law тещу=mother-in-law свекор=father-in-law
тестя=father-in-law племінник=nephew племінника=nephew племінниця=niece племінниці=niece онук=grandson онука=grandson
онучка=granddaughter онучки=granddaughter кузен=cousin кузина=cousin сусід=neighbour сусіда=neighbour сусідка=neighbour
сусідки=neighbour сусідці=neighbour сестрою=sister сестер=sister вітчим=stepfather мачуха=stepmother
тёщи=mother-in-law тёще=mother-in-law тещи=mother-in-law теще=mother-in-law свекрови=mother-in-law тестя=father-in-law свекра=father-in-law
зять=son-in-law зятя=son-in-law зятю=son-in-law невестка=daughter-in-law невестки=daughter-in-law отчим=stepfather
отчима=stepfather мачеха=stepmother бабушкой=grandmother дедушку=grandfather деду=grandfather внуку=grandson
внучки=granddaughter внучке=granddaughter внучку=granddaughter племянницы=niece племяннице=niece племяннику=nephew
соседа=neighbour соседу=neighbour соседки=neighbour соседке=neighbour дядю=uncle тётю=aunt коллеги=colleague коллеге=colleague
máma=mother mámy=mother mámě=mother mámu=mother mamky=mother tatínka=father tatínkovi=father dědy=grandfather
dědovi=grandfather dědečkovi=grandfather babi=grandmother tchýně=mother-in-law tchyni=mother-in-law tchána=father-in-law
tchánovi=father-in-law švagr=brother-in-law švagra=brother-in-law švagrovi=brother-in-law švagrová=sister-in-law teta=aunt tety=aunt tetě=aunt
strejda=uncle strýce=uncle vnuk=grandson vnučka=granddaughter synovec=nephew neteř=niece bratranec=cousin
sestřenice=cousin přítelkyně=girlfriend soused=neighbour sousedka=neighbour kolegyně=colleague
annemde=mother annemi=mother babamı=father babamda=father kızıma=daughter oğluma=son eşimin=husband eşime=husband
kocama=husband karıma=wife kardeşimin=brother kardeşime=brother ablamın=sister abimin=brother dedemin=grandfather
babaannemin=grandmother anneannemin=grandmother büyükannem=grandmother büyükbabam=grandfather teyzemin=aunt
halamın=aunt amcamın=uncle dayımın=uncle kayınvalidemin=mother-in-law kayınpederimin=father-in-law komşum=neighbour
komşumun=neighbour arkadaşımın=friend sevgilim=partner çocuğumun=child bebeğimin=child torunumun=grandson
"""

# By language: the user of themselves, with verbs where a pronoun is left out.
ABOUT_USER = {
    "en": "i me my mine myself im ive we us our ours user",
    "de": """
ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unserem unseren bin hab habe nehme
""",
    "pl": """
ja mnie mi mną mój moja moje mojego mojej moich moim moją mam jestem biorę mogę muszę piję jem łykam stosuję
używam zażywam przyjmuję cierpię choruję mieszkam pracuję czuję noszę palę ćwiczę robię chodzę idę jadę lecę
śpię wiem chcę lubię ważę mierzę nazywam wolę unikam trenuję biegam boję dostaję nasz nasza nasze naszego
naszej nami nam mamy jesteśmy
""",
    "es": """
yo me mí mi mis mío mía conmigo tengo tomo soy estoy vivo uso trabajo sufro padezco peso mido puedo debo
necesito empecé dejé nací fui tuve llevo hago voy como bebo duermo corro prefiero he nuestro nuestra nos
""",
    "fr": "je j me m moi mon ma mes mien nous notre nos",
    "it": """
io me mi mio mia miei mie sono ho prendo uso assumo soffro vivo lavoro peso posso devo faccio vado mangio bevo
dormo corro preferisco sto nostro nostra noi
""",
    "pt": """
eu me mim meu minha meus minhas comigo tenho tomo sou estou moro vivo uso trabalho sofro posso preciso faço nós
""",
    "nl": "ik me mij mijn wij we ons onze",
    "ru": """
я меня мне мной мой моя моё моего моей мои моим моих моём моему принимаю пью могу живу работаю болею мы нас наш
""",
    "uk": "я мене мені мій моя моє моєї мого приймаю ми нас наш",
    "cs": "já mě mne mi můj moje mého mé mám jsem beru užívám",
    "sk": "ja mňa mne mi môj moja moje mám som beriem užívam",
    "sv": "jag mig min mitt mina vi oss",
    "da": "jeg mig min mit mine vi os",
    "nb": "jeg meg min mitt mine vi oss",
    "fi": "minä minulla minun minua minulle olen syön käytän me meillä",
    "hu": "én nekem engem vagyok szedek nálam",
    "ro": "eu mie mi am sunt iau mea meu mele mei",
    "tr": "ben bana beni benim bende",
    "bg": "аз ми мен моят моята имам съм вземам",
    "hr": "ja mi mene meni moj moja imam sam uzimam pijem",
    "el": "εγώ μου με εμένα έχω είμαι παίρνω",
    "ar": "أنا لدي عندي أتناول آخذ",
    "he": "אני לי שלי",
    "vi": "tôi mình",
    "id": "saya aku",
    "th": "ฉัน ผม",
}
# Whom a text has named before, where it begins with them.
THIRD_PERSON = {
    "en": "she he her his him hers they their them shes hes",
    "de": "sie er ihr ihm ihn ihre ihren ihrem ihrer sein seine seinen seinem seiner",
    "pl": "ona on jej jemu mu jego ją niej niego nim nią oni one ich im",
    "es": "ella él le les su sus ellos ellas",
    "fr": "elle il lui son sa ses ils elles leur",
    "it": "lei lui suo sua suoi sue loro egli",
    "pt": "ela ele eles dela dele lhe seu sua",
    "nl": "zij ze hij haar hem hun",
    "ru": "она он ей ему его её ее него неё нее них",
    "uk": "вона він йому її його вони",
    "cs": "ona on jí jemu mu jeho její jej",
    "sk": "ona on jej jemu mu jeho",
    "sv": "hon han henne hennes honom hans",
    "da": "hun han hende hendes ham hans",
    "nb": "hun han henne hennes ham hans",
    "fi": "hän hänellä hänen",
    "hu": "ő neki",
    "ro": "ea el ei lui",
    "tr": "o onun ona",
    "bg": "тя той му неговият нейният",
    "hr": "ona on njoj njemu mu njezin njegov",
    "el": "αυτή αυτός της του",
    "ar": "هي هو لديها لديه",
    "he": "היא הוא",
}
# Before a relative of the user.
POSSESSIVES_BY_LANGUAGE = {
    "en": "my our",
    "de": """
mein meine meinen meinem meiner meines unser unsere unserem unseren unserer unseres unsers unsre
""",
    "pl": """
mój moja moje moją mojego mojej mojemu moim moich moimi mym nasz nasza nasze naszego
naszej naszemu naszym naszą
""",
    "es": "mi mis mío mía nuestro nuestra nuestros nuestras",
    "fr": "mon ma mes notre nos",
    "it": "mio mia miei mie nostro nostra nostri nostre",
    "pt": "meu minha meus minhas nosso nossa nossos nossas",
    "nl": "mijn onze ons",
    "ru": "мой моя моё моего моей моему моём моим моих мою мои наш наша нашего нашей нашему нашу",
    "uk": "мій моя моє мого моєї моєму моїй мою моєю моїм мої наш наша нашого нашої нашій",
    "cs": "můj moje mého mé mému mou mým mojí mojí náš naše našeho naší",
    "sk": "môj moja môjho mojej náš naša",
    "sv": "min mitt mina vår",
    "da": "min mit mine vores",
    "nb": "min mitt mine vår",
    "tr": "benim bizim",
    "ro": "mea meu mei mele",
    "hr": "moj moja mog moje moje naš naša",
    "el": "μου",
    "bg": "моят моята",
}
# First names in -a of men and in -o of women, and relatives as German parents call their children.
NAMES_OF_EITHER_SEX = """
luca luka andrea nicola mattia elia tobia kuba barnaba kosma nikita ilya ilja sascha sasha sasza mischa misha miša
jona joshua juda ezra vojta honza standa pepa jirka саша миша никита илья ваня женя дима jo margo cleo coco rocío
consuelo rosario amparo socorro marlo
"""
GERMAN_CHILDREN = "Kleiner Kleine Kleinen Kleinem Großer Große Großen Großem"
# Of a child without "my", before what they have or do; of which is open.
# Before "a child", who is then the speaker at that age.
AT_THE_AGE = {
    "en": "as",
    "pl": "jako od",
    "de": "als",
    "es": "de desde siendo era",
    "fr": "étant comme",
    "it": "da",
    "pt": "em desde quando era",
    "nl": "als",
    "cs": "jako od",
    "sv": "som",
}
SOME_CHILD = """
youngest eldest oldest younger elder teenager toddler jüngste jüngster älteste ältester kleine kleiner große großer mała mały młodsza
młodszy starsza starszy najmłodsza najmłodszy najstarsza najstarszy pequeña pequeño mayor menor petite petit grande grand aînée aîné
cadette cadet piccola piccolo maggiore minore
"""
# Of the user and others. Nothing of what "we" do in a conversation about another is theirs alone.
WE = {
    "en": "we us",
    "de": "wir uns",
    "pl": "nam nas",
    "es": "nosotros nosotras nos",
    "fr": "nous",
    "it": "noi",
}
# In Slavic languages, where a name in the genitive after them says whose they are.
RELATIVES_IN_NOMINATIVE = {
    "pl": """
matka mama tata ojciec brat siostra syn córka mąż żona babcia dziadek wujek ciocia ciotka kuzyn kuzynka teść
teściowa szwagier szwagierka bratowa partner partnerka narzeczony narzeczona chłopak dziewczyna kolega koleżanka
przyjaciel przyjaciółka sąsiad sąsiadka wnuk wnuczka bratanek bratanica siostrzeniec siostrzenica ojczym macocha
pies kot dziecko zięć synowa rodzice dziadkowie
""",
    "cs": """
matka máma maminka otec táta tatínek bratr sestra syn dcera manžel manželka babička děda dědeček strýc teta
bratranec sestřenice tchán tchyně švagr švagrová přítel přítelkyně kamarád kamarádka soused sousedka
""",
    "sk": "matka mama otec ocko brat sestra syn dcéra manžel manželka babka dedko strýko teta svokor svokra",
    "ru": """
мать мама отец папа брат сестра сын дочь дочка муж жена бабушка дедушка дядя тётя тесть тёща свекровь свёкор
друг подруга парень девушка племянник племянница внук внучка отчим мачеха сосед соседка
""",
    "uk": """
мати мама батько тато брат сестра син донька дочка чоловік дружина бабуся дідусь дядько тітка друг подруга
теща свекруха племінник племінниця онук онучка сусід сусідка
""",
}
FEMALE = """
she her hers shes ona jej ją niej nią ella lei sua ela dela zij ze haar она ей её ее вона її elle hon henne hun hende
mother wife girlfriend sister daughter aunt niece grandmother granddaughter mother-in-law sister-in-law stepdaughter
sie lei zij była miała dostała brała musiała cousine kuzynka kuzynki prima cugina nachbarin sąsiadka vecina voisine vicina freundin
koleżanka kollegin amiga amie amica przyjaciółka chefin partnerka partnerin compagne compagna novia narzeczona verlobte
ex-wife stepmother stepsister daughter-in-law great-grandmother great-aunt
"""
MALE = """
he his him hes er ihm ihn on jemu mu jego niego él lui ele dele hij hem он ему его него він йому його il han ham honom
father husband boyfriend brother son uncle nephew grandfather grandson father-in-law brother-in-law stepson
był miał dostał brał musiał kuzyn primo cugino nachbar sąsiad vecino voisin vicino kolega kollege amigo amico przyjaciel
compagnon compagno novio narzeczony verlobter ex-husband stepfather stepbrother son-in-law great-grandfather great-uncle
"""
# After the user, where what follows is about another.
REPORTS = """
claims reckons insists noticed suspects thought knew feel feels wonder sure convinced meinte behauptet sagte vermutet tippt
denkt fand weiss scheint powiedział powiedziała stwierdził stwierdziła podejrzewa podejrzewam mówiła mówił mówią zdaniem
asegura sospecha insiste sospecho dicho dicen temo affirme estime soupçonne soupçonné disent crains sostiene sospetta sospetto
dicono temo pensano говорит думает считает сказал сказала каже думає
thinks says believes meint sagt findet glaubt mówi twierdzi uważa myśli dice cree piensa opina dijo dit trouve pense croit
ritiene pensa crede disse diz acha parece sembra semble mam_wrażenie wydaje chyba
think believe know guess suspect say said found hope learned heard told worried afraid remember glaube denke weiß
vermute hoffe myślę wiem sądzę uważam dowiedziałem dowiedziałam mówiłam mówiłem creo pienso crois pense sais
credo penso acho думаю знаю считаю
zegt zeggen denkt vindt gelooft zei dacht vond beweert merkt bemerkt diyor söylüyor düşünüyor söyledi dedi říká myslí tvrdí řekl řekla
considera nota comenta piensan notó acha afirma achou dis disait remarque nota dichiara notato meinen behaupten fürchtet befürchtet
hofft hoffe gesagt gemerkt bemerkt powiada zauważył zauważyła zauważa zauważyłem podobno ponoć вважає стверджує помітила заметила
утверждает considers guesses swears notices complains
"""
# By language, as "do" and "di" mean another thing in others.
GIVES = {
    "en": "give gave giving gives",
    "de": "gebe geb gab geben verabreiche",
    "pl": "podaję podać podałem podałam daję dać dałem dałam",
    "es": "doy dar di damos dando",
    "fr": "donne donner donné donnons",
    "it": "do dare diamo dato",
    "pt": "dou dei dando",
    "nl": "geef gaf",
    "ru": "даю дал дала",
    "uk": "даю дав дала",
    "cs": "dávám dal dala",
}
# In some languages a relative's word means another.
RELATIONS_BY_LANGUAGE = {
    "fr": "papi=grandfather mamie=grandmother mamy=grandmother mémé=grandmother mémère=grandmother",
    "es": "primo=cousin prima=cousin",
    "pt": "primo=cousin prima=cousin",
    "it": "vicina=neighbour capo=boss",
    "vi": "mẹ=mother  vợ=wife",
    "en": "gran=grandmother nan=grandmother pop=father mam=mother",
}
CALLED = "called named name heißt namens imię imieniu nazywa llama llamado appelle prénomme chiama chama heet зовут"
OF = "s de d di du des der dei degli delle von vom od of del della do da van"
VERBS = {
    "de": "nimmt hat ist war bekommt bekam kriegt braucht benutzt verträgt darf kann muss spritzt inhaliert isst trinkt wiegt trägt leidet",
    "pl": """
bierze ma jest dostaje używa przyjmuje stosuje choruje cierpi łyka pije je waży nosi był była miał miała dostał dostała
może musi brał brała potrzebuje zażywa znosi toleruje reaguje
""",
    "es": "le les toma tomaba tiene tenía es está usa lleva padece sufre necesita puede tolera come bebe pesa fue estuvo ha",
    "fr": "prend prenait a est utilise souffre porte peut supporte doit mange boit pèse",
    "it": "le gli prende ha è usa assume soffre porta può tollera deve mangia beve pesa sta",
    "pt": "lhe toma tem é está usa sofre pode come bebe pesa foi",
    "ru": "принимает пьёт пьет имеет болеет",
    "uk": "приймає має хворіє",
    "cs": "bere má je užívá",
}
"""Words with which a text begins that leaves out whom it is about."""
# First names that are other words, too: a name where a verb of another follows them.
WORD_NAMES = """
will may mark rose iris mia jan hope grace joy faith art bill pat penny ginger olive daisy ruby jade amber crystal june
april august summer sue drew dawn eve jack rob nick frank rich mai ernst wolf kai rosa dolores consuelo rocío pilar luz sol
mar mercedes nieves paz claire marguerite aimée pierre viola gioia bianca allegra jagoda kalina lilia malwa róża maja
"""
# Verbs after whom a clause is about, besides VERBS.
FURTHER_VERBS = {
    "en": """
has had is isn was takes took had can cannot needs uses gets got suffers reacts died doesn hasn hates avoids eats drinks
smokes lives works wears
""",
    "de": "nahm leidet reagiert lebt arbeitet raucht wurde",
    "pl": "nie łykał reaguje pali mieszka zażywa",
    "es": "fuma vive reacciona tomó",
    "fr": "fume vit réagit fait",
    "it": "fuma vive reagisce fa",
}
IS = "is isn was ist war jest była był es está era est était è era"
HAS = {"en": "has", "de": "hat", "fr": "a", "it": "ha"}
"""Verbs that also make a past: "has prescribed"."""
# What only a person does or is, not a part of the body or a medicine.
OF_A_PERSON = {
    "en": "takes eats drinks suffers smokes allergic coeliac celiac diabetic asthmatic epileptic pregnant vegan vegetarian",
    "de": "nimmt isst trinkt leidet raucht allergisch schwanger",
    "pl": "bierze łyka zażywa przyjmuje je pije pali choruje uczulony uczulona ciąży",
    "es": "toma come bebe fuma padece alérgico alérgica celíaco celíaca diabético diabética embarazada",
    "fr": "prend mange boit fume souffre allergique diabétique asthmatique épileptique enceinte",
    "it": "prende mangia beve fuma soffre allergico allergica celiaco celiaca diabetico diabetica incinta",
}
# No relatives; about themselves only as the subject of a clause.
STRANGERS = """
babysitter nanny childminder teacher tutor landlord landlady tenant lodger coach student pupil client customer cleaner carer
godmother godfather acquaintance guest niania opiekunka opiekun nauczyciel nauczycielka wychowawca wychowawczyni znajomy
znajoma lokator lokatorka uczeń uczennica klient klientka trener trenerka babysitterin tagesmutter kindermädchen lehrer
lehrerin erzieher erzieherin vermieter vermieterin mieter mieterin trainerin schüler schülerin kunde kundin patentante
canguro niñera profesor profesora maestro maestra inquilino inquilina casero casera conocido conocida alumno alumna cliente
clienta nounou nourrice instituteur institutrice maître maîtresse professeur locataire propriétaire élève baby-sitter
insegnante professore professoressa inquilina alunno alunna capo ex
"""
SOMEONE = "guy bloke lady someone somebody ktoś jemand alguien qualcuno"
PROFESSIONALS = """
doctor doktor gp nurse dentist pharmacist cardiologist paediatrician pediatrician therapist physio midwife optician surgeon lekarz
lekarka pielęgniarka dentysta dentystka pediatra farmaceutka arzt ärztin hausarzt hausärztin kinderarzt kinderärztin zahnarzt
zahnärztin krankenschwester pfleger apotheker apothekerin therapeut therapeutin hebamme médico médica doctora enfermera
enfermero dentista médecin docteur pédiatre infirmière infirmier dentiste kiné medico dottore dottoressa infermiera infermiere
"""
PARTICIPLES = {"en": "ed put given told", "fr": "é it is", "it": "to so", "de": "t en"}
"""Endings, of the next word; in German of the last."""
BOTH = "both neither beide weder oboje obaj obie ani ambos ambas entrambi entrambe"
WITH = "with mit z ze con avec"
SO = "so nor neither"
"""Before the verb of "so is Leo"."""
PERSONS = "she he shes hes ona él ella lui lei"
"""Pronouns that mean no thing."""
PERSONS_OR_THINGS = "sie er elle il"
# Letters that show a language.
ANIMALS = "dog cat horse rabbit hamster guinea-pig parrot budgie"
LETTERS = {
    "pl": "ąęłńśźż",
    "de": "ß",
    "es": "ñ¿¡",
    "cs": "ěřů",
    "tr": "ğış",
    "hu": "őű",
    "uk": "іїєґ",
    "ru": "ыэъё",
    "ro": "ășț",
}
THAT = "that dass że ze que qu che dat что що že ki"
LITTLE = """
little small baby young petit petite pequeño pequeña piccolo piccola kleine kleiner kleinen kleinem kleines mała mały
małej małego małemu małą маленькая маленький
"""
KIN_OF_KIN = """
brother-mother=uncle brother-father=uncle sister-mother=aunt sister-father=aunt mother-mother=grandmother
mother-father=grandmother father-mother=grandfather father-father=grandfather son-brother=nephew son-sister=nephew
daughter-brother=niece daughter-sister=niece mother-husband=mother-in-law mother-wife=mother-in-law
father-husband=father-in-law father-wife=father-in-law son-son=grandson son-daughter=grandson
daughter-son=granddaughter daughter-daughter=granddaughter husband-sister=brother-in-law wife-brother=sister-in-law
brother-husband=brother-in-law brother-wife=brother-in-law sister-husband=sister-in-law sister-wife=sister-in-law
husband-daughter=son-in-law wife-son=daughter-in-law husband-aunt=uncle wife-uncle=aunt son-aunt=cousin
son-uncle=cousin daughter-aunt=cousin daughter-uncle=cousin mother-grandmother=great-grandmother
mother-grandfather=great-grandmother father-grandmother=great-grandfather father-grandfather=great-grandfather
"""
ALSO = "pure tampoco neanche also too no not nicht nie non ne n não niet не auch też także también anche aussi też również тоже также"
# Of the user only after "my".
ALSO_STRANGERS = "kind vicina bebé frau mann mujer femme man kone woman herr baby friend friends amigo amiga freund freundin boss capo chef colleague neighbour"
RELATIONS_AFTER_MY = """
man=husband jongen=son meisje=daughter eldest=child youngest=child boy=son girl=daughter
junge=son mädchen=daughter älteste=child jüngste=child ältester=child jüngster=child ältesten=child
jüngsten=child najstarszy=child najmłodszy=child najstarsza=child najmłodsza=child aîné=child aînée=child
cadet=child cadette=child garçon=son ragazzo=boyfriend ragazza=girlfriend capo=boss teenager=child toddler=child vicina=neighbour mana=sister
mano=brother baas=boss compañero=friend compañera=friend tito=uncle tita=aunt genro=son-in-law
kleinkind=child dada=father other_half=partner better_half=partner little_one=child bessere_hälfte=partner
besseren_hälfte=partner druga_połowa=partner druga_połówka=partner drugiej_połówki=partner media_naranja=partner
chère_moitié=partner dolce_metà=partner
"""
LIKE = """
like unlike same igual mismo mesmo wie as jak como comme come zoals jako как gibi according laut selon après według secondo según segundo volgens
podle
"""
# "The same tablets as", where the word for "as" is that for "that".
SAME = "mismo misma mismos mismas mesmo mesma mesmos mesmas même mêmes stesso stessa stessi stesse"
# Before a noun.
ARTICLES = "the an to der die das dem den ein eine einer einem el la los las un una le les l il lo gli os um uma de het een al zum zur au"
HONORIFICS = "mr mrs ms frau herr pan pani sr sra señora señor mme madame monsieur signora signor"
FOR = "for für dla para pour per voor для"
TITLES = "dr doctor doctora doktor prof professor mr mrs ms frau herr pan pani pana sra sr mme dott dott.ssa др"
JOINS = """
and but or while so that und aber oder während dass i a ale oraz albo że natomiast y e pero o que mientras et mais ou ma che
invece и а но или что та але
"""

# Whether a sentence denies, and what a fact may say of what is denied.
NEGATIONS = (
    r"\b(?:no longer|not|no|never|none|nor|neither|without|cannot|stopped|quit|ruled out|g[ai]ven? up|tested negative for)\b",
    r"\bcan['’]t\b|n['’]t\b",
    r"\b(?:nie|bez|nigdy|ani|(?:przesta|rzuci)ł(?:em|am|[aey])?)\b",
    r"\b(?:не|нет|без|никогда|ни|перестал[аи]?|бросил[аи]?)\b",
    r"\b(?:nicht(?: mehr)?|kein\w*|niemals|ohne|weder)\b",
    r"\b(?:nunca|jamás|dejó|dejé|dejado)\b|\b(?:sin|ni) ",
    r"\b(?:ne|pas|jamais|sans|aucune?|arrêté)\b|\bn['’]",
    r"\bnon\b(?!-)|\b(?:senza|não|niet|geen|nooit|без|ні|немає)\b",
    r"不(?!过)|没|沒|無い|ない(?!と)|ません|なかった|从未|別|别(?!人)",
)
LACKING = (
    r"\b(?:avoid|dislik|hat(?:e|ing)|poor|lack|former|without|free|allerg|intoleran)",
    r"\b(?:unika|nienawidz|brak|uczul|alerg|nietoler)",
    r"\b(?:избега|ненавид|аллерг|непереносим)",
    r"\b(?:meide|vermeide|hass|mangel|frei|allerg|unverträg|intoleran)",
)

# Left and right, upper and lower.
# How often something is done. "|" parts phrases.
PERIODS = {
    "day": "a day|daily|per day|every day|each day|täglich|am tag|pro tag|jeden tag|dziennie|codziennie|na dobę"
    "|na dzień|par jour|chaque jour|tous les jours|al día|cada día|todos los días|diario|diaria|al giorno"
    "|ogni giorno|per dag|elke dag|dagelijks|por dia|todos os dias|в день|каждый день|ежедневно|на день|щодня"
    "|günde|her gün|每天|每日|毎日|매일",
    "two days": "every other day|every second day|jeden zweiten tag|alle zwei tage|co drugi dzień|co dwa dni"
    "|un jour sur deux|tous les deux jours|cada dos días|un día sí|a giorni alterni|ogni due giorni|om de dag"
    "|dia sim|через день|gün aşırı|隔天|隔日|一日おき",
    "week": "a week|weekly|per week|every week|each week|wöchentlich|pro woche|in der woche|jede woche"
    "|tygodniowo|na tydzień|co tydzień|par semaine|chaque semaine|a la semana|por semana|cada semana"
    "|alla settimana|ogni settimana|elke week|в неделю|каждую неделю|на тиждень|haftada|her hafta|每周|每週|毎週|매주",
    "month": "a month|monthly|per month|every month|im monat|pro monat|monatlich|jeden monat|miesięcznie"
    "|w miesiącu|co miesiąc|par mois|chaque mois|al mes|por mes|cada mes|al mese|ogni mese|per maand|elke maand"
    "|por mês|в месяц|каждый месяц|на місяць|ayda|her ay|每月|每个月|毎月|매달",
}
SIDES = """
left right upper lower sol=left sağ=right 左=left 右=right lewy=left lewa=left lewe=left lewej=left
lewą=left lewym=left lewego=left prawy=right prawa=right prawe=right prawej=right
prawą=right prawym=right prawego=right левый=left левая=left левое=left левой=left
левую=left левом=left левого=left правый=right правая=right правое=right правой=right
правую=right правом=right правого=right ліва=left лівий=left лівої=left лівій=left
права=right правий=right правої=right правій=right linke=left linken=left linker=left
linkes=left linkem=left rechte=right rechten=right rechter=right rechtes=right
rechtem=right izquierda=left izquierdo=left derecha=right derecho=right gauche=left
droite=right droit=right sinistra=left sinistro=left destra=right destro=right
esquerda=left esquerdo=left direita=right direito=right linkerarm=left 왼쪽=left
오른쪽=right اليسرى=left اليمنى=right
"""

# Before what is a blood group. "|" parts phrases.
BLOOD_GROUP = (
    "blood group|blood type|blutgruppe|grupa krwi|grupę krwi|grupy krwi|grupo sanguíneo|grupo de sangre"
    "|tipo de sangre|tipo sanguíneo|groupe sanguin|gruppo sanguigno|bloedgroep|группа крови|група крові"
    "|krevní skupin|krvná skupin|blodgrupp|blodtype|kan grubu|血型|血液型|혈액형"
)

# Of medicines: in what forms they are counted, and words of sentences that name them
# which are no names.
DOSE_FORMS = """
tablet tablets tab tabs pill pills capsule capsules puff puffs drop drops unit units iu dose doses spray sprays
sachet sachets spoon spoons spoonful patch patches injection injections inhaler inhalers cream ointment syrup
tabletka tabletki tabletkę tabletek kapsułka kapsułki kapsułkę kapsułek kropla krople kropli wdech wdechy wdechów
jednostka jednostki jednostek saszetka saszetki saszetkę łyżka łyżki łyżkę łyżeczka łyżeczki łyżeczkę plaster
plastry zastrzyk zastrzyki inhalator inhalatora maść krem syrop syropu
tablette tabletten kapsel kapseln tropfen hub hübe sprühstoß sprühstöße einheit einheiten ie beutel löffel pflaster
spritze spritzen salbe creme saft asthmaspray
comprimido comprimidos pastilla pastillas cápsula cápsulas gota gotas inhalación inhalaciones unidad unidades ui
sobre sobres cucharada cucharadas parche parches inyección inhalador pomada crema jarabe
comprimé comprimés cachet cachets gélule gélules goutte gouttes bouffée bouffées unité unités cuillère cuillères
patchs piqûre inhalateur pommade crème sirop
compressa compresse pastiglia pastiglie capsula capsule goccia gocce spruzzo spruzzi puff unità bustina bustine
cucchiaio cucchiai cerotto cerotti iniezione inalatore pomata sciroppo
"""
DOSING = """
take takes taking took taken use uses using used get gets got getting give gives given inject injects injected swallow
swallows put puts raise raises raised increase increases increased lower lowers lowered reduce reduces reduced cut
change changes changed switch switched prescribe prescribes prescribed start starts started need needs needed stay dose
dosage doctor dr gp medicine medicines medication currently still instead new old because pregnant pain mg mcg food
empty stomach winter summer spring autumn went goes moved
biorę bierze bierzemy biorą brać brałam brałem zażywam zażywa przyjmuję przyjmuje łykam łyka stosuję stosuje używam
używa dostaję dostaje wstrzykuję wstrzykuje zmienił zmieniła zmieniono zwiększył zwiększyła zwiększono zmniejszył
zmniejszyła zmniejszono podniósł podniosła przepisał przepisała przepisano zapisał zapisała dawka dawkę dawki lekarz
lekarka lek leki teraz obecnie od na do zima zimą
nehme nimmt nehmen nahm genommen benutze benutzt verwende verwendet bekomme bekommt spritze spritzt spritz schlucke schluckt
erhöht erhöhte gesenkt senkte reduziert geändert umgestellt verschrieben verschrieb dosis arzt ärztin hausarzt
hausärztin medikament jetzt derzeit wurde hat
tomo toma toman tomar tomaba uso usa usar pongo pone inyecto inyecta subió subieron sube bajó bajaron cambió cambiaron
aumentó aumentaron redujo recetó recetaron dosis médico médica doctor doctora medicamento ahora actualmente
prends prend prenons prennent prendre prenais utilise utilisent injecte augmenté augmente diminué diminue réduit baissé
changé passé prescrit prescrite dose docteur médecin médicament maintenant actuellement
prendo prende prendono prendere prendevo uso usa inietto inietta aumentato aumenta ridotto riduce abbassato portato
cambiato passato prescritto dose dottore dottoressa medico farmaco ora adesso attualmente
"""
TIMES = """
morning mornings evening evenings night nights nightly noon afternoon afternoons bedtime bed breakfast lunch dinner
meal meals day days daily week weekly month monthly weekdays weekends fasting
rano ranem wieczorem wieczór wieczory wieczora noc nocy południe południu popołudniu śniadaniem śniadaniu obiedzie
obiadem kolacji kolacją snem dzień dnia dziennie codziennie dni tydzień tygodniu tygodniowo miesiąc miesięcznie
posiłkiem posiłku posiłkami jedzeniem jedzeniu czczo
morgen morgens abend abends mittag mittags nacht nachts nachmittags frühstück mittagessen abendessen essen schlafengehen
tag tage täglich woche wöchentlich monat monatlich nüchtern
mañana tarde noche mediodía desayuno almuerzo comida comidas cena dormir día días diario diaria semana mes
matin soir midi nuit coucher repas petit-déjeuner déjeuner dîner jour jours semaine mois
mattina mattino sera notte mezzogiorno pranzo cena colazione pasto pasti giorno giorni dì settimana mese
"""
EVERY = """
every each co każdy każdego każdą jeden jede jedes alle cada todos todas chaque tous toutes ogni tutti tutte
"""
TIME_LINKS = """
a an the per at in on before after with once twice times x other second
raz razy na w po przed do z przy drugi druga
am zum zur im in vor nach bei mit pro mal einmal zweimal dreimal viermal der die das dem den zweiten
al a la las el los por antes de después con vez veces una dos tres
le la les du au à avant après avec par fois une un de
la il lo alla al di del prima dopo con volta volte per i le due tre
"""
# Before a day from which, or until which, something is so.
# Of a correction that does not say what it corrects: "no, it's 9 units now".
CHANGING = """
actually make made changed moved put rather instead now nope yeah sorry oops wait meant mean correction well oh ah down
zmienili zmieniono przełożyli przełożono przesunęli przesunięto teraz właściwie jednak przepraszam pomyłka sorki aha
ach ne nee doch jetzt nur verschoben geändert verlegt quatsch korrektur sorry eigentlich statt nun
pm am uhr godz godzinę godziny o'clock
"""
SINCE = (
    "since from until till od do seit ab bis desde hasta depuis jusqu dès da dal fino"
)
NEAR_DAYS = """
last next ago yesterday today tomorrow childhood wczoraj dziś jutro ostatnio zeszłym zeszłego przyszłym dzieciństwa
gestern heute letzte letzten letzter letztem nächste nächsten kindheit ayer hoy pasada pasado próxima hier aujourd
dernier dernière prochain ieri oggi domani scorsa scorso prossima
"""
UNTIL = "until till do bis hasta jusqu fino"

# Pronouns that a statement about another begins with, and English verbs of the first
# person with those of the third; without one they are the same.
OTHERS_AS_SUBJECT = "she he sie er ona on ella él elle il lei lui"
THIRD_PERSON_VERBS = """
take=takes have=has am=is use=uses need=needs get=gets suffer=suffers inject=injects drink=drinks smoke=smokes eat=eats
weigh=weighs react=reacts live=lives work=works wear=wears swell=swells can can't cannot could had was got took used
"""

# Words for the signs < and >.
SIGNS = """
over under above below more less until ponad powyżej poniżej więcej mniej свыше больше
меньше über unter mehr weniger
"""

# Words for numbers that the libraries do not have. A message has the number by them, a
# fact not: some have another meaning.
COUNTS = """
one=1 once=1 twice=2 thrice=3 both=2 couple=2 twins=2 pair=2 dozen=12 single=1
jedną=1 obie=2 oba=2 dwoje=2 dwójka=2 troje=3 trójka=3 trojga=3 czworo=4 pięcioro=5
sześcioro=6 siedmioro=7 ośmioro=8 dziewięcioro=9 dziesięcioro=10 dwukrotnie=2
trzykrotnie=3 półtora=1.5 półtorej=1.5
двое=2 трое=3 четверо=4 пятеро=5 второй=2 третий=3 дважды=2 трижды=3 полтора=1.5
полторы=1.5 двічі=2 тричі=3 півтора=1.5 півтори=1.5
einmal=1 zweimal=2 dreimal=3 viermal=4 fünfmal=5 beide=2 siebten=7 anderthalb=1.5
eineinhalb=1.5 zweieinhalb=2.5 gemelle=2 eenmaal=1 tweemaal=2 driemaal=3 anderhalve=1.5
مرتين=2 한=1 두=2 세=3 네=4 다섯=5 여섯=6 일곱=7 여덟=8 아홉=9 열=10
"""
# Words of numbers that have another meaning in a language.
HOMONYMS = """
one once due due's dos sei otto elf acht set sept tres tens second seconds cent cents mil mille
dix cien cinque nove onze
"""
HALVES = """
half halb halbe halben halber halbes halve pół połowę połowa wpół полтаблетки пол половина
половину половине пів половину media medio demi demie mezza mezzo meia meio půl yarım
"""
QUARTERS = "quarter viertel kwadrans kwart quart cuarto quarto четверть чверть"
# How many a word means at least and at most.
FEW = """
few several couple kilka kilku parę paar einige einigen mehrere mehreren несколько
пару кілька pocos unos unas algunos varias quelques plusieurs alcuni alcune qualche alguns
algumas enkele paar pár några birkaç
"""
# Two days from today, and two before it, where the libraries do not have them.
IN_TWO_DAYS = "depois_de_amanhã pasado_mañana dopodomani overmorgen послезавтра pozítří i_övermorgen i_overmorgen öbür_gün"
TWO_DAYS_AGO = "anteontem anteayer antes_de_ayer l'altro_ieri eergisteren позавчера przedwczoraj vorgestern avant_hier předevčírem"
# Times of today for which dateparser has no word; a phrase is joined by "_".
TODAY = """
this_morning this_afternoon this_evening this_night esta_mañana esta_tarde esta_noche ce_matin
ce_soir stamattina stasera stanotte esta_manhã esta_noite vanmorgen vanochtend vanmiddag vanavond
vannacht bu_sabah bu_akşam
"""
# Words between the parts of a number, and of a day, and endings of a day's number.
AND = "and und y e et en i и і"
BETWEEN = "of de del the den r г . ,"
DAY_ENDINGS = "go|ego|го|е"
# What is counted where numbers are written without spaces.
COUNTERS = "次片粒颗顆錠个個名人歳岁天日月年週周杯本匹只隻条條枚回度点點時时小毫公斤克升米盒瓶针針針匙错倍百"

# Months in forms that its names and stems do not cover.
MONTHS = "sept=9 lutym=2 marcu=3 maju=5 lipcu=7 мае=5"
# Short names of weekdays that are no other word.
WEEKDAYS = "tue=1 tues=1 weds=2 thu=3 thur=3 thurs=3 fri=4"
# Seasons by their first month, in forms that are no other word ("lata" are years).
SEASONS = """
summer=6 autumn=9 winter=12 latem=6 lato=6 wiosną=3 jesienią=9 zimą=12 sommer=6 frühling=3
frühjahr=3 herbst=9 летом=6 весной=3 осенью=9 зимой=12
"""
# Units that Unicode's locale data does not have.
UNITS = """
mcg=microgram mcgs=microgram mgs=milligram lb=pound lbs=pound kilo=kilogram
kilos=kilogram chilo=kilogram chili=kilogram quilo=kilogram quilos=kilogram мг=milligram мкг=microgram кг=kilogram
st=stone mmhg=mmHg
"""
# Of laboratory values.
CONCENTRATIONS = """
g/l g/dl mg/l mg/dl µg/l µg/dl ug/l=µg/l ug/dl=µg/dl mcg/l=µg/l mcg/dl=µg/dl ng/l ng/ml ng/dl pg/ml µg/ml=mg/l ug/ml=mg/l
mmol/l µmol/l umol/l=µmol/l nmol/l pmol/l mmol/mol meq/l=mEq/l
miu/l=mIU/l mu/l=mIU/l mui/l=mIU/l mie/l=mIU/l µiu/ml=mIU/l uiu/ml=mIU/l µu/ml=mIU/l µie/ml=mIU/l µui/ml=mIU/l
u/l=U/l iu/l=U/l ui/l=U/l ie/l=U/l ml/min
"""

# What is measured. A word with * is the beginning of others; "_" joins two. The more special come first.
WEIGHING = """
weigh* weight* scale scales wieg* wog wogen gewicht* gewogen waage* waż* waga wagi wagę wadze peso pesa pesaba pesé pesó báscula
balanza pèse pèses pesais pesait poids balance pesavo pesava pesato bilancia weeg weegt woog gewogen вешу весит вес
"""
"""Of the body's weight, with a unit of mass."""
AT_A_WEIGHT = """
down up back again exactly right still almost nearly around about zurück ungefähr genau etwa knapp maintenant
environ encore adesso circa ancora ahora casi aktualnie około prawie
"""
"""Beside stop words, times and a unit all that may be said of a weight without a verb."""
NO_WEIGHT = """
birth born luggage bag parcel geburt* gepäck urodz* naissance nascita nacer nacimiento naci* nació
"""
BLOOD_PRESSURE = """
blood_pressure bp rr blutdruck* ciśnieni* tensión presión tension tensions pressione pression tensão bloeddruk давление
давления
"""
OVER = "over zu na sobre sur su por op"
"""Between the two values of blood pressure."""
NO_MEASURE = """
should want wants wanted would goal goals aim target limit normal ideal under below less more lighter heavier lost lose
loses losing gained gain gains between from until than used lift lifts max maximum formerly when
above if über wenn falls powyżej ponad jeśli jeżeli gdy encima dessus sopra oltre
früher damals kiedyś dawniej autrefois cuando quand quando kiedy
soll* möchte will wollte ziel* zielwert* grenz* normal* unter weniger mehr leichter schwerer abgenommen zugenommen
zwischen höchstens heben hebe
powin* chcę chce chciał* cel celem norm* poniżej mniej więcej schud* przyty* między
debería debe quiero quiere quisiera objetivo meta límite normal menos más perdí perdido bajado subido engordado
devrait dois doit veux voudrais objectif cible limite moins perdu pris
dovrebbe devo deve voglio vorrei obiettivo limite meno perso preso ingrassat*
"""
"""Before a value, or after it in its clause, they say that it was not measured."""
SUBSTANCES = {
    "hba1c": "hba1c a1c glykohämoglobin* langzeitzucker glycated glykowan* glikowan* glicosilad* glyqué* glicat*",
    "ldl": "ldl",
    "hdl": "hdl",
    "triglycerides": "triglycer* triglicer* triglyz* trójglicer*",
    "cholesterol": "cholesterol* cholesterin* colesterol* cholestérol*",
    "glucose": "glucos* glukos* glukoz* glicemi* glycemi* glykemi* glycémi* sugar* blutzucker* nüchternblutzucker* nüchternzucker* zucker* cukier cukr* azúcar sucre zuccheri*",
    "ferritin": "ferritin* ferrytyn* ferritine*",
    "iron": "iron eisen* żelaz* hierro fer ferro",
    "hemoglobin": "hemoglobin* haemoglobin* hämoglobin* hémoglobin* emoglobin* hb hgb",
    "tsh": "tsh",
    "ft4": "ft4 t4",
    "ft3": "ft3 t3",
    "vitamin_d": "vitamin_d vitamina_d vitamine_d witamina_d witaminy_d witaminę_d witamin_d",
    "vitamin_b12": "b12",
    "creatinine": "creatinin* kreatinin* kreatynin* créatinin*",
    "gfr": "egfr gfr",
    "urea": "urea harnstoff* mocznik* urée azotemia",
    "uric_acid": "uric harnsäure* moczow* úrico urique urico",
    "crp": "crp pcr",
    "potassium": "potassium kalium potas potasu potasio potassio",
    "sodium": "sodium natrium sód sodu sodio",
    "calcium": "calcium kalzium wapń wapnia calcio",
    "magnesium": "magnes* magnés*",
    "bilirubin": "bilirubin*",
    "alt": "alt alat gpt",
    "ast": "ast asat got",
    "ggt": "ggt gamma-gt",
    "psa": "psa",
}
"""Substances of laboratory values."""

# Words that do not change what a sentence states, and endings of Polish nouns and verbs.
FILLING = """
indeed really actually truly currently now also too just the a an any już naprawdę
faktycznie obecnie teraz też действительно сейчас теперь тоже der die das den dem ein
eine wirklich jetzt auch
is are am be been being has have having got do does s jest są ma mają  ist sind bin hat
habe haben war
m l j ve re qu ai alles allem alle allen aller alle tout toute tous todo todos tutto tutti everything all
"""
POLISH_ENDINGS = """
a ą e ę i o u y ie ia ię ią iu iem iego iemu iej im em ego emu ej ach iach ami iami om
iom ów iów owi
"""

# What is secret if its value follows, and words between.
PASSWORDS = (
    r"\bpass(?:word|code|phrase)s?\b(?! manager)",
    r"\bpwd\b",
    r"\b(?:api|secret|private) key\b",
    r"\bhas(?:ło|ła|łem|łu|eł)\b",
    r"\bпарол(?:ь|я|ю|ем|и)\b",
    r"\b(?:passwort|kennwort)\b",
)
DENSE_PASSWORDS = "密码|密碼|口令|验证码|パスワード|暗証番号"
PINS = (
    r"\bpin(?: code| number)?\b",
    r"\bcv[vc]2?\b",
    r"\bsecurity code\b",
    r"\b(?:ssn|social security number)\b",
    r"\b(?:credit |debit |bank )?card number\b",
    r"\bkod(?:em)? do karty\b",
    r"\bnumer(?:em)? karty\b",
    r"\bпин(?:-?код)?(?: (?:карты|телефона))?\b",
    r"\bномер\w* карты\b",
    r"\b(?:geheimzahl|kartennummer)\b",
)
# Before a colon they open the turn of a role in a prompt.
ROLES = "system assistant developer asystent ассистент система assistent"
COPULAS = """
is was are to brzmi jest это ist lautet heißt
"""

# Words of health data, which belong to a person's notes and not to the profile.
HEALTH = """
allergy intolerance intolerant diagnosis diagnosed disease illness condition symptom
medicine medication medicament drug pill tablet dose dosage prescription supplement
vitamin vaccine vaccination therapy treatment surgery operation pregnancy pregnant blood
diabetes diabetic asthma cancer depression hypertension weight mg mcg alergia uczulenie
uczulony uczulona nietolerancja diagnoza rozpoznanie choroba chory objaw lek leki leków
tabletka dawka dawkowanie recepta suplement witamina szczepienie terapia leczenie ciąża
ciśnienie cukrzyca cukrzyk astma rak depresja nadciśnienie waga аллергия аллергик
непереносимость диагноз болезнь заболевание симптом лекарство лекарства препарат
таблетка доза дозировка рецепт добавка витамин прививка терапия лечение беременность
беременна давление диабет диабетик астма рак депрессия вес allergie allergisch
unverträglichkeit diagnose krankheit erkrankung symptom medikament medikamente arznei
tablette dosis dosierung rezept nahrungsergänzungsmittel vitamin impfung therapie
behandlung schwangerschaft schwanger blutdruck blutgruppe diabetes asthma krebs
depression gewicht
"""

# Words that name a file.
FILES = (
    r"\b(?:photos?|pictures?|images?|files?|documents?|pdf|scans?|recordings?|attachments?)\b",
    r"\b(?:zdję\w+|fot\w+|obraz\w*|plik\w*|dokument\w*|pdf\w*|skan\w*|nagran\w+|załącznik\w*)\b",
    r"\b(?:фот\w+|снимк\w+|снимок|картин\w+|файл\w*|документ\w*|скан\w*|запис[ьи]|вложени\w+)\b",
    r"\b(?:fotos?|bild\w*|datei\w*|dokument\w*|pdf|scans?|aufnahmen?|anhang|anhänge)\b",
)

# The first words of a wish to forget, or its last: see `memory.wording.wishes`.
FORGETTING = {
    "en": "forget delete remove erase wipe unremember unlearn purge scrap",
    "pl": "zapomnij zapomnieć usuń usunąć skasuj skasować wykasuj wymaż wymazać wykreśl wykreślić wywal wywalić wyrzuć wyrzucić",
    "de": "vergiss vergesst vergessen lösche lösch löschen entferne entfernen streiche streich streichen rausnehmen tilgen",
    "es": "olvida olvide olvidar olvídate olvídame borra borre borrar elimina elimine eliminar quita quitar",
    "fr": "oublie oubliez oublier efface effacez effacer supprime supprimez supprimer retire retirez retirer",
    "it": "dimentica dimentichi dimenticare cancella cancelli cancellare elimina eliminare rimuovi rimuovere",
    "pt": "esquece esqueça esquecer apaga apague apagar elimina elimine remove remova remover exclua excluir",
    "nl": "vergeet vergeten verwijder verwijderen wis wissen",
    "ru": "забудь забудьте забыть удали удалите удалить сотри сотрите стереть убери уберите",
    "uk": "забудь забудьте забути видали видаліть видалити зітри",
    "tr": "unut unutun sil silin kaldır silebilir unutabilir",
    "ar": "انس انسي انسى تنس تنسى احذف احذفي امسح امسحي",
    "zh": "忘记 忘掉 忘記 删除 删掉 刪除 清除 抹去",
    "ja": "忘れて 消して 削除して 消去して",
    "ko": "잊어 지워 삭제해",
    "th": "ลืมว่า ลืมทุก ลืมเรื่อง ลืมเกี่ยวกับ ลืมที่ ลืมสิ่งที่ ลบ",
}
# Denied they are a wish, too: "Don't remember that".
KEEPING = {
    "en": "remember keep save store saved stored kept memorise memorize note record",
    "pl": "pamiętaj zapamiętuj zapisuj zachowuj przechowuj zapisane pamiętał pamiętała",
    "de": "merk merke speichere speicher behalte notiere gespeichert",
    "es": "recuerdes guardes guarde guardar memorices anotes",
    "fr": "retiens retenez garde gardez enregistre enregistrez mémorise note",
    "it": "ricordare salvare memorizzare",
    "pt": "lembres lembre guardes guarde salve grave memorize",
    "nl": "onthoud bewaar",
    "ru": "запоминай запоминайте сохраняй сохраняйте записывай",
    "uk": "запам'ятовуй зберігай записуй",
    "tr": "hatırlama kaydetme saklama",
    "ar": "تحفظ تتذكر",
    "zh": "别记 不要记 别保存 不要保存 别存",
    "ja": "覚えないで 保存しないで 記録しないで",
    "ko": "기억하지마 저장하지마",
    "th": "อย่าจำ อย่าบันทึก",
}
DENYING = "don dont do not t never nie nicht no ne n pas não non niet не لا"
# Before a wish.
OPENINGS = {
    "en": "please pls plz kindly can could would will you u may now just ok okay so then and hi hey hello thanks meddie",
    "pl": "proszę możesz mógłbyś mogłabyś czy teraz to więc i cześć hej",
    "de": "bitte kannst könntest können könnten würdest sie du jetzt also und mal hallo",
    "es": "por favor porfa puedes podrías puede podría y ahora hola",
    "fr": "s il te vous plaît stp svp peux pouvez pourrais pourriez tu et maintenant bonjour",
    "it": "puoi potresti può per favore e adesso ciao",
    "pt": "por favor podes pode poderia podia e agora olá você tu",
    "nl": "alsjeblieft alstublieft kun kan kunt wil je u nu en graag hoi",
    "ru": "пожалуйста можешь можете мог бы ты вы теперь и привет",
    "uk": "будь ласка можеш можете ти тепер і привіт",
    "tr": "lütfen misin mısın musun olur mu",
    "ar": "من فضلك رجاء هل يمكنك أن",
    "zh": "请 請 帮我 麻烦 你可以 可以 能 吗 把 了 掉",
    "ja": "ください 下さい お願いします ね",
    "ko": "줘 줘요 주세요 주십시오 줄래 버려 요",
    "th": "โปรด กรุณา ช่วย หน่อย ด้วย ครับ ค่ะ",
}
# A wish for all has one of these and names nothing.
EVERYTHING = {
    "en": "everything all every single anything whole data memories memory history",
    "pl": "wszystko wszystkim wszystkie wszystkich cały całą dane danych wspomnienia pamięć",
    "de": "alles alle allen sämtliche ganz daten erinnerungen gedächtnis",
    "es": "todo toda todos todas datos recuerdos memoria",
    "fr": "tout toute tous toutes données souvenirs mémoire",
    "it": "tutto tutta tutti tutte dati ricordi memoria",
    "pt": "tudo todo todos todas dados memórias memória",
    "nl": "alles alle al gegevens herinneringen geheugen",
    "ru": "всё все всю всех данные данных воспоминания память",
    "uk": "усе все всі усі дані спогади пам'ять",
    "tr": "her şeyi hepsini tüm bütün verilerimi anılarımı",
    "ar": "كل شيء جميع بياناتي بيانات ذكريات",
    "zh": "一切 所有 全部 全都 都 数据 資料 记忆 記憶",
    "ja": "すべて 全て 全部 ぜんぶ データ 記憶",
    "ko": "모두 모든 전부 다 데이터 기억",
    "th": "ทุกอย่าง ทั้งหมด ข้อมูล อย่าง",
}
# What else a wish says without naming anything.
TELLING = {
    "en": "fact facts thing things stuff info information regarding concerning know knew told telling mentioned remember remembered saved stored keep kept have has got notes note ever sorry actually oh like want wanted bit bits part parts piece detail details entry point line lose drop bin ditch strike take out rid never mind",
    "pl": "o na temat moje moich mnie mi tego tym wiesz mówiłem mówiłam powiedziałem powiedziałam fakt fakty informacje rzeczy fragment fragmencie część części kawałek szczegół szczegóły wpis wzmiankę sprawę ten ta to z już sobie darować nieaktualne pozbądź",
    "de": "zu zum zur mein meine mir was weißt gesagt erzählt gespeichert hast sache sachen angaben fakt fakten notizen das mit teil stück stelle punkt eintrag wieder raus weg nimm wirf kann brauchst",
    "es": "que lo de sobre mi mis mí me eso esto la el los las sabes he dicho dije conté contado cosa cosas información acerca a te",
    "fr": "que ce qu sur de du des d la le les l mon ma mes moi ça cela sais j ai dit parlé raconté as retenu enregistré infos informations chose choses",
    "it": "che ti quello ciò su sul sulla di del della la il lo i gli le l mio mia miei mie me sai so ho detto questo cosa cose informazioni",
    "pt": "que o a os as sobre de do da dos das meu minha meus minhas mim isso isto sabes sabe eu disse contei coisa coisas informações",
    "nl": "dat over van de het een mijn me mij dit wat weet heb hebt ik gezegd verteld ding dingen feit",
    "ru": "о об обо про из своей мои моих знаешь помнишь говорил говорила сказал сказала факт факты информацию",
    "uk": "про о що мої мене це те ти знаєш казав казала у мене",
    "tr": "benim hakkımda bildiğin hakkında ilgili ile bunu şunu bu olduğunu olduğumu",
    "ar": "عن ما الذي تعرفه تعرف قلت هذا ذلك عني أن أني لي",
    "zh": "关于 關於 有关 我 你 的 知道 说过 说 告诉 信息 这件事 这个 事情 事 在 从 中 里",
    "ja": "について ことを こと 関する 私 知っている それ これ を の は が に",
    "ko": "아는 것을 것 나에 대해 대한 내 제 그거 이거 을 를 은 는 이 가",
    "th": "ลืม เกี่ยวกับ ของ ฉัน ผม ว่า ที่ คุณ รู้ นี้ นั้น เรื่อง",
}
EXCEPTING = """
except but excluding besides apart oprócz poza außer ausgenommen excepto salvo menos sauf excepté
hormis tranne eccetto exceto behalve кроме окрім крім إلا باستثناء hariç dışında
"""
# After what is excepted.
EXCEPTED_BEFORE = "ausgenommen hariç dışında"
DENSE_EXCEPTING = "除了 以外 除外 빼고 제외하고 ยกเว้น"

# A yes to a question, and what else it may say.
YES = """
yes y yeah yep yup ya yea sure ok okay absolutely definitely certainly tak jasne pewnie dobrze oczywiście poproszę danke dziękuję gracias merci grazie prego спасибо
ja jo jawohl klar sicher genau gerne sí si claro vale oui ouais bien d'accord sim certo va bene jep prima
да ага конечно хорошо так авжеж evet tamam olur نعم أجل
"""
AGREEING = "do it go ahead that this them these those to je je das sie es eso lo le les la esto ça quello dat это их их onları bunu sicher"
DENSE_YES = "是 是的 对 對 好 好的 行 はい うん ええ 네 예 응 그래 ใช่"

# A no to a question, and words of one that all stays.
NO = """
no nope nah not don dont never nie nicht nein nee nö não non нет не ні hayır yok لا كلا stop cancel
anuluj abbrechen déjalo cancela annule annulla отмена boşver vazgeç iptal اتركه
"""
# They say that something stays.
LEAVING = """
leave keep zostaw zachowaj lass lasse behalte behalt deja dejar conserva laisse laissez garde gardez lascia
tieni deixa mantém laat houd behoud оставь оставьте залиш bırak kalsın اترك
"""
STAYING = """
t do it them that all everything as is mind better rather forget nothing anything stay in let second thought
albo a niech zostanie zostaje jednak lepiej tego je to nic wszystko es sie so alles lieber nicht doch stehen ach soll bleiben drin drinbleiben stehenbleiben
así mejor nada todo lo tomber pas plutôt tout rien stare meglio niente tutto assim melhor nada tudo
maar niet liever staan надо так лучше ничего всё всё все краще kalsın öyle
"""
DENSE_NO = """
不 不要 不用 算了 别 保留 取消 不了 いいえ いや やめて 結構です そのまま キャンセル 아니요 아니 아뇨 그냥 놔둬 두세요 취소
ไม่ ไม่ต้อง ปล่อยไว้ ยกเลิก
"""

# Before a colon or a quotation they say that another wrote or said it.
REPORTING = """
wrote writes said says texted replied answered quotes forwards schrieb schreibt sagte sagt
antwortete meinte écrit dit répond répondu napisał napisała napisali pisze powiedział
powiedziała mówi odpisał odpisała escribió escribe dijo dice respondió scritto scrive detto
rispose risposto escreveu escreve disse respondeu schreef schrijft zei zegt antwoordde skrev
skriver sade svarade написал написала пишет сказал сказала говорит ответил ответила yazdı
yazıyor dedi steht staat reads napisane написано pone
"""
DENSE_REPORTING = "说|說|写道|寫道|写着|寫著|回复|言った|言って|言いました|書いた|書いて|書きました|書いてある"
# Of the user as the one who says or writes.
FIRST_PERSON = "i ich je j yo ja io eu ik jag я"
# Words of those who speak of themselves.
OF_ONESELF = """
i im m am my ich bin habe nehme mein meine meinem meiner mam jestem biorę mój moja moje je j suis ai mon ma mes
yo soy tengo tomo mi mis io sono ho prendo mio mia eu sou estou tenho meu minha ik ben heb neem mijn я меня мне
мой моя ben benim jag är min mitt
"""
DENSE_FIRST_PERSON = "我(?:对.{1,6})?(?:说|說|写道)|私"
NAMES_OF_SELF = "me moi myself 我 私"
SECOND_PERSON = " you du tu vous ty ci tú usted você u jij je вы ты sen 你 您"
# They name a text that follows a colon.
TEXTS = """
mail mails email emails letter message messages text poem song lyrics article paragraph
comment review transcript chat recipe story sms nachricht nachrichten gedicht lied artikel
absatz kommentar rezept geschichte courriel lettre texte poème chanson commentaire recette
histoire mejl mejla maila wiadomość wiadomości tekst tekstu wiersz wierszu piosenka artykuł
komentarz przepis correo carta mensaje mensajes texto poema canción artículo comentario
receta lettera messaggio messaggi testo poesia canzone articolo commento ricetta mensagem
artigo receita bericht tekst gedicht artikel recept письмо письме сообщение сообщении текст
тексте стихотворение стихи песня статья рецепт mesaj metin metni şiir mektup tarif brev
meddelande dikt
"""
DENSE_TEXTS = "邮件|郵件|短信|消息|文章|文本|句子|这段话|诗|詩|食谱|メール|手紙|文章|次の文|メッセージ|歌詞|レシピ"
# Headers of a mail: who wrote it, and what it is about.
MAIL_FROM = "from von de od da van från fra от kimden 发件人 寄件者 差出人"
MAIL_SUBJECT = """
subject betreff objet temat asunto oggetto onderwerp assunto тема ämne emne konu 主题 主旨 件名
"""
