import type { Voice } from '../types.ts'
import { lines, words } from '../words.ts'

/** {thing} and {problem} carry their article, {gear} the indefinite one, {goal} is an infinitive, {did} follows “he”. */
export const spanish: Voice = {
  language: 'es',
  space: ' ',
  colon: ': ',
  lists: {
    time: words(
      'anoche, esta mañana, el sábado, ayer, el fin de semana, la semana pasada, anteayer, después del trabajo, el domingo por la tarde, el otro día',
    ),
    span: words('tres semanas, un par de meses, casi un año, diez días, dos años, medio año, seis semanas, cuatro meses'),
    buddy: words(
      'mi vecina, mi padre, un compañero de trabajo, mi hermana, una amiga, mi cuñado, mi abuela, mi hijo mayor, un viejo amigo',
    ),
    city: words(
      'Sevilla, Valencia, Bogotá, Montevideo, Rosario, Bilbao, Granada, Puebla, Quito, Valparaíso, Zaragoza, Medellín, Córdoba, Lima',
    ),
    day: words('lunes, martes, miércoles, jueves, viernes, sábado, domingo'),
    hour: words('10:00, 11:30, 17:00, 18:30, 19:00, 20:00, 21:00'),
  },
  tags: [' ({where})', ' {where}', ' – después de {span}', ' (actualización)', ' (parte {2-4})', ' (me ha quedado largo)'],
  askTags: [' – ¿ideas?', ' (pregunta de novato)', ' (¡ayuda!)', ' – ¿alguien?'],
  asides: [
    'Un saludo desde {city*}.',
    'Escrito {where*}, perdonad las erratas.',
    '{Buddy*} os manda saludos.',
    'Otro día os cuento sobre {thing*}.',
    'P. D.: sí, otra vez {problem*}.',
    '{@} sabe a qué me refiero.',
  ],
  question: {
    greet: lines(`
      ¡Hola a todos!
      Hola, buenas:
      Buenas tardes:
      Es mi primer mensaje por aquí.
      Una duda rápida:
      Perdón si ya se ha preguntado.`),
    titles: [],
    open: [],
    close: lines(`
      ¡Gracias de antemano!
      Mil gracias.
      Cualquier consejo me viene bien.
      Puedo subir fotos si hace falta.
      ¿Qué haríais vosotros?
      Un saludo desde {city}.
      No os riáis mucho 🙂`),
    buying: null,
    generic: [
      {
        titles: lines(`
          ¿Cómo conseguís {goal}?
          Quiero {goal}, ¿por dónde empiezo?
          ¿Es posible {goal} {where}?
          ¿Qué hace falta de verdad para {goal}?`),
        story: lines(`
          Llevo {span*} intentando {goal}, con resultados [regulares|desiguales]. Lo que más me cuesta: {problem}. Y encima todo esto {where}, así que no hay muchas opciones.
          Me gustaría {goal}. {Buddy*} dice que es facilísimo, pero yo siempre tropiezo con {problem}.`),
        tried: lines(`
          He leído bastante, pero cada uno dice una cosa.
          {Time*} he {did} y al menos me divertí.`),
        ask: lines(`
          ¿Qué fue lo que os funcionó?
          ¿Por dónde empezaríais?
          ¿Hay algún truco que se me escapa?`),
        answers: lines(`
          Empieza poco a poco. A mí me sirvió hacer [un rato cada día|una sola cosa a la vez].
          Sin {gear} yo ni lo intentaría.
          Primero resuelve {problem}, lo demás viene solo.
          Yo tardé {span*}. ¡Paciencia!
          Yo también lo hago {where}, escríbeme si quieres.`),
      },
      {
        titles: lines(`
          ¿Merece la pena comprar {gear}?
          ¿{Gear} o {gear2}?
          {Gear} de segunda mano, ¿sí o no?
          {Problem}: ¿qué hacéis?
          Otra vez {problem}`),
        story: lines(`
          Estoy pensando en comprar {gear}. Hasta ahora me he apañado sin ello, pero ya estoy harto: {problem}.
          Cerca de casa venden {gear} por {k=20-180/10} euros, con {span*} de uso. Lo usaría sobre todo {where}.`),
        ask: lines(`
          ¿Lo compraríais?
          ¿En qué tengo que fijarme?
          ¿Es necesidad o capricho?`),
        answers: lines(`
          {k=20-180/10} euros me parece [justo|un poco caro|una ganga].
          Pide uno prestado antes de gastar.
          Tengo uno desde hace {span*} y lo volvería a comprar.
          El mío está en el trastero. Te lo regalo 😅
          Eso no te va a arreglar {problem}, suele venir de otra parte.`),
      },
    ],
  },
  show: {
    titles: lines(`
      ¡Por fin he {did}!
      {Thing}, {span} después
      Pequeña victoria: he {did}
      Mi fin de semana: {thing}
      Intento número {2-12}: {thing}
      Antes y después: {thing}
      {Thing} {where}: así va`),
    open: lines(`
      {Time*} he {did}, [por fin|quién lo diría].
      Después de {span*} dándole vueltas, he {did}.
      Como en casa ya nadie me escucha, lo cuento aquí: he {did}.
      {Buddy*} me convenció y al final he {did}.
      Algunos recordaréis mi pregunta. Aquí va la continuación:`),
    close: lines(`
      ¿Qué habríais hecho de otra manera?
      Se aceptan críticas.
      Gracias a todos los que me ayudasteis, sobre todo a {@}.
      Lo próximo: {thing2}.
      No es perfecto, pero es mío.
      Subiré fotos cuando haya mejor luz.
      Y ahora, una siesta.`),
  },
  tips: {
    titles: lines(`
      {k=3-7} cosas que ojalá hubiera sabido antes
      {Thing}: lo que he aprendido en {span}
      Mi pequeña lista para {thing}
      {Thing} sin {problem}
      Para los que empiezan: {thing}`),
    open: lines(`
      Como la pregunta vuelve cada semana, dejo aquí mi lista:
      Recogido en {span*}, sin ningún orden:
      Esto me lo tendrían que haber dicho al principio:
      Inspirado por el mensaje de {@}:`),
    close: lines(`
      ¿Qué añadiríais?
      Si lo hacéis de otra manera, contadlo.
      Casi todo lo aprendí aquí, así que gracias.
      ¡A probar!`),
  },
  opinion: {
    titles: [
      '{claim}',
      '{claim}',
      'Opinión impopular: {claim}',
      '«{claim}»: ¿estáis de acuerdo?',
      'Lo digo: {claim}',
      'Sinceramente: {claim}',
    ],
    open: lines(`
      Llevo dándole vueltas desde {time*}.
      Quizá me gane enemigos.
      {Buddy*} y yo lo discutimos {time*} durante horas.
      Seamos sinceros:
      Leyendo por aquí me he dado cuenta de algo.`),
    because: lines(`
      Lo digo después de {span*} de probar, {where}.
      Hay excepciones, claro: {thing2}, por ejemplo.
      Siempre me contestan lo mismo: {problem}. No me convence.
      Durante mucho tiempo lo hice de otra manera y no lo echo de menos.
      {Buddy*} piensa lo contrario y también es feliz.`),
    close: lines(`
      ¿Cómo lo veis?
      ¿Soy el único?
      Convencedme de lo contrario.
      Tengo curiosidad por vuestra experiencia.`),
  },
  link: {
    titles: lines(`
      Lectura recomendada: {resource}
      {Resource}
      ¿Conocéis «{resource}»?
      He encontrado esto: {resource}
      {Resource}, vale la pena`),
    open: lines(`
      Me lo encontré {time*}:
      {Buddy*} me ha mandado esto:
      Para quien se interese por {thing}:`),
    sites: ['https://{site}.example.org/{slug}', 'https://www.example.com/{site}/{slug}', 'https://example.org/es/{slug}'],
    why: lines(`
      La parte sobre {thing} es [estupenda|muy honesta].
      No estoy de acuerdo con todo, pero me hizo pensar.
      Son {5-40/5} minutos y valen la pena.
      Por fin alguien que no quiere venderte nada.`),
    close: lines(`
      ¿Qué os parece?
      ¿Conocéis algo parecido?
      ¿Coincide con vuestra experiencia?`),
  },
  event: {
    titles: lines(`
      Encuentro en {city}: {thing}
      ¿Quién se apunta el {day} en {city}?
      Quedada en {city}, {day} a las {hour}
      Una tarde sobre {thing}`),
    open: lines(`
      Queremos montar una quedada pequeña y tranquila.
      La última salió tan bien que repetimos.
      A {@} y a mí nos gustaría conoceros en persona.`),
    facts: [
      ['Cuándo', ['{day}, {hour}', '{day} dentro de dos semanas, {hour}']],
      ['Dónde', ['Café Central, {city}', 'Casa de la Cultura, {city}', 'en el parque, junto a la fuente']],
      ['Qué llevar', ['ganas y algo para compartir', 'nada, hay de todo', 'preguntas']],
      ['Precio', ['gratis', '{2-6} euros por la sala']],
    ],
    close: lines(`
      Avisad si venís.
      Niños y perros bienvenidos.
      ¿Quién se apunta? ✋`),
  },
  announcement: {
    notices: [
      {
        titles: ['¡Bienvenidos! (ronda {2-40})', 'Las normas, en corto', '¡Ya somos {k=100-900}!'],
        bodies: [
          '¡Qué bien que estéis aquí! Presentaos cuando queráis. Tres cosas hacen agradable este lugar: **ser amable**, **dar contexto** al preguntar y **contar qué funcionó** al final.',
        ],
      },
      {
        titles: ['Tema del mes: {thing}'],
        bodies: [
          'A partir de la semana que viene habrá un tema del mes: **{thing}**. Contad todo lo que se os ocurra, también lo que salió mal. Las propuestas, en los comentarios.',
        ],
      },
      {
        titles: ['Buscamos ayuda para moderar'],
        bodies: ['Buscamos a alguien que eche una mano con la moderación, unos {10-30/5} minutos al día. Si te interesa, escribe a {@}.'],
      },
    ],
    close: ['El equipo de moderación', '¿Preguntas? Aquí abajo.', '¡Buena semana!'],
  },
  poll: {
    titles: ['', '', 'Encuesta: ', 'Encuesta rápida: ', 'Encuesta de la semana ({2-99}): '],
    open: lines(`
      {Time*} no nos pusimos de acuerdo, así que contemos.
      Pura curiosidad, no hay respuestas malas.
      Votad y explicad por qué.`),
    close: ['Los motivos, en los comentarios.', 'En una semana hago el resumen.', ''],
  },
  hello: {
    titles: lines(`
      ¡Hola desde {city}!
      Nuevo por aquí
      Me presento ({city})
      Saludos desde {city}, vengo por {thing}`),
    bodies: lines(`
      ¡Hola! Llevo {span*} leyendo y ya era hora de saludar. Tengo {24-68} años, vivo en {city} y vengo por {thing}. ¡Encantado de estar aquí!
      Hola desde {city}. {Buddy*} me habló de esta comunidad. Sé poco, pero quiero {goal}. ¡Paciencia conmigo!
      Me presento: {city}, {24-68} años, dos hijos y poco tiempo. Lo mío: {thing}, mi manera de desconectar 👋`),
  },
  status: lines(`
    {Time*} he {did}. [Solo quería contarlo.|Y ya está.]
    Día {2-60} intentando {goal}. [Ni idea todavía.|Poco a poco.|¡Hoy ha salido!]
    ¡Buenos días desde {city}! ¿Qué tenéis hoy entre manos?
    {Buddy*} me preguntó qué le veo a esto. Hablé {20-90/5} minutos seguidos.
    Hoy he aprendido: {tip*}
    Gracias a {@} por el consejo. ¡Funcionó!
    Yo: no necesito nada más. También yo, {time*}: {gear} en la cesta 🛒`),
  replies: {
    short: lines(`
      ¡Gracias!
      ¡Gracias, {op}!
      ¡Qué bonito!
      Totalmente.
      A mí me pasa igual.
      👍
      ❤️
      ¡Enhorabuena! 🎉
      ¡Suerte!
      Me lo guardo.
      Jaja, te entiendo 😄
      Buena pregunta.
      ¿Y cómo acabó?
      ¡Interesante!
      Qué maravilla.
      Lo voy a probar.
      Tal cual.
      ¡Bravo!`),
    any: lines(`
      Lo he leído dos veces y lo pruebo el {day*}.
      Nunca había visto así {thing}.
      En mi caso, después de {span*}, fue justo al revés.
      ¿Puedes contar algo más sobre {thing}?
      {Buddy*} lo hace así y está encantado.
      Depende. {Where*} yo [haría lo mismo|me lo pensaría].
      ¿Y eso funciona también {where*}?
      Quizá {@} sepa más.
      Por esto me gusta este sitio.
      Estoy igual: {problem*}, {where}.
      Hubo un hilo sobre eso hace poco, merece la pena buscarlo.
      ¡Con foto, por favor!
      ¿Cuánto tiempo te llevó al final?
      La primera parte la firmo, la segunda no tanto.
      Esto debería estar en la lista de enlaces.`),
    lead: ['', '', 'Por experiencia:', 'Mi regla:', 'En corto:', 'Yo diría:', 'Me lo enseñó {buddy*}:'],
    question: lines(`
      Yo estaba igual hace {span*}. Paciencia.
      ¿Qué has probado exactamente?
      Yo apostaría por {problem*}.
      ¿Tienes una foto? Así es difícil saberlo.
      Ni idea, pero sigo el hilo.
      Cambia solo una cosa cada vez.
      Pregunta a {@}, que pasó por lo mismo.`),
    show: lines(`
      ¡Te ha quedado precioso!
      Puedes estar orgulloso.
      ¿Cuánto tardaste?
      Mi primer intento fue mucho peor.
      ¡Qué ganas me han entrado!
      Más fotos, por favor 📷
      ¡Y encima {where}! Me quito el sombrero.`),
    tips: lines(`
      El punto {1-3} no se valora lo suficiente.
      Yo añadiría: {tip*}
      ¿Se puede fijar arriba?
      Impreso y colgado.
      Todo cierto, y siempre se me olvida la mitad.`),
    opinion: lines(`
      Totalmente de acuerdo.
      No lo comparto, pero está bien razonado.
      Antes pensaba lo mismo.
      La verdad estará en el medio.
      Eso lo dices ahora. Espera {span*}.`),
    event: lines(`
      ¡Me apunto!
      Somos dos.
      Qué pena, ese día no puedo. ¡La próxima!
      ¿Queda sitio?
      ¿Se puede llegar más tarde?
      Yo llevo tortilla.`),
    hello: lines(`
      ¡Bienvenida, bienvenido!
      ¡Bienvenido, {op}! 👋
      ¡Saludos desde {city*}!
      Qué bien que estés aquí.
      ¡Otra persona de {city}!`),
    back: lines(`
      {op} gracias, lo haré.
      {op} buen apunte.
      {op} justo eso quería decir.
      {op} yo lo veo un poco distinto.
      Es verdad, se me había olvidado.
      {op} ¿de dónde lo has sacado?
      😄
      {op} a mí no me sirvió, por desgracia.
      {op} ¡nos vemos el {day*}!
      Algo nuevo he aprendido.
      {op} eso merece un mensaje propio.`),
    solved: [
      'Actualización: ¡ha funcionado! 🙏',
      '{op} lo pruebo el {day*} y os cuento.',
      'No se me había ocurrido, gracias {op}.',
      '{op} eso ya lo probé, sin suerte.',
      '{op} desde hace unas semanas, creo.',
      'Al final era lo que decía {op}. ¡Gracias!',
    ],
    author: lines(`
      {op} 😂
      {op} qué amable.
      Vale, me habéis convencido.
      {op} cierto.
      Sois geniales.
      ¡Gracias a todos, cuántas ideas!
      {op} buena pregunta. Unas {2-9} horas, con pausas.
      Habrá fotos, lo prometo.
      {op} sí, {where}.`),
  },
  bios: lines(`
    {Hobby}, {hobby2} y demasiado café.
    De {city}. Aquí por {hobby}.
    Leo más de lo que escribo.
    Siempre aprendiendo: {hobby}.
    {Hobby} desde {1990-2022}.
    Siestas largas y {hobby}.`),
}
