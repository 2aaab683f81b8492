import type { Topic } from '../types.ts'
import { lines, words } from '../words.ts'

const garten: Topic = {
  key: 'garten',
  language: 'de',
  lists: {
    thing: words(
      'Hochbeete, Tomaten auf dem Balkon, Kompost, alte Apfelsorten, Kräuter, Kartoffeln im Sack, Wildblumen, Wintersalat, Beerensträucher, Rosen, Mulch, Gemüse im Schatten',
    ),
    plant: words('Tomaten, Gurken, Zucchini, Paprika, Dahlien, Erdbeeren, Himbeeren, Kürbisse'),
    gear: words(
      'einen Häcksler, eine Regentonne, ein Frühbeet, einen Thermokomposter, eine Rosenschere, ein Gewächshaus, eine Grabegabel, eine Gießkanne mit langem Hals',
    ),
    problem: words('Schnecken, Blattläuse, Mehltau, Giersch, Spätfrost, Staunässe, gelbe Blätter, Wühlmäuse, Trockenheit'),
    doing: words('Mulchen, Umsetzen, Gießen am Morgen, Jäten, Pikieren'),
    did: words(
      'das Hochbeet fertig gebaut, die Tomaten ausgepflanzt, den Kompost umgesetzt, die ersten Erdbeeren geerntet, die Hecke geschnitten, einen Apfelbaum gepflanzt, dreißig Gläser Marmelade gekocht',
    ),
    where: words(
      'auf dem Nordbalkon, im Schrebergarten, auf 700 Metern, in schwerem Lehmboden, auf der Dachterrasse, im Hinterhof, am Waldrand',
    ),
    goal: words(
      'die Schnecken ohne Gift fernzuhalten, auf dem Balkon etwas Essbares zu ernten, weniger zu gießen, einen Schrebergarten neu anzulegen, Tomaten im Freien reif zu bekommen, guten Kompost zu machen',
    ),
    hobby: words('Garten, Kräuter, Imkerei'),
  },
  cases: [
    {
      titles: lines(`
        {Plant}: Blätter werden von unten gelb
        Gelbe Blätter, {plant}, was fehlt?`),
      story: lines(`
        Ich habe {k=3-9} Töpfe mit je 30 cm Durchmesser, darin {plant}, {where}. Seit gut {5-14} Tagen werden die unteren Blätter gelb, oben sieht alles [gesund|normal] aus.
        Bis {time*} sah alles prima aus. Jetzt werden bei allen {k=3-9} Pflanzen die unteren Blätter gelb und fallen ab.`),
      tried: lines(`
        Gedüngt habe ich einmal, gegossen wird jeden Abend.
        Schädlinge sehe ich keine, auch nicht unter den Blättern.`),
      ask: lines(`
        Zu viel Wasser oder zu wenig Dünger?
        Umtopfen oder abwarten?`),
      answers: lines(`
        Von unten nach oben heißt meistens Hunger. Jede Woche düngen, dann wird es wieder grün.
        Jeden Abend ist viel. Steck den Finger in die Erde, wenn sie feucht ist: lassen.
        30 cm sind für {plant} auf Dauer zu klein.
        Zwei, drei gelbe Blätter sind normal, die knipse ich einfach ab.
        Läuft das Wasser unten ab? Bei mir stand alles im Untersetzer.`),
    },
    {
      titles: lines(`
        Über Nacht {k=8-30} Setzlinge weg
        Wer frisst meine Setzlinge?`),
      story: lines(`
        {Time*} gepflanzt, am Morgen abgefressen: {k=8-30} Setzlinge, {where}. Keine Schleimspur zu sehen.
        Jeden Morgen fehlt eine Reihe. Ich war um elf mit der Taschenlampe draußen und habe [nichts|zwei Asseln] gefunden.`),
      ask: lines(`
        Schnecken, Vögel oder etwas anderes?
        Was hilft wirklich?`),
      answers: lines(`
        Direkt am Boden abgebissen und liegen gelassen? Dann sind es Erdraupen. Mit dem Finger um den Stängel graben.
        Um zwei Uhr nachts nachsehen, nicht um elf.
        Nematoden, aber erst bei warmem Boden.
        Ich ziehe alles vor, bis es handhoch ist. Seitdem ist Ruhe.
        Eierschalen haben bei mir noch keine einzige aufgehalten.`),
    },
    {
      titles: lines(`
        Schrebergarten übernommen, {k=150-400/10} m² Unkraut
        {k=150-400/10} m² Quecke und Giersch: wo anfangen?`),
      story: lines(`
        Nach {dauer*} Wartezeit haben wir einen Garten: {k=150-400/10} Quadratmeter, hüfthoch. Zeit haben wir nur am Wochenende, und der Verein möchte bald Fortschritte sehen.`),
      ask: lines(`
        Fräsen, umgraben oder abdecken?
        Was wächst im ersten Jahr trotzdem?`),
      answers: lines(`
        Auf keinen Fall fräsen, aus jedem Stück Wurzel wird eine neue Pflanze.
        Pappe und Plane auf zwei Drittel, den Rest ordentlich.
        Kartoffeln und Kürbis. Sieht nach Fortschritt aus und unterdrückt viel.
        {k=150-400/10} m² sind viel für zwei. Teilt euch das doch mit jemandem.`),
    },
  ],
  shows: lines(`
    Am Ende waren es {3-9} Schubkarren Erde, {8-24} Bretter und ein sehr geduldiger Helfer.
    Von {20-60} Samen sind {12-19} aufgegangen, so viele wie noch nie.
    {6-40} Kilo von einer Fläche so groß wie ein Parkplatz, ich habe alles gewogen.
    Heute früh habe ich {5-16} verschiedene Bienen am Oregano gezählt.`),
  details: lines(`
    Der Boden ist hier reiner Lehm, ohne Kompost geht nichts.
    Gegossen wird nur aus der Tonne.
    Die Sorte kenne ich leider nicht, das Schild war weg.
    Der Igel ist übrigens auch wieder da.
    Eine Nacht hatte minus zwei Grad, da halfen alte Vorhänge.`),
  tips: lines(`
    Morgens gießen, unten an die Pflanze, nie über die Blätter.
    Mulchen, bevor es trocken wird.
    Alles beschriften, man vergisst es sonst.
    Lieber nur halb so viel säen und drei Wochen später noch einmal.
    Die Schere zwischen zwei Pflanzen abwischen.
    Eine Woche abhärten, auch wenn das Wetter gut aussieht.
    Einmal pro Woche unter die Blätter schauen.
    Kräuter neben die Küchentür pflanzen.`),
  opinions: lines(`
    Umgraben schadet mehr, als es nützt.
    Rasen ist die teuerste Kultur von allen, und keiner isst sie.
    Ein aufgeräumter Wintergarten ist ein Garten ohne Marienkäfer.
    Hochbeete sind überschätzt, wenn der Boden gut ist.
    Lieber zehn Pflanzen, die ich kenne, als fünfzig, die ich vergesse.
    Saatgutbörsen sind besser als jeder Katalog.`),
  replies: lines(`
    Welche Sorte ist das?
    Bei mir hätten die Schnecken das in einer Nacht erledigt 😅
    Brennnesseljauche. Stinkt, hilft.
    Ich tausche gern Samen, wenn du magst.
    Für {day*} ist Frost gemeldet, hast du Vlies?
    Auf {400-1100/10} Metern leider undenkbar.
    Wie oft gießt du?`),
  polls: [
    {
      question: 'Was hilft bei euch gegen Schnecken?',
      options: ['Absammeln bei Nacht', 'Nematoden', 'Laufenten', 'Nichts hilft', 'Ich pflanze, was sie nicht mögen'],
    },
    { question: 'Woher kommen eure Pflanzen?', options: ['Selbst gezogen', 'Gärtnerei', 'Tauschbörse', 'Von allein'] },
  ],
  resources: [
    ['Ein Jahr auf dreihundert Quadratmetern', 'Tagebuch mit ehrlichen Misserfolgen'],
    ['Kompost verstehen', 'was im Haufen wirklich passiert'],
    ['Obstbäume schneiden in zwölf Zeichnungen', 'die klarste Anleitung, die ich kenne'],
    ['Gemüse für schattige Ecken', 'ausprobiert, nicht abgeschrieben'],
  ],
}

