import type { Voice } from '../types.ts'
import { lines, words } from '../words.ts'

/** Slots stand where nominative and accusative are alike; {gear} carries its article in the accusative, {goal} is an infinitive with zu. */
export const german: Voice = {
  language: 'de',
  space: ' ',
  colon: ': ',
  lists: {
    time: words(
      'gestern Abend, heute früh, am Samstag, am Wochenende, letzte Woche, vorgestern, nach der Arbeit, am Sonntagnachmittag, in der Mittagspause, neulich',
    ),
    span: words(
      'drei Wochen, ein paar Monate, ein gutes Jahr, zehn Tage, zwei Jahre, ein halbes Jahr, sechs Wochen, eine gefühlte Ewigkeit, vier Monate',
    ),
    dauer: words(
      'drei Wochen, ein paar Monaten, gut einem Jahr, zehn Tagen, zwei Jahren, einem halben Jahr, sechs Wochen, einer gefühlten Ewigkeit, vier Monaten',
    ),
    job: words(
      'Krankenpfleger, Lehrerin, Programmierer, Buchhändlerin, Elektriker, Übersetzerin, Tischler, Studentin, Busfahrer, Architektin, Koch, Geologin',
    ),
    buddy: words(
      'meine Nachbarin, mein Vater, eine Kollegin, mein Bruder, eine Freundin, mein Schwager, meine Oma, unser Sohn, ein alter Schulfreund',
    ),
    city: words('Leipzig, Graz, Bern, Freiburg, Hamburg, Linz, Münster, Dresden, Basel, Bremen, Innsbruck, Nürnberg, Rostock, Kassel'),
    day: words('Montag, Dienstag, Mittwoch, Donnerstag, Freitag, Samstag, Sonntag'),
    hour: words('9:30, 10 Uhr, 14 Uhr, 17:30, 18 Uhr, 19 Uhr, 19:30, 20 Uhr'),
  },
  tags: [' ({where})', ' {where}', ' nach {dauer}', ' – Update', ' (lang geworden)', ' (Teil {2-4})', ' – zweiter Versuch'],
  askTags: [' – hat jemand Erfahrung?', ' (Anfängerfrage)', ' – wie macht ihr das?', ' (Hilfe!)', ' – Ideen?'],
  asides: [
    'Viele Grüße aus {city*}.',
    'Geschrieben {where*}, bitte Tippfehler übersehen.',
    '{Buddy*} lässt grüßen.',
    'Mehr über {thing*} ein andermal.',
    'PS: Ja, schon wieder {problem*}.',
    '{@} weiß, was ich meine.',
  ],
  question: {
    greet: lines(`
      Hallo zusammen,
      Hallo in die Runde,
      Moin,
      Servus,
      Guten Abend,
      Erster Beitrag, seid bitte nachsichtig.
      Kurze Frage:
      Grüezi mitenand,`),
    titles: [],
    open: [],
    close: lines(`
      Danke schon mal!
      Vielen Dank im Voraus.
      Über Tipps freue ich mich.
      Fotos kann ich gern nachreichen.
      Wie macht ihr das?
      Ich bin für jeden Hinweis dankbar.
      Liebe Grüße aus {city}
      Bitte nicht lachen 🙂`),
    buying: null,
    generic: [
      {
        titles: lines(`
          Wie schafft ihr es, {goal}?
          Ich versuche, {goal} – wo fange ich an?
          {Where} – kann man da überhaupt etwas machen?
          Was braucht man wirklich, um {goal}?`),
        story: lines(`
          Seit {dauer*} versuche ich, {goal}, bisher mit [mäßigem|wechselndem] Erfolg. Am meisten nervt eines: {problem}. Das Ganze findet {where} statt, da sind die Möglichkeiten begrenzt.
          Ich würde gern lernen, {goal}. {Buddy*} sagt, das sei ganz einfach. Ich scheitere regelmäßig an einer Sache: {problem}.`),
        tried: lines(`
          Ich habe schon einiges gelesen, aber jeder schreibt etwas anderes.
          {Time*} habe ich {did}, das hat immerhin Spaß gemacht.`),
        ask: lines(`
          Was hat bei euch den Unterschied gemacht?
          Wo würdet ihr anfangen?
          Gibt es einen Trick, den ich übersehe?`),
        answers: lines(`
          Fang klein an. Mir hat es geholfen, [jeden Tag ein bisschen|nur eine Sache auf einmal] zu machen.
          Ohne {gear} würde ich es nicht mehr versuchen.
          Zuerst kümmere dich um {problem}, dann kommt der Rest von allein.
          Bei mir hat es {span*} gedauert. Dranbleiben!
          Ich mache das auch {where}, schreib mir gern.`),
      },
      {
        titles: lines(`
          Lohnt es sich, {gear} zu kaufen?
          {Gear} oder lieber {gear2}?
          Gebraucht kaufen: {gear}?
          {Problem} – was tun?
          Schon wieder {problem}`),
        story: lines(`
          Ich überlege, ob ich mir {gear} zulegen soll. Bisher ging es auch so, aber eines wird langsam zum Dauerthema: {problem}.
          In der Nachbarschaft verkauft jemand {gear} für {k=20-180/10} Euro, {span*} alt. Nutzen würde ich es [vor allem|fast nur] {where}.`),
        ask: lines(`
          Würdet ihr zuschlagen?
          Worauf muss ich achten?
          Braucht man das, oder will man das nur?`),
        answers: lines(`
          {k=20-180/10} Euro finde ich [fair|etwas viel|ein Schnäppchen].
          Leih dir so etwas erst mal aus, in {city*} gibt es eine Bibliothek der Dinge.
          Habe ich seit {dauer*} und würde es wieder kaufen.
          Bei mir steht so etwas im Keller. Du kannst es haben 😅
          Gegen {problem} hilft das nicht, das liegt meistens woanders.`),
      },
    ],
  },
  show: {
    titles: lines(`
      Endlich {did}!
      {Thing}, {span} später
      Kleiner Erfolg: {did}
      Mein Wochenende: {thing}
      {Where}: so sieht es jetzt aus
      Versuch Nummer {2-12}: {thing}
      Vorher, nachher: {thing}
      Ich habe {did} und bin ein bisschen stolz`),
    open: lines(`
      {Time*} habe ich [endlich|tatsächlich] {did}.
      Nach {dauer*} Anlauf habe ich {did}.
      Weil es zu Hause keiner mehr hören mag: Ich habe {did}.
      {Buddy*} hat mich überredet, und jetzt habe ich wirklich {did}.
      Manche erinnern sich an meine Frage von damals. Hier die Fortsetzung:`),
    close: lines(`
      Was würdet ihr anders machen?
      Kritik ist willkommen.
      Danke an alle, die mir hier geholfen haben, vor allem {@}.
      Als Nächstes kommt dran: {thing2}.
      Nicht perfekt, aber meins.
      Fotos folgen, sobald das Licht besser ist.
      Und jetzt brauche ich einen Kaffee.`),
  },
  tips: {
    titles: lines(`
      {k=3-7} Dinge, die ich gern früher gewusst hätte
      {Thing}: was ich in {dauer} gelernt habe
      Kleine Checkliste für {thing}
      {Thing} ohne {problem}
      Für Neulinge: {thing}
      Meine Regeln für {thing}, {where}`),
    open: lines(`
      Weil die Frage immer wieder kommt, hier meine Liste:
      Gesammelt in {dauer*}, ohne Anspruch auf Vollständigkeit:
      Das hätte mir am Anfang jemand sagen sollen:
      Angeregt durch den Beitrag von {@}:`),
    close: lines(`
      Was fehlt?
      Wer es anders macht, gern her damit!
      Das meiste davon habe ich hier gelernt, danke dafür.
      Viel Spaß beim Ausprobieren!`),
  },
  opinion: {
    titles: ['{claim}', '{claim}', 'Unpopuläre Meinung: {claim}', '„{claim}“ – oder?', 'Steile These: {claim}', 'Mal ehrlich: {claim}'],
    open: lines(`
      Das lässt mich nicht los.
      Vielleicht mache ich mich jetzt unbeliebt.
      {Buddy*} und ich haben {time*} lange diskutiert.
      Mal ehrlich:
      Beim Lesen hier ist mir etwas aufgefallen.`),
    because: lines(`
      Das sage ich nach {dauer*} Erfahrung, {where}.
      Klar, es gibt Ausnahmen, {thing2} zum Beispiel.
      Das übliche Gegenargument lautet {problem}. Das überzeugt mich nicht.
      Ich habe es lange anders gemacht und vermisse nichts.
      {Buddy*} sieht das völlig anders und ist auch glücklich.`),
    close: lines(`
      Wie seht ihr das?
      Bin ich damit allein?
      Überzeugt mich vom Gegenteil!
      Ich bin gespannt auf eure Erfahrungen.`),
  },
  link: {
    titles: lines(`
      Lesetipp: {resource}
      {Resource}
      Kennt ihr „{resource}“?
      Gefunden: {resource}
      {Resource} – lohnt sich`),
    open: lines(`
      Bin {time*} darüber gestolpert:
      {Buddy*} hat mir das geschickt:
      Für alle, die sich für {thing} interessieren:`),
    sites: ['https://{site}.example.org/{slug}', 'https://www.example.com/{site}/{slug}', 'https://example.org/{slug}'],
    why: lines(`
      Besonders der Teil über {thing} ist [hervorragend|sehr ehrlich].
      Ich bin nicht mit allem einverstanden, aber es hat mich zum Nachdenken gebracht.
      Dauert {5-40/5} Minuten und ist jede davon wert.
      Endlich jemand, der nichts verkaufen will.`),
    close: lines(`
      Was meint ihr?
      Habt ihr Ähnliches?
      Deckt sich das mit euren Erfahrungen?`),
  },
  event: {
    titles: lines(`
      Treffen in {city}: {thing}
      Wer ist {day} in {city} dabei?
      Stammtisch {city}, {day}, {hour}
      Einladung: ein Abend über {thing}`),
    open: lines(`
      Wir planen ein kleines, gemütliches Treffen.
      Weil es beim letzten Mal so nett war, wiederholen wir das.
      {@} und ich würden gern ein paar von euch kennenlernen.`),
    facts: [
      ['Wann', ['{day}, {hour}', '{day} in zwei Wochen, {hour}']],
      ['Wo', ['Gasthaus zur Post, {city}', 'Gemeindezentrum {city}', 'im Park am Brunnen, {city}']],
      ['Mitbringen', ['gute Laune und etwas zum Teilen', 'nichts, es ist alles da', 'Fragen!']],
      ['Kosten', ['keine', '{3-6} Euro für den Raum']],
    ],
    close: lines(`
      Sagt kurz Bescheid, wenn ihr kommt.
      Kinder und Hunde sind willkommen.
      Wer kommt mit? ✋`),
  },
  announcement: {
    notices: [
      {
        titles: ['Willkommen an alle Neuen ({2-40}. Runde)', 'Kurz zu den Regeln', 'Danke für {k=100-900} Mitglieder!'],
        bodies: [
          'Schön, dass ihr da seid! Stellt euch gern kurz vor. Drei Dinge halten diesen Ort angenehm: **freundlich bleiben**, beim Fragen **den Zusammenhang nennen** und am Ende **berichten, was geholfen hat**.',
        ],
      },
      {
        titles: ['Thema des Monats: {thing}'],
        bodies: [
          'Ab nächster Woche gibt es ein Monatsthema: **{thing}**. Schreibt alles dazu, was euch einfällt, auch das, was schiefgegangen ist. Vorschläge für später bitte in die Kommentare.',
        ],
      },
      {
        titles: ['Helferinnen und Helfer gesucht'],
        bodies: [
          'Wir suchen jemanden, der beim Moderieren hilft, etwa {10-30/5} Minuten am Tag. Bei Interesse bitte eine Nachricht an {@}.',
        ],
      },
    ],
    close: ['Euer Moderationsteam', 'Fragen? Einfach hier drunter.', 'Habt eine gute Woche!'],
  },
  poll: {
    titles: ['', '', 'Umfrage: ', 'Kurze Umfrage: ', 'Umfrage der Woche ({2-99}): '],
    open: lines(`
      Wir konnten uns {time*} nicht einigen, also zählen wir.
      Reine Neugier, es gibt keine falschen Antworten.
      Bitte abstimmen und unten begründen!`),
    close: ['Gründe gern in die Kommentare.', 'In einer Woche fasse ich zusammen.', ''],
  },
  hello: {
    titles: lines(`
      Hallo aus {city}!
      Neu hier
      Ich stelle mich mal vor ({city})
      Grüße aus {city}, ich bin wegen {thing} hier`),
    bodies: lines(`
      Hallo! Ich lese seit {dauer*} mit und dachte, es wird Zeit. Ich bin {24-68}, wohne in {city} und interessiere mich für {thing}. Ich freue mich auf den Austausch!
      Servus aus {city}! {Buddy*} hat mir diese Gemeinschaft empfohlen. Vom Thema verstehe ich noch wenig, aber ich möchte lernen, {goal}.
      Kurz zu mir: {city}, {24-68}, zwei Kinder, wenig Zeit. {Thing} ist mein Ausgleich. Schön, hier zu sein 👋`),
  },
  status: lines(`
    {Time*} {did}. [Mehr wollte ich nicht sagen.|Das musste raus.]
    {Problem}: 1, ich: 0.
    Tag {2-60} meines Versuchs, {goal}. [Langsam wird es.|Immer noch ahnungslos.|Heute hat es klick gemacht!]
    Guten Morgen aus {city}! Was steht bei euch heute an?
    {Buddy*} fragt, was ich an der Sache finde. Ich habe {20-90/5} Minuten geredet.
    Merksatz des Tages: {tip*}
    Danke an {@} für den Hinweis. Hat funktioniert!
    Ich brauche nicht noch mehr Zubehör. Auch ich, {time*}: {gear} bestellt.`),
  replies: {
    short: lines(`
      Danke!
      Danke, {op}!
      Sehr schön!
      Genau so.
      Geht mir auch so.
      👍
      ❤️
      Glückwunsch! 🎉
      Viel Erfolg!
      Gespeichert.
      Haha, kenne ich 😄
      Gute Frage.
      Wie ging es aus?
      Interessant!
      Respekt.
      Stark.
      Das probiere ich aus.
      Bin gespannt.
      Dem ist nichts hinzuzufügen.
      Herrlich.`),
    any: lines(`
      Das habe ich zweimal gelesen und probiere es am {day*} aus.
      Interessant, so habe ich {thing} noch nie betrachtet.
      Bei mir war es nach {dauer*} genau umgekehrt.
      Kannst du noch etwas mehr über {thing} schreiben?
      {Buddy*} schwört darauf.
      Kommt darauf an. {Where*} würde ich es [auch so|anders] machen.
      Funktioniert das auch {where*}?
      Vielleicht weiß {@} mehr dazu.
      Deshalb bin ich gern hier.
      Ich sitze im selben Boot: {problem*}, {where}.
      Das Thema hatten wir schon einmal, lohnt sich zu suchen.
      Bitte mit Foto!
      Ich ergänze: bei {city*} gibt es dafür einen Verein.
      Wie lange hat das am Ende gedauert?
      Den ersten Teil unterschreibe ich, beim zweiten bin ich unsicher.
      Das sollte in die Linkliste.`),
    lead: ['', '', 'Aus Erfahrung:', 'Meine Faustregel:', 'Kurz gesagt:', 'Mein Senf dazu:', 'Hat mir {buddy*} beigebracht:'],
    question: lines(`
      Hatte ich vor {dauer*} auch. Geduld.
      Was genau hast du schon versucht?
      Ich tippe auf {problem*}.
      Hast du ein Foto? So ist es schwer zu sagen.
      Keine Ahnung, aber ich lese mit.
      Ändere immer nur eine Sache auf einmal.
      Frag mal {@}, da war es genauso.`),
    show: lines(`
      Sieht großartig aus!
      Darauf kannst du stolz sein.
      Wie lange hast du gebraucht?
      Mein erster Versuch sah viel schlimmer aus.
      Jetzt bekomme ich auch Lust.
      Mehr Bilder, bitte 📷
      Und das {where}! Hut ab.`),
    tips: lines(`
      Punkt {1-3} wird völlig unterschätzt.
      Ich würde noch ergänzen: {tip*}
      Kann man das oben anheften?
      Ausgedruckt und aufgehängt.
      Alles richtig, und trotzdem vergesse ich die Hälfte.`),
    opinion: lines(`
      Da bin ich ganz bei dir.
      Widerspruch, aber gut begründet.
      Früher dachte ich das auch.
      Die Wahrheit liegt in der Mitte.
      Das sagst du jetzt. Warte {span*} ab.`),
    event: lines(`
      Bin dabei!
      Ich komme zu zweit.
      Schade, da bin ich weg. Nächstes Mal!
      Gibt es noch Platz?
      Kann ich auch später dazukommen?
      Ich bringe Kuchen mit.`),
    hello: lines(`
      Herzlich willkommen!
      Willkommen, {op}! 👋
      Grüße aus {city*} zurück!
      Schön, dass du da bist.
      Noch jemand aus {city}!`),
    back: lines(`
      {op} danke, das mache ich.
      {op} guter Punkt.
      {op} genau das meinte ich.
      {op} das sehe ich etwas anders.
      Stimmt, hatte ich vergessen.
      {op} woher hast du das?
      😄
      {op} bei mir hat es leider nicht geholfen.
      {op} dann bis {day*}!
      Wieder etwas gelernt.
      {op} schreib doch einen eigenen Beitrag dazu.`),
    solved: [
      'Update: Es hat geklappt! 🙏',
      '{op} probiere ich am {day*} und berichte.',
      'Daran hatte ich gar nicht gedacht, danke {op}.',
      '{op} danke, das fange ich gleich an.',
      '{op} das hatte ich schon versucht, leider ohne Erfolg.',
      '{op} seit ein paar Wochen, glaube ich.',
      'Am Ende war es genau das, was {op} geschrieben hat. Danke!',
    ],
    author: lines(`
      {op} 😂
      {op} das ist lieb von dir.
      Okay, ihr habt mich überzeugt.
      {op} stimmt.
      Ihr seid großartig.
      Danke euch allen, so viele gute Ideen!
      {op} gute Frage. Etwa {2-9} Stunden, mit Pausen.
      Fotos kommen, versprochen.
      {op} ja, {where}.`),
  },
  bios: lines(`
    {Hobby}, {hobby2} und zu viel Kaffee.
    {Job} in {city}. Hier wegen {hobby}.
    Tagsüber {job}, abends {hobby}.
    Lese mehr, als ich schreibe.
    Immer noch Anfänger, immer noch begeistert.
    Aus {city}. {Hobby} seit {1990-2022}.`),
}
