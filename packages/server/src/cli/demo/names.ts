import type { Language } from './text/types.ts'
import { words } from './text/words.ts'

/** Where names come from. An entry “Latin=native” is shown in its own script now and then. */
export interface Culture {
  language: Language
  /** How often, by 1000. */
  weight: number
  given: string[]
  family: string[]
  places: string[]
  /** The family name stands first in the native script. */
  familyFirst?: boolean
}

const culture = (language: Language, weight: number, given: string, family: string, places: string, familyFirst = false): Culture => ({
  language,
  weight,
  given: words(given),
  family: words(family),
  places: places.trim().split(/\s*;\s*/),
  familyFirst,
})

export const CULTURES: Culture[] = [
  culture(
    'en',
    300,
    `Emma, Oliver, Amelia, Jack, Grace, Harry, Isla, George, Ruby, Callum, Nora, Ethan, Hazel, Owen, Abigail, Caleb, Megan, Rhys, Fiona, Declan, Maeve, Liam,
     Charlotte, Noah, Eleanor, Theo, Alice, Felix, Beth, Simon, Joanne, Martin, Tessa, Graham, Priscilla, Dougal, Wendy, Marcus, Tamsin, Jonah`,
    `Smith, Walker, Hughes, Campbell, Wright, Murphy, O’Connor, Bennett, Harris, Fletcher, Reid, Marsh, Sutton, Hale, Whitaker, Barnes, Doyle, Kerr, Pritchard, Lowe,
     Ashby, Carver, Dunn, Ellis, Foster, Gibson, Holloway, Ingram, Keane, Lambert, Mercer, Nolan, Osborne, Parker, Quinn, Rowe, Sinclair, Thorne, Underwood, Vance`,
    'Leeds, England; Bristol, England; Glasgow, Scotland; Cardiff, Wales; Dublin, Ireland; Cork, Ireland; Portland, Oregon; Austin, Texas; Minneapolis, Minnesota; Toronto, Canada; Halifax, Canada; Melbourne, Australia; Hobart, Tasmania; Wellington, New Zealand; Chicago, Illinois; Burlington, Vermont',
  ),
  culture(
    'en',
    60,
    'Astrid, Lars, Ingrid, Mikkel, Saga, Emil, Freja, Sven, Linnea, Oskar, Maja, Henrik, Sólveig, Björn, Signe, Aino, Eero, Kaisa',
    'Lindqvist, Hansen, Nyström, Dahl, Bergström, Jørgensen, Virtanen, Korhonen, Ødegård, Sandberg, Holm, Mäkinen, Eriksen, Åkesson',
    'Malmö, Sweden; Bergen, Norway; Aarhus, Denmark; Tampere, Finland; Reykjavík, Iceland; Uppsala, Sweden',
  ),
  culture(
    'en',
    50,
    'Zofia, Jakub, Hanna, Piotr, Magda, Tomasz, Ewa, Marek, Jana, Ondřej, Zuzana, Vojtěch, Katalin, Bence, Ilona, Mihai, Ioana, Luka, Petra, Dragan',
    'Kowalska, Nowak, Wiśniewski, Zielińska, Novák, Svobodová, Dvořák, Kovács, Szabó, Popescu, Ionescu, Horvat, Babić, Jovanović',
    'Kraków, Poland; Gdańsk, Poland; Brno, Czechia; Pécs, Hungary; Cluj, Romania; Zagreb, Croatia; Ljubljana, Slovenia',
  ),
  culture(
    'en',
    40,
    'Chidi, Amara, Ngozi, Tunde, Zanele, Thabo, Wanjiru, Kamau, Abena, Kwame, Folake, Sipho, Akinyi, Emeka, Nia, Jabari',
    'Okafor, Adeyemi, Mensah, Dlamini, Mwangi, Otieno, Nkosi, Balogun, Boateng, Eze, Kariuki, Mokoena',
    'Lagos, Nigeria; Nairobi, Kenya; Accra, Ghana; Cape Town, South Africa; Durban, South Africa; Kampala, Uganda',
  ),
  culture(
    'en',
    35,
    'Giulia, Matteo, Chiara, Lorenzo, Francesca, Davide, Elif, Emre, Zeynep, Can, Eleni=Ελένη, Nikos=Νίκος, Sofia=Σοφία, Yannis=Γιάννης',
    'Rossi, Ferrari, Moretti, Conti, Greco, Yılmaz, Demir, Kaya, Papadakis=Παπαδάκης, Nikolaou=Νικολάου, Ricci, Marino',
    'Bologna, Italy; Torino, Italy; İzmir, Türkiye; Ankara, Türkiye; Thessaloniki, Greece; Palermo, Italy',
  ),
  culture(
    'en',
    35,
    'Ji-woo=지우, Min-jun=민준, Seo-yeon=서연, Hyun=현, Soo-ah=수아, Do-yun=도윤, Ha-eun=하은, Tae-min=태민, Linh, Minh, Thảo, Quang, Maria, Jose, Bayani, Putri, Dewi, Arif',
    'Kim=김, Lee=이, Park=박, Choi=최, Jung=정, Kang=강, Nguyen=Nguyễn, Tran=Trần, Santos, Reyes, Wijaya, Santoso',
    'Busan, South Korea; Seoul, South Korea; Đà Nẵng, Vietnam; Cebu, Philippines; Yogyakarta, Indonesia; Singapore',
    true,
  ),
  culture(
    'de',
    110,
    'Anna, Lukas, Lena, Jonas, Katharina, Felix, Mira, Paul, Sabine, Jürgen, Heike, Thorsten, Franziska, Matthias, Leonie, Moritz, Ute, Bernd, Greta, Anton, Silke, Jannik, Renate, Tobias',
    'Schmidt, Müller, Weber, Hoffmann, Schäfer, Koch, Bauer, Richter, Klein, Wolf, Neumann, Schwarz, Zimmermann, Krüger, Hofmann, Lehmann, Vogel, Keller, Gruber, Steiner, Huber, Baumann',
    'Leipzig, Deutschland; Freiburg, Deutschland; Hamburg, Deutschland; Graz, Österreich; Linz, Österreich; Bern, Schweiz; Basel, Schweiz; Münster, Deutschland; Dresden, Deutschland',
  ),
  culture(
    'es',
    90,
    'Lucía, Mateo, Carmen, Diego, Sofía, Javier, Valentina, Andrés, Paula, Álvaro, Camila, Nicolás, Inés, Rodrigo, Elena, Joaquín, Ximena, Pablo, Marta, Emilio',
    'García, Martínez, López, Fernández, Gómez, Díaz, Romero, Torres, Vargas, Castillo, Ortega, Rojas, Navarro, Molina, Ibáñez, Quispe, Salazar, Mendoza',
    'Sevilla, España; Bilbao, España; Bogotá, Colombia; Medellín, Colombia; Rosario, Argentina; Montevideo, Uruguay; Puebla, México; Valparaíso, Chile; Lima, Perú',
  ),
  culture(
    'fr',
    75,
    'Camille, Louis, Manon, Hugo, Chloé, Antoine, Élise, Julien, Margaux, Théo, Aurélie, Baptiste, Solène, Mathieu, Inès, Étienne, Clémence, Yann, Fatou, Moussa',
    'Martin, Bernard, Dubois, Moreau, Laurent, Lefèvre, Girard, Rousseau, Fontaine, Chevalier, Gauthier, Perrin, Tremblay, Gagnon, Bouchard, Diallo, Traoré, Lambert',
    'Nantes, France; Rennes, France; Lyon, France; Grenoble, France; Liège, Belgique; Lausanne, Suisse; Québec, Canada; Dakar, Sénégal',
  ),
  culture(
    'pt',
    50,
    'Ana, João, Beatriz, Pedro, Mariana, Tiago, Larissa, Rafael, Joana, Bruno, Luísa, Caio, Helena, Gustavo, Íris, Duarte',
    'Silva, Santos, Oliveira, Souza, Pereira, Costa, Almeida, Ribeiro, Carvalho, Azevedo, Barbosa, Nogueira, Teixeira, Moura',
    'Recife, Brasil; Curitiba, Brasil; Belém, Brasil; Porto, Portugal; Coimbra, Portugal; Florianópolis, Brasil',
  ),
  culture(
    'ja',
    40,
    'Misaki=美咲, Haruto=陽翔, Yui=結衣, Sota=颯太, Aoi=葵, Ren=蓮, Sakura=さくら, Kaito=海斗, Hina=陽菜, Daiki=大輝, Mei=芽衣, Takumi=拓海, Kenji=健二, Naoko=直子, Yuko=優子, Hiroshi=浩',
    'Sato=佐藤, Suzuki=鈴木, Takahashi=高橋, Tanaka=田中, Watanabe=渡辺, Ito=伊藤, Yamamoto=山本, Nakamura=中村, Kobayashi=小林, Kato=加藤, Yoshida=吉田, Mori=森, Hayashi=林',
    '京都; 札幌; 福岡; 金沢; 仙台; 横浜; 松本',
    true,
  ),
  culture(
    'zh',
    40,
    'Wei=伟, Fang=芳, Na=娜, Jing=静, Lei=磊, Yan=燕, Ming=明, Xia=霞, Hao=浩, Ting=婷, Jun=军, Li-hua=丽华, Zi-han=子涵, Yu-chen=宇辰, Si-yu=思雨',
    'Wang=王, Li=李, Zhang=张, Liu=刘, Chen=陈, Yang=杨, Zhao=赵, Huang=黄, Zhou=周, Wu=吴, Xu=徐, Sun=孙, Lin=林',
    '成都; 杭州; 厦门; 西安; 台南; 昆明; 青岛',
    true,
  ),
  culture(
    'ar',
    40,
    'Layla=ليلى, Omar=عمر, Fatima=فاطمة, Youssef=يوسف, Maryam=مريم, Khaled=خالد, Noor=نور, Hassan=حسن, Salma=سلمى, Karim=كريم, Huda=هدى, Tariq=طارق, Rania=رانيا, Samir=سمير',
    'Haddad=حداد, Mansour=منصور, Khalil=خليل, Nasser=ناصر, Saleh=صالح, Amrani=العمراني, Benali=بن علي, Darwish=درويش, Farah=فرح, Sabbagh=صباغ, Zahran=زهران',
    'عمّان; تونس; الدار البيضاء; الإسكندرية; بيروت; مسقط; فاس',
  ),
  culture(
    'ru',
    40,
    'Anastasia=Анастасия, Dmitri=Дмитрий, Olga=Ольга, Sergei=Сергей, Ekaterina=Екатерина, Alexei=Алексей, Irina=Ирина, Pavel=Павел, Oksana=Оксана, Andriy=Андрій, Vera=Вера, Timur=Тимур, Marina=Марина, Ilya=Илья',
    'Petrenko=Петренко, Kravets=Кравец, Morozov=Морозов, Belyakova=Белякова, Sorokin=Сорокин, Levchenko=Левченко, Gromova=Громова, Orlov=Орлов, Zaytseva=Зайцева, Melnik=Мельник',
    'Казань; Томск; Тбилиси; Вильнюс; Алматы; Рига; Ереван',
  ),
  culture(
    'hi',
    60,
    'Priya=प्रिया, Arjun=अर्जुन, Ananya=अनन्या, Rohan=रोहन, Kavya=काव्या, Vikram=विक्रम, Neha=नेहा, Aditya=आदित्य, Meera=मीरा, Sanjay=संजय, Pooja=पूजा, Rahul=राहुल, Divya=दिव्या, Kiran=किरण, Nikhil=निखिल',
    'Sharma=शर्मा, Patel=पटेल, Verma=वर्मा, Gupta=गुप्ता, Joshi=जोशी, Iyer=अय्यर, Nair=नायर, Singh=सिंह, Desai=देसाई, Kulkarni=कुलकर्णी, Mehta=मेहता, Rao=राव',
    'पुणे; जयपुर; Bengaluru, India; Kochi, India; इंदौर; लखनऊ; Chennai, India',
  ),
]

/** Parts of made-up usernames. */
export const NICK_FRONT =
  words(`quiet, tiny, lazy, brave, midnight, paper, copper, pixel, wild, slow, lucky, grumpy, velvet, rusty, sunny, foggy, mellow, spare, hidden, minor, blue, green, amber,
  salty, curious, borrowed, second, wandering, sleepy, humble`)
export const NICK_BACK =
  words(`fern, otter, kettle, harbour, teapot, sparrow, lantern, pebble, compass, fox, maple, comet, hedgehog, banjo, anchor, moth, willow, bicycle, pancake, badger, cloud,
  thimble, river, walrus, radish, beetle, acorn, sparrowhawk, biscuit, tram`)
