import type { Topic } from '../types.ts'
import { lines, words } from '../words.ts'

const cocina: Topic = {
  key: 'cocina',
  language: 'es',
  lists: {
    thing: words(
      'el pan de masa madre, las lentejas de la abuela, el sofrito, los encurtidos, la tortilla de patatas, el arroz al horno, las empanadas, el caldo casero, los guisos de invierno, las legumbres, la pasta fresca, el mole',
    ),
    dish: words('lentejas, garbanzos con espinacas, empanadas, croquetas, alubias, patatas a la riojana, verduras al horno, albóndigas'),
    gear: words(
      'una olla rápida, una sartén de hierro, un horno pequeño, una batidora, un cuchillo decente, una báscula, un molinillo de especias, un termómetro de cocina',
    ),
    problem: words(
      'el pan apelmazado, el arroz pasado, el humo de la cocina, la salsa cortada, las croquetas que se abren, la falta de tiempo, el punto de sal',
    ),
    doing: words('hornear, amasar, planificar la semana'),
    did: words(
      'horneado un pan con oreja, cocinado para catorce personas, hecho tortilla sin que se rompa, vaciado el congelador, recuperado la receta de mi abuela, preparado noventa empanadas',
    ),
    where: words(
      'en una cocina de cuatro metros, sin horno, en un piso compartido, con poco presupuesto, para seis, después del turno de noche, con niños alrededor',
    ),
    goal: words(
      'cocinar en veinte minutos, comer menos carne, aprovechar las verduras, hacer un buen caldo, alimentar a diez personas sin pánico, mantener viva la masa madre, cocinar para uno',
    ),
    hobby: words('la cocina, el pan, las conservas'),
  },
  cases: [
    {
      titles: lines(`
        Pan de masa madre: plano y apelmazado
        Pan número {k=3-30} y sigue siendo un ladrillo`),
      story: lines(`
        Llevo {k=3-30} panes y todos salen [planos|densos], con una línea húmeda abajo. Uso {450-600/10} g de harina y un {65-78} % de agua, la cocina está a {18-26} grados.
        La masa parece viva hasta que la saco del bol. Entonces se extiende por la mesa como una sopa. Van {k=3-30}.`),
      tried: lines(`
        Más pliegues, menos agua, otra harina. De sabor, buenísimo; de forma, nada.
        Fermenta toda la noche en la nevera.`),
      ask: lines(`
        ¿Le falta fermentación o le sobra?
        ¿Es la harina o soy yo?`),
      answers: lines(`
        Línea húmeda y denso: le falta fermentación. Dale más tiempo.
        Si se extiende, yo diría que se pasó. Quítale una hora y compara.
        Pon un poco de masa en un vaso recto con una goma. Se acabó adivinar.
        El formado: crea tensión. Yo necesité veinte panes.
        Harina de fuerza. Con la barata pasa exactamente eso.`),
    },
    {
      titles: lines(`
        Mis {dish} no saben a nada
        ¿Qué les falta a mis {dish}?`),
      story: lines(`
        {Time*} hice {dish} para {2-8} personas, siguiendo la receta al pie de la letra. Resultado: soso. Con más sal, soso y salado.`),
      ask: lines(`
        ¿Qué falta?
        ¿Cómo dais sabor vosotros?`),
      answers: lines(`
        Ácido. Un chorrito de limón o vinagre al final y despierta.
        La cebolla, veinte minutos, no cuatro. Ninguna receta se atreve a decirlo.
        Tuesta las especias enteras y muélelas después.
        De un día para otro. En mi casa nunca se come el mismo día.
        Un buen sofrito con paciencia y ya está.`),
    },
    {
      titles: lines(`
        Cena para {k=8-20}, un solo horno
        ¿Qué preparo la víspera para {k=8-20}?`),
      story: lines(`
        He prometido cena para {k=8-20} el {day*}, dos de ellos veganos. En mi mesa caben seis. {Buddy*} trae el postre, o eso dice.`),
      ask: lines(`
        ¿Qué haríais?
        ¿Cómo mantenéis todo caliente?`),
      answers: lines(`
        Una olla grande que puedan comer todos y cosas para poner encima.
        Nada que haya que freír a última hora.
        Tres entrantes fríos y un plato caliente. La gente recuerda la noche.
        Arroz al horno, tapado, veinticinco minutos. Sirve para {k=8-20}.
        Escribe el horario de atrás hacia delante. Parece tonto y me salvó.`),
    },
  ],
  shows: lines(`
    {500-900/10} g de harina, {320-600/10} g de agua y unas {18-30} horas sin hacer nada.
    La cocina parecía el escenario de un crimen, pero los platos volvieron vacíos.
    Mis hijos se lo comieron. ¡SE LO COMIERON!
    Costó {4-14} euros para {4-8} raciones, y casi todo era queso.`),
  details: lines(`
    La próxima vez, con más limón.
    Lo dejé reposar toda la noche, sobre todo porque me dormí.
    La receta era para cuatro. Comimos dos.
    Horno a {200-250/10} grados, {15-45/5} minutos.
    Las sobras acabaron en unas empanadas.`),
  tips: lines(`
    Sala el agua hasta que sepa a caldo suave.
    Afila el cuchillo antes de culpar a la cebolla.
    Prueba al principio, a la mitad y al final.
    Lee la receta entera antes de encender el fuego.
    Tuesta las especias enteras.
    Cuando algo sepa plano, ponle ácido.
    Pesa la harina, no la midas en tazas.
    Cocina el doble de arroz y fríe el resto mañana.`),
  opinions: lines(`
    La tortilla, con cebolla. Fin.
    Casi todas las recetas mienten sobre el tiempo de la cebolla.
    Con tres sartenes y un buen cuchillo sobra.
    Las sobras son la mejor comida.
    Fregar mientras cocinas es la verdadera técnica.
    El aceite de trufa nunca ha mejorado nada.`),
  replies: lines(`
    ¡La receta, por favor!
    ¿Cuánto reposó?
    ¡Qué corteza! ¿A qué temperatura?
    ¿Se puede congelar?
    Con garbanzos también sale, lo probé {time*}.
    Ahora tengo hambre y son las {hour*}.
    Mi abuela diría: más aceite.`),
  polls: [
    { question: '¿Tortilla con o sin cebolla?', options: ['Con cebolla', 'Sin cebolla', 'Depende del día', 'No me gusta la tortilla'] },
    { question: '¿Qué cenáis cuando no queda energía?', options: ['Pasta', 'Huevos', 'Algo del congelador', 'Pan con lo que haya'] },
  ],
  resources: [
    ['Sal, tiempo y una olla de garbanzos', 'el mejor texto sobre legumbres que conozco'],
    ['El horario del pan', 'cómo hornear con un trabajo'],
    ['Veinte cenas con la nevera casi vacía', 'más una manera de pensar que recetas'],
    ['Los cuadernos de mi abuela', 'escaneados y con sus comentarios'],
  ],
}

