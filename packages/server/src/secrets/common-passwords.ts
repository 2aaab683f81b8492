const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Frequent passwords with at least ten characters, in lower case. */
export const COMMON_PASSWORDS = words(`
  0000000000 0123456789 1029384756 1111111111 1122334455 1212121212 1231231231 123123123123 1234512345 1234554321 123456123456
  1234567890 12345678900 123456789012 1234567891 12345678910 1234567899 123456789a 123456789abc 123456789q 123456789qwe 123456789z
  1234567abc 123456qwerty 12345qwert 1234qwerasdf 1234qwerasdfzxcv 123abc123abc 123qweasdzxc 123qwe123qwe 1357924680 1472583690
  147258369a 159357456852 1a2b3c4d5e 1a2b3c4d5e6f 1password1 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc 2222222222 246813579a
  3141592653 31415926535 5555555555 7777777777 789456123a 8888888888 9876543210 987654321a 9999999999 a123456789 a1234567890 a1b2c3d4e5
  a1b2c3d4e5f6 a1s2d3f4g5 aa123456789 aaaaaaaaaa ab123456789 abc1234567 abc123456789 abc123abc123 abcd123456 abcd12345678 abcd1234abcd
  abcde12345 abcdef1234 abcdef123456 abcdefg123 abcdefg1234567 abcdefghij abracadabra access12345 access14life adgjmptw123 administrator
  administrateur administrador adminadmin adminpassword admin12345678 adminadmin123 alakazam123 allahuakbar alexander1 alexandra1
  alexandria alohomora1 amsterdam1 anakonda12 anaconda123 andromeda1 angelofdeath angelina123 annabelle1 antananarivo apocalypse
  applesauce aquamarine armageddon arsenal1886 arsenalfc1 asd123asd123 asdasd123123 asdasdasd1 asdasdasdasd asdf123456 asdf1234asdf
  asdfasdf12 asdfasdfasdf asdfgh123456 asdfghjkl1 asdfghjkl123 asdfghjkl; asdfghjklz asdfjkl123 asdqwe123456 asdzxc123456 atleticomadrid
  azerty12345 azerty123456 azertyuiop babyblue12 babygirl12 babygirl123 babygurl123 babylon5555 backstreet badminton1 balloon123
  bangladesh barcelona1 barcelona10 barcelonafc baseball12 baseball123 basketball basketball1 basketball23 battlefield bayernmunchen
  beautiful1 beautifulgirl beelzebub1 benfica1904 bestfriend bestfriends bestfriends1 bigdaddy12 billabong1 birmingham birthday123
  bismillah1 bismillah786 blackberry blackberry1 blackbird1 blackhawks blackjack1 blackmetal blackpearl blackwhite blahblah12 blahblahblah
  blessed123 blink182182 bloodlines bluebird12 blueberry1 bluemoon12 bollywood1 bonjour123 bookworm12 boomerang1 borussia09 brandon123
  brasil2014 brazil2014 britney123 brooklyn12 brooklyn99 bubblegum1 bubblegum123 bubbles123 buddy12345 bulldogs12 bullshit12 bulletproof
  butterball buttercup1 butterfly1 butterfly12 butterfly7 butterflies california california1 callofduty callofduty4 cambridge1 camilla123
  caonima123 captain123 caramelle1 carolina12 caroline12 catherine1 celtic1888 ceskarepublika champion12 champions1 changeit123 changeme12
  changeme123 changemenow changethis charizard1 charlie123 charlotte1 checkmate1 cheerleader cheesecake cheyenne12 chickennuggets
  chicken123 chihuahua1 chocolate1 chocolate12 chocolate123 christian1 christian123 christina1 christine1 christmas1 christmas25
  christopher christopher1 cinderella cinderella1 clementine cocacola12 cocacola123 coldplay12 colorado12 comeonbaby comercial1 community1
  communism1 computador computer12 computer123 confidential connection constantine contrasena contrasena1 contrasenya contraseña
  cookie12345 cookies123 cookiemonster coolcool12 corinthians counterstrike courtney12 cowboys123 crackerjack creative12 cristiano7
  cristianoronaldo cristiano1 cruzeiro12 dallascowboys daniel12345 darkangel1 darkknight darkside12 darthvader darthvader1 dave12345678
  deadpool12 december12 decepticon default123 defaultpassword delfin1234 destiny123 destination developer1 diamond123 diamonds12 dictionary
  digital123 dinosaur12 disneyland disneyland1 doberman12 dolphin123 dolphins12 donotenter dontforget doraemon12 dragon12345 dragonball
  dragonball1 dragonballz dragonfire dragonfly1 dragonslayer drowssap123 earthquake easypassword electronic elephant12 elephants1
  elizabeth1 elizabeth2 emergency1 eminem1234 encyclopedia enterprise enterprise1 enterpass1 entrance12 esperanza1 eternity12 everlasting
  evolution1 excalibur1 facebook12 facebook123 facebook1234 faithful12 fallout123 familyguy1 fantastic1 fantasy123 february14
  ferrari123 fireball12 firebird12 firefighter firefly123 flamengo12 flamingo12 florida123 flower1234 flowers123 fluminense football10
  football11 football12 football123 footballer footballs1 ford123456 forever123 foreveryoung forgetmenot forgotten1 fortnite123 fountain12
  frankfurt1 freedom123 freepalestine frenchfries friendship friends123 friends4ever friendship1 fuckyou123 fuckyou1234 fuckyou666
  galatasaray galatasaray1905 fenerbahce fenerbahce1907 besiktas1903 trabzonspor gameover12 gamecube12 gangster12 gangsta123 garfield12
  gateway123 geheim1234 generation georgetown getmoney12 ghostrider ghostrider1 giovanni12 girlfriend girlpower1 gladiator1
  godisgood1 godislove1 godofwar12 godzilla12 goldfinger goldfish12 goodcharlotte goodfellas goodluck12 goodmorning goodnight1 google1234
  google12345 gorilla123 grandmother grasshopper greenday12 greenday123 greenpeace guest12345 guitar1234 guitarhero halamadrid happiness1
  happybirthday happyday12 harrypotter harrypotter1 hastalavista headphones heartbreak heartless1 heavymetal hellboy123 hello12345
  hello123456 hello1234567 hellohello hellokitty hellokitty1 helloworld helloworld1 heslo12345 highlander highschool hollywood1 homebrew12
  honeymoon1 hongkong12 horizon123 houston123 hurricane1 iamtheking iamthebest iceland123 icecream12 idontcare1 idontknow1 idontknow123
  ilikepie12 illuminati ilovefood1 ilovegod12 ilovehim12 ilovejesus ilovejesus1 ilovemom12 ilovemydad ilovemyfamily ilovemymom
  ilovemyself ilovepizza iloveu1234 iloveyou10 iloveyou11 iloveyou12 iloveyou123 iloveyou1234 iloveyou13 iloveyou14 iloveyou22
  iloveyou69 iloveyoubaby iloveyou2much iloveyouforever iloveyousomuch iloveyoutoo immortal12 imperial12 incredible independent india12345
  indonesia1 infantry12 infinity12 inspiration integration internacional international internet12 internet123 interstate intruder12
  invincible iphone1234 ironman123 ironmaiden ironmaiden1 jackdaniels jackson123 january123 jasmine123 jasonbourne jennifer12 jessica123
  jesuschrist jesuschrist1 jesuslives jesusloves jesuslovesme jesussaves jesuscristo johncena12 johnson123 jonathan12 jonasbrothers
  jordan2323 jordan1234 joshua1234 justdoit12 justinbieber justinbieber1 juventus12 kamehameha kangaroo12 katherine1 kennwort12
  kentucky12 kickboxing killer1234 kingkong12 kittycat12 knowledge1 krokodil12 kurtcobain kyrgyzstan labrador12 lacrosse12 lakers2424
  lamborghini lastchance laurence12 legendary1 legolas123 leonardo12 letmein123 letmein1234 letmein12345 letmeinnow letmeinplease
  liberty123 lightning1 lightsaber limpbizkit linkinpark linkinpark1 lionking12 liverpool1 liverpool12 liverpool123 liverpool8
  liverpoolfc livestrong lollipop12 london2012 london1234 longhorns1 lordofrings lordoftherings louisiana1 louisville love123456
  love4eternity loveandpeace loveforever lovelovelove lovely1234 loveme1234 lovers1234 loveyou123 lucky12345 lucky77777 luckycharm
  luckystrike lyceum1234 lyceumlyceum madagascar maddison12 madonna123 madrid2012 magdalena1 maggie1234 magnificent majestic12
  manchester manchester1 manchesterunited manchestercity mandarin12 manunited1 manutd1999 marijuana1 marijuana420 margarita1 marlboro12
  marseille1 marshmallow martinez12 marvel1234 master1234 master12345 masterchief masterkey1 masterpiece matthew123 maverick12
  mcdonalds1 megatron12 melbourne1 mercedes12 mercedesbenz metallica1 metallica123 mexico1234 michael123 michael1234 michaeljackson
  michelle12 microsoft1 microsoft123 midnight12 minecraft1 minecraft12 minecraft123 minecraft1234 mississippi mnbvcxz123 mnbvcxzlkjhgfdsa
  monkey1234 monkey12345 monkey123456 monkeys123 montgomery moonlight1 morningstar mortalkombat motherfucker motherlode motocross1
  motorcycle motorola12 mountain12 mountaindew mustang123 mustang1967 mustang2005 mylittlepony myname1234 mypassword mypassword1 mypassword123
  myspace123 myspace1234 mysecretpassword naruto1234 narutouzumaki national12 nationwide natalie123 neverforget nevergiveup nevermind1
  newcastle1 newpass123 newpassword newpassword1 newyork123 newyorkcity newyorkyankees nicholas12 nightmare1 nightwish1 nintendo12
  nintendo64 nirvana123 nopassword nosferatu1 nothing123 november11 obsession1 october123 oklahoma12 olympiakos omgomgomg1
  onelove123 onepiece12 openopenopen opensesame opensesame1 operations orange1234 orangejuice organization outlook123 p@ssw0rd123
  pakistan12 pakistan123 pakistan786 palestine1 panathinaikos panasonic1 panther123 panthers12 paradise12 paramore12 parola1234
  parola12345 partizan12 pass123456 pass1234567 pass12345678 passme1234 passpass12 passpasspass passw0rd12 passw0rd123 passwd1234 passwd12345
  password00 password01 password10 password11 password12 password123 password1234 password12345 password123456 password1234567890
  password13 password21 password22 password23 password69 password77 password88 password99 password1! password123! passwordpassword
  passwort12 passwort123 passwort1234 patience12 patricia12 peanutbutter pennywise1 pepsi12345 perfection performance perfect123
  philadelphia philippines photography photoshop1 pikachu123 pineapple1 pineapples pinkfloyd1 pinkpanther piramide12 pittsburgh
  playstation playstation1 playstation2 playstation3 playstation4 pokemon123 pokemon1234 polopolo12 popcorn123 porsche911 portsmouth
  portugal12 positive12 powerrangers powerful12 president1 princess10 princess11 princess12 princess123 princess13 princessa1
  professional professor1 protection puppies123 pussycat12 q1w2e3r4t5 q1w2e3r4t5y6 qazqazqaz1 qazwsx1234 qazwsx12345 qazwsx123456
  qazwsxedc1 qazwsxedc123 qazwsxedcrfv qqqqqqqqqq qqww1122334 qwaszx1234 qwe123456789 qwe123qwe123 qweasd1234 qweasd123456 qweasdzxc1
  qweasdzxc123 qweqweqwe1 qweqweqweqwe qwer123456 qwer1234qwer qwerasdfzxcv qwert12345 qwert123456 qwertasdfg qwerty12345 qwerty123456
  qwerty1234567 qwerty123456789 qwerty7890 qwertyqwerty qwertyui123 qwertyuio1 qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[]
  qwertyuiopasdfghjkl qwertzuiop quicksilver raiders123 rainbow123 rangers123 raspberry1 realmadrid realmadrid1 realmadrid7 rebecca123
  redalert12 redbull123 redskins21 regional12 relationship remember12 republica1 resident12 residentevil retired123 revolution
  revolution1 rhinoceros richard123 ricardo123 riverplate1 robert1234 rockandroll rockstar12 rockstar123 rocknroll1 romanista1 romeojuliet
  ronaldinho ronaldinho10 ronaldo123 ronaldo777 root123456 rootroot12 roosevelt1 russia2018 rush2112rush rubberduck sacramento sagittarius
  samantha12 samsung123 samsung1234 samsunggalaxy sanandreas sandiego12 sanfrancisco santiago12 santosfc12 saopaulo12 saopaulofc
  saturday12 scarface12 schalke1904 scheisse12 schokolade school1234 scooter123 scorpion12 scotland12 screaming1 secret1234 secret12345
  secretpassword secretword security12 security123 semperfi12 september1 september11 september12 serenity12 sexygirl12 shadow1234
  shadow12345 shakespeare shithead12 shopping12 silverado1 simple1234 simplepass simpsons12 singapore1 skateboard skateboard1 skateboarding
  skywalker1 slayer6666 slipknot12 slipknot123 slipknot666 smackdown1 smashing12 smile12345 snickers12 snowball12 snowboard1 snowboarding
  soccer1234 soccer12345 softball12 softball123 somebody12 something1 southpark1 southside1 southside13 spartacus1 spartak1922 spiderman1
  spiderman12 spiderman123 spiderman3 spongebob1 spongebob12 spongebob123 sporting1906 spring2020 springfield sputnik123 squirrel12
  srilanka12 starcraft1 starcraft2 stargate12 starlight1 start12345 startrek12 starwars12 starwars123 starwars77 stephanie1 stonecold1
  strawberry strawberry1 strongpassword stupid1234 submarine1 subscriber success123 sublime420 summer1234 summer2020 summertime summertime1
  sunflower1 sunflower12 sunshine10 sunshine11 sunshine12 sunshine123 superman10 superman11 superman12 superman123 supermario supernatural
  supernova1 superpassword supersecret superstar1 superstar12 supervisor superuser1 support123 sweetheart sweetheart1 sweetie123 sweetpea12
  switzerland symphony12 system1234 tchaikovsky teacher123 technology technology1 teddybear1 teddybear123 telefon123 temp123456 temporary1
  temppassword tennessee1 tequiero12 tequieromucho terminator terminator1 terrorist1 test123456 test1234567 test12345678 test1234test
  testing123 testing1234 testpassword testtest12 testtest123 testtesttest thebeatles thebest123 thebigbang thechosenone themaster1
  thematrix1 therock123 thesimpsons thirteen13 thisismypassword thisisatest thomas1234 thunder123 thunderbird thunderbolt thunderstorm
  tiffany123 tigers1234 timberlake tinkerbell tinkerbell1 titanic123 tokiohotel tomandjerry tonyhawk12 toshiba123 tottenham1
  tottenhamhotspur toyota1234 transformer transformers trinidad12 trinity123 triplehhh1 trooper123 troubadour trustno1234 trustnoone
  tupacshakur turkiye123 twilight12 twilight123 tyrannosaurus unbelievable undertaker undertaker1 unforgiven united1234 universal1
  universidad university university1 user123456 username12 username123 uzumaki123 valentina1 valentine1 valentino46 vampire123 vancouver1
  vanhalen12 vanillaice vegeta1234 venezuela1 veronica12 victoria12 victory123 videogames vikings123 vladimir12 volkswagen volkswagen1
  volleyball volleyball1 voodoo1234 wachtwoord wachtwoord1 warcraft12 warcraft123 warhammer1 warhammer40k warrior123 washington
  washington1 watermelon watermelon1 webmaster1 welcome123 welcome1234 welcome12345 welcome2020 welcomehome wellington westbrook1
  westham123 westminster westside12 whatever12 whatever123 whateveryouwant whatsup123 whitesnake wildcats12 william123 winchester
  windows123 windows1234 windows2000 winner1234 winter2020 wolfgang12 wolverine1 wonderland wonderwall wonderwoman woodstock1 wordpass12
  wordpress1 wordpress123 worldcup12 worldofwarcraft worldpeace wrestling1 wrestlemania xboxlive12 xxxxxxxxxx yankees123 yellow1234
  yellowstone yourmother yourpassword youtube123 yugioh1234 zaq12wsx123 zaq12wsxcde3 zaq1xsw2cde3 zaqwsx1234 zaqxswcde1 zeppelin12
  zimbabwe12 zidane1010 zxcasdqwe1 zxcasdqwe123 zxcv123456 zxcvbn1234 zxcvbn12345 zxcvbn123456 zxcvbnm123 zxcvbnm1234 zxcvbnm12345
  zxcvbnm,./ zxczxczxc1 zzzzzzzzzz correcthorsebatterystaple correct-horse-battery-staple
`)