const rad: Topic = {
  key: 'rad',
  language: 'de',
  lists: {
    thing: words(
      'lange Touren, Lastenräder, Pendeln im Winter, Schotterwege, Nabenschaltung, breite Reifen, Radreisen mit Kindern, Alpenpässe, Nachtfahrten, Stahlrahmen, Licht am Rad, Kettenpflege',
    ),
    gear: words(
      'einen Nabendynamo, eine Standpumpe, einen Anhänger, einen Drehmomentschlüssel, ein Faltrad, eine Rahmentasche, einen Zentrierständer, einen Regenponcho',
    ),
    problem: words(
      'Knarzen im Tretlager, Gegenwind, taube Hände, schleichende Platten, quietschende Bremsen, Glatteis, Knieschmerzen, Kopfsteinpflaster',
    ),
    doing: words('Kette wachsen, Speichen nachziehen, Touren planen'),
    did: words(
      'den ersten Hunderter geschafft, den Pass überquert, den Winter durchgeradelt, das Rad vom Opa restauriert, das Auto verkauft, ein Laufrad eingespeicht, bei Regen im Zelt geschlafen',
    ),
    where: words('bei Regen, gegen den Wind, im Stadtverkehr, am Fluss entlang, mit Anhänger, bei minus fünf Grad, auf Schotter'),
    goal: words(
      'auch im Winter zur Arbeit zu fahren, einen Platten in fünf Minuten zu flicken, eine Woche mit wenig Gepäck auszukommen, steile Rampen hochzukommen, den richtigen Sattel zu finden, eine Tour ohne Hauptstraßen zu planen',
    ),
    hobby: words('Radreisen, Schrauben'),
  },
  cases: [
    {
      titles: lines(`
        Knarzen bei jeder Umdrehung
        Es knarzt, trotz {k=3-7} neuer Teile`),
      story: lines(`
        Unter Last knarzt es einmal pro Umdrehung, [rechts|links]. Ich habe inzwischen {k=3-7} Teile getauscht, und es knarzt immer noch, nur teurer.
        Seit der Regenfahrt {time*} knackt es, aber nur im Sitzen und nur bergauf.`),
      ask: lines(`
        Wie findet man so etwas?
        Was war es bei euch?`),
      answers: lines(`
        Nur im Sitzen? Dann Sattelstütze. Rausziehen, putzen, fetten.
        Pedale mit einem anderen Rad tauschen, dauert zwei Minuten.
        Bei mir war es der Flaschenhalter. Kein Witz.
        Schnellspanner! Klang genau wie das Tretlager.
        Kettenblattschrauben, eine nach der anderen.`),
    },
    {
      titles: lines(`
        {k=8-25} km zur Arbeit, auch im Winter?
        Pendeln im Winter: {k=8-25} km`),
      story: lines(`
        Dieses Jahr möchte ich durchfahren, {k=8-25} Kilometer je Strecke, die Hälfte ohne Laternen. Letztes Jahr habe ich im November aufgegeben.`),
      ask: lines(`
        Kleidung, Licht, Reifen: Wo lohnt sich Geld?
        Was macht ihr bei Glatteis?`),
      answers: lines(`
        Nabendynamo, dann ist das Thema Licht erledigt.
        Lange Schutzbleche sind wichtiger als jede Jacke.
        Spikes ab dem ersten Frost. Langsam und laut, aber man liegt nicht.
        Wer an der Haustür nicht friert, ist zu warm angezogen.
        Bei Glatteis nehme ich den Bus und nenne es Ruhetag.`),
    },
    {
      titles: lines(`
        Packliste für {k=4-14} Tage?
        Erste Radreise, {k=4-14} Tage mit Zelt`),
      story: lines(`
        {k=4-14} Tage, etwa {50-80} km am Tag, mit Zelt und Kocher. Meine Liste wiegt {14-23} Kilo, und das ist ohne Wasser.`),
      ask: lines(`
        Was lasst ihr zu Hause?
        Was fehlt euch immer?`),
      answers: lines(`
        Die Hälfte der Kleidung. Waschen kann man überall.
        Den Kocher, wenn es Dörfer gibt.
        Schaltzug, Kabelbinder, Nadel und Faden. Mehr braucht es nicht.
        Ein Paar trockene Socken nur fürs Zelt.
        Einmal mit allem dreißig Kilometer fahren, dann auspacken, was du nicht angefasst hast.`),
    },
  ],
  shows: lines(`
    {42-210} Kilometer, {300-2400/10} Höhenmeter, {2-5} Bäckereien.
    Der letzte Anstieg hat {25-90/5} Minuten gedauert. Ein Kind auf dem Roller war schneller.
    {2-5} Platten, alle am selben Rad, alle im Regen.
    Das Rad ist von {1974-1998}, die Reifen sind neu, ich bin irgendwo dazwischen.`),
  details: lines(`
    Reifen: {32-50} mm mit {2-4} bar, nie wieder schmaler.
    Oben gibt es ein Café. Natürlich gibt es ein Café.
    Hin und zurück mit der Bahn, einmal umsteigen.
    Gesamtgewicht mit Wasser: {11-30} Kilo.
    Die Kette ist gewachst, keine schwarzen Finger mehr.`),
  tips: lines(`
    Vor dem Berg schalten, nicht im Berg.
    Bei Nässe weniger Druck.
    Den Mantel nach Scherben absuchen, bevor der neue Schlauch hineinkommt.
    Essen, bevor der Hunger kommt.
    Vor der Kurve bremsen.
    Reifenwechsel zu Hause üben, im Warmen.
    Dorthin schauen, wo man hinwill, nicht ins Schlagloch.`),
  opinions: lines(`
    Schutzbleche sind das beste Tuning.
    Geschwindigkeit wird überschätzt, Ankommen wird unterschätzt.
    Breite Reifen sind auf echten Straßen schneller.
    Mehr als elf Gänge braucht kein Mensch.
    Die beste Elektronik am Rad ist die Klingel.`),
  replies: lines(`
    Welche Reifen sind das?
    Schöner Rahmen! Originallack?
    Hast du die Strecke als GPX?
    Ich hätte bei Kilometer {20-80} den Zug genommen.
    Was sagen die Knie?
    Gegenwind zählt doppelt.
    Die Strecke fahre ich jeden {day*}.`),
  polls: [
    { question: 'Wie viele Räder habt ihr?', options: ['Eins', 'Zwei', 'Drei bis vier', 'n + 1'] },
    { question: 'Bei Regen?', options: ['Ich fahre', 'Ich fahre und schimpfe', 'Bus', 'Ich schaue aus dem Fenster'] },
  ],
  resources: [
    ['Ein Laufrad an einem Abend', 'einspeichen und zentrieren mit guten Bildern'],
    ['Atlas der ruhigen Straßen', 'von Radlern für Radler'],
    ['Woher das Knarzen kommt', 'ein Schaubild für Verzweifelte'],
    ['Mit drei Gängen ans Meer', 'langsam, lustig, weise'],
  ],
}

export const germanTopics = [garten, rad]