const lectura: Topic = {
  key: 'lectura',
  language: 'es',
  lists: {
    thing: words(
      'las novelas largas, los cuentos, la poesía, los audiolibros, la novela negra, los diarios, la ciencia ficción, los clásicos, las relecturas, las bibliotecas de barrio, los narradores mentirosos, la traducción',
    ),
    book: words('La Regenta, Don Quijote, Fortunata y Jacinta, Doña Perfecta, María, Martín Fierro, Niebla, Los pazos de Ulloa'),
    gear: words(
      'una lámpara de lectura, un lector electrónico, un atril, un cuaderno de lecturas, un carné de biblioteca, un sillón de orejas',
    ),
    problem: words(
      'la pila de la mesilla, el sueño a las dos páginas, los finales flojos, la letra pequeña, el móvil, los capítulos eternos',
    ),
    doing: words('leer en voz alta, subrayar'),
    did: words(
      'terminado un tocho de mil páginas, leído un libro de una sentada, releído mi favorito de la infancia, montado un club de lectura en el trabajo, abandonado un clásico en la página 412, leído en voz alta a mi padre',
    ),
    where: words('en el metro, en la cama, con niños pequeños, en la biblioteca, con diez minutos al día, en la sala de espera'),
    goal: words(
      'salir de una mala racha de lectura, recordar lo que leo, leer más poesía, elegir un libro para un grupo variado, leer los clásicos sin bostezar, abandonar un libro sin culpa',
    ),
    hobby: words('la lectura, la poesía, las librerías de viejo'),
  },
  cases: [
    {
      titles: lines(`
        Atascado en la página {k=40-300} de {book}
        {Book}: ¿mejora después de la página {k=40-300}?`),
      story: lines(`
        Quiero que me guste {book}, de verdad. Voy por la página {k=40-300}, llevo {span*} y cada noche leo dos párrafos y me duermo.
        A todo el mundo le encanta {book}. Yo voy por la {k=40-300} y no sé quién es quién.`),
      ask: lines(`
        ¿Remonta?
        ¿Sigo, lo aparco o lo dejo?`),
      answers: lines(`
        Remonta hacia los dos tercios. Si eso es una recomendación, tú verás.
        Prueba el audiolibro durante cincuenta páginas.
        Apárcalo sin culpa. Yo necesité tres intentos.
        Apunta los nombres en el marcapáginas. Media dificultad son los primos.
        La vida es corta.`),
    },
    {
      titles: lines(`
        ¿Próximo libro para un grupo de {k=5-14}?
        Club de lectura: algo de menos de {k2=180-350} páginas`),
      story: lines(`
        Somos {k=5-14} y acabamos de terminar {book}, que por una vez gustó a todos. Ahora toca elegir: menos de {k2=180-350} páginas y que dé para discutir.`),
      ask: lines(`
        ¿Con cuál tuvisteis la mejor conversación?
        ¿Cuál no recomendaríais jamás?`),
      answers: lines(`
        Algo con un final que divida la mesa. {Book2} lo consiguió.
        Cuentos: cada uno lee dos y nadie tiene excusa.
        Que cada uno proponga un título y se sortea.
        {Book*} no. Once personas, once silencios educados.`),
    },
  ],
  shows: lines(`
    {320-980} páginas, {4-60} días, y ahora me siento un poco huérfano.
    Leí el último capítulo en un banco bajo la llovizna.
    El ejemplar era de mi abuela, con sus notas a lápiz.
    Lloré en el autobús. Una desconocida miró la portada y asintió.`),
  details: lines(`
    El narrador miente, y yo también cuando digo que lo vi venir.
    Alterné el libro con el audiolibro y funcionó.
    La primera frase ya vale el precio.
    La parte central es larga. Aguantad.`),
  tips: lines(`
    Apunta una frase al terminar, basta para recordarlo.
    Lee la introducción al final.
    Lleva siempre un libro de bolsillo.
    Deja el móvil en otra habitación.
    Pregunta a la bibliotecaria, le encanta.
    Ten un libro de día y otro de noche.
    No prestes lo que no puedas perder.`),
  opinions: lines(`
    Los objetivos de lectura convierten un placer en una oficina.
    Los audiolibros cuentan. Claro que cuentan.
    Los clásicos son mucho más divertidos de lo que nos contaron en el colegio.
    Muchas novelas de quinientas páginas son novelas de trescientas.
    No necesito que me caigan bien los personajes, necesito creerlos.`),
  replies: lines(`
    A mí me pasó lo mismo con {book*}.
    ¿Qué edición tienes? La mía es de letra diminuta.
    ¡Sin destripes, que voy por la página {40-380}!
    A la lista. La lista da las gracias y gime.
    ¿Es muy triste?
    Si te gustó, prueba {book*}.`),
  polls: [
    { question: '¿Dónde leéis más?', options: ['En la cama', 'En el transporte', 'En el sofá', 'En la biblioteca'] },
    { question: '¿Subrayáis los libros?', options: ['Con boli', 'Con lápiz', 'Con papelitos', '¡Jamás!'] },
  ],
  resources: [
    ['Elogio de la parte lenta', 'un ensayo sobre los libros largos'],
    ['Lo que ven los traductores', 'cinco de ellos ante el mismo párrafo'],
    ['La biblioteca del faro', 'una historia real con catálogo'],
    ['Primeras frases, últimas frases', 'un juego y luego una discusión'],
  ],
}

export const spanishTopics = [cocina, lectura]