/** Words that stay easy to guess with a few digits or symbols around them, in lower case. */
export const COMMON_WORDS = words(`
  access admin administrator alexander amanda america andrea andrew angel angels anthony apple april arsenal ashley august austin autumn
  babygirl badboy bailey banana barcelona baseball basketball batman beautiful benjamin bismillah blahblah blink brandon brooklyn bubbles
  buddy bulldog butterfly california camaro captain carlos celtic champion changeit changeme charles charlie charlotte cheese chelsea
  chester chicken chocolate chris christian christmas cocacola computer cookie cookies cool corvette cowboys crystal dakota dallas daniel
  danielle david december default demo destiny diamond dolphin donald dragon eagles eduardo elizabeth eminem england estrella facebook
  family february ferrari fishing florida flower football forever fortnite freedom friday friend friends fuckyou galaxy garfield george
  ginger google guest guitar hallo hammer hannah happy harley harry heaven heather hello hellokitty hockey hola honey hunter iloveu
  iloveyou india internet invite isabella jackson january jasmine jennifer jeremy jessica jesus jonathan jordan joseph joshua juice july june
  junior justin killer king kitty lakers laptop lauren legend letmein liverpool login london love loveme lovely lovelove loveyou lucky
  lyceum madison maggie manager manchester march marina martin marvel master matrix matthew melissa member mercedes merlin mexico michael
  michelle mickey microsoft midnight minecraft moderator monday monica monkey morgan mother mustang mypass mypassword naruto natalie
  newpassword newyork nicholas nicole nintendo nothing november october office oliver online orange pakistan panda parola pass passphrase
  passwd passwort password passwords patrick peaches peanut pepper phoenix player please pokemon princess private purple qazwsx qwert qwerty
  qwertz qwertyuiop rachel raiders rainbow ranger rangers realmadrid rebecca redsox richard robert ronaldo root samantha samsung samuel
  saturday school scooter secret secure security september service shadow silver simple single slipknot smokey snoopy soccer sophie spiderman
  spongebob spring starwars steelers stephanie student summer sunday sunshine superman superstar support sweet sydney system taylor teacher
  temp temppass tennis test tester testing testtest thomas thunder thursday tigger tinkerbell trustno tuesday turtle tweety twitter unknown
  user username vanessa victoria wednesday welcome whatever william willow windows winner winter wizard wordpress yamaha yankees yellow
  youtube zaqwsx zxcvbn zxcvbnm
`)
