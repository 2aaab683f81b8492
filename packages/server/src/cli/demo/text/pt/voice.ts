import type { Voice } from '../types.ts'
import { lines, words } from '../words.ts'

/** {thing} and {problem} carry their article and follow only “sobre”, “com”, “para”; {goal} is an infinitive, {did} a past tense of “I”. */
export const portuguese: Voice = {
  language: 'pt',
  space: ' ',
  colon: ': ',
  lists: {
    time: words(
      'ontem à noite, hoje cedo, no sábado, ontem, no fim de semana, na semana passada, depois do trabalho, no domingo à tarde, outro dia',
    ),
    span: words('três semanas, alguns meses, quase um ano, dez dias, dois anos, meio ano, quatro meses'),
    buddy: words('minha vizinha, meu pai, uma colega, minha irmã, um amigo, meu cunhado, minha avó, meu filho mais velho'),
    city: words('Recife, Curitiba, Porto, Coimbra, Belém, Florianópolis, Braga, Salvador, Goiânia, Lisboa, Campinas, Évora'),
    day: words('segunda, terça, quarta, quinta, sexta, sábado, domingo'),
    hour: words('10h, 14h, 17h30, 18h30, 19h, 20h'),
  },
  tags: [' ({where})', ' {where}', ' – depois de {span}', ' (atualização)', ' (parte {2-4})'],
  askTags: [' – alguma ideia?', ' (dúvida de iniciante)', ' (socorro!)'],
  asides: [
    'Um abraço de {city*}.',
    'Escrito {where*}, desculpem os erros.',
    '{Buddy*} manda lembranças.',
    'Outro dia conto sobre {thing*}.',
    'P.S.: sim, de novo {problem*}.',
    '{@} vai entender.',
  ],
  question: {
    greet: [
      'Olá, pessoal!',
      'Oi, gente.',
      'Bom dia a todos.',
      'Primeira postagem por aqui.',
      'Dúvida rápida:',
      'Desculpem se já perguntaram.',
    ],
    titles: [],
    open: [],
    close: [
      'Obrigado desde já!',
      'Qualquer dica ajuda.',
      'Posso mandar fotos.',
      'O que vocês fariam?',
      'Um abraço de {city}.',
      'Podem rir, eu aguento 🙂',
    ],
    buying: null,
    generic: [
      {
        titles: lines(`
          Como vocês conseguem {goal}?
          Quero {goal}, por onde começo?
          Dá para {goal} {where}?
          {Problem}: o que fazer?
          Vale a pena comprar {gear}?`),
        story: lines(`
          Faz {span*} que tento {goal}, com resultado [mais ou menos|irregular]. O que mais atrapalha: {problem}. E tudo isso {where}.
          Eu queria {goal}. {Buddy*} diz que é fácil, mas sempre tropeço na mesma coisa: {problem}.`),
        tried: ['Já li bastante, mas cada um diz uma coisa.', '{Time*} {did}, e pelo menos foi divertido.'],
        ask: ['O que fez diferença para vocês?', 'Por onde começariam?', 'Tem algum truque que não conheço?'],
        answers: lines(`
          Comece pequeno. Comigo funcionou fazer [um pouco por dia|uma coisa de cada vez].
          Sem {gear} eu nem tentaria.
          Primeiro resolva isto: {problem}. O resto vem.
          Demorei {span*}. Paciência!
          Também faço isso {where}, me escreve se quiser.`),
      },
    ],
  },
  show: {
    titles: [
      'Finalmente: {did}!',
      '{Thing}, {span} depois',
      'Pequena vitória: {did}',
      'Meu fim de semana: {thing}',
      'Tentativa número {2-12}: {thing}',
      'Antes e depois: {thing}',
      '{Thing} {where}: como está indo',
    ],
    open: lines(`
      {Time*} {did}, [finalmente|quem diria].
      Depois de {span*} enrolando, {did}.
      Como em casa ninguém aguenta mais ouvir, conto aqui: {did}.
      {Buddy*} me convenceu e, no fim, {did}.`),
    close: [
      'O que vocês fariam diferente?',
      'Críticas são bem-vindas.',
      'Obrigado a quem ajudou, principalmente {@}.',
      'Próximo passo: {thing2}.',
      'Não ficou perfeito, mas é meu.',
      'E agora, café ☕',
    ],
  },
  tips: {
    titles: [
      '{k=3-7} coisas que eu queria ter sabido antes',
      '{Thing}: o que aprendi em {span}',
      'Minha listinha sobre {thing}',
      'Para quem está começando: {thing}',
      'Minhas regras para {thing}, {where}',
    ],
    open: [
      'Como a pergunta sempre volta, aqui vai a minha lista:',
      'Juntei isto em {span*}, sem ordem:',
      'Alguém devia ter me contado no começo:',
      'Inspirado na postagem de {@}:',
    ],
    close: ['O que faltou?', 'Quem faz diferente, conte!', 'Quase tudo aprendi aqui, obrigado.'],
  },
  opinion: {
    titles: ['{claim}', '{claim}', 'Opinião impopular: {claim}', '“{claim}”: concordam?', 'Falei: {claim}'],
    open: ['Não paro de pensar nisso.', 'Talvez eu arrume inimigos.', '{Buddy*} e eu discutimos {time*} por horas.', 'Sejamos sinceros:'],
    because: [
      'Digo isso depois de {span*}, {where}.',
      'Há exceções, claro: {thing2}, por exemplo.',
      'Sempre respondem a mesma coisa: {problem}. Não me convence.',
      '{Buddy*} pensa o contrário e vive muito bem.',
    ],
    close: ['E vocês?', 'Estou sozinho nessa?', 'Me convençam do contrário.', 'Curioso para ler vocês.'],
  },
  link: {
    titles: ['Leitura boa: {resource}', '{Resource}', 'Conhecem “{resource}”?', 'Achei {time}: {resource}'],
    open: ['Encontrei {time*}:', '{Buddy*} me mandou isto:', 'Para quem gosta do assunto:'],
    sites: ['https://{site}.example.org/{slug}', 'https://www.example.com/pt/{slug}'],
    why: [
      'A parte sobre {thing} é [ótima|muito honesta].',
      'Não concordo com tudo, mas me fez pensar.',
      'São {5-40/5} minutos bem gastos.',
      'Enfim alguém que não quer vender nada.',
    ],
    close: ['O que acham?', 'Conhecem algo parecido?', ''],
  },
  event: {
    titles: ['Encontro em {city}: {thing}', 'Quem topa {day} em {city}?', 'Encontro em {city}, {day}, {hour}'],
    open: [
      'Estamos planejando um encontro pequeno e sem frescura.',
      'O último foi tão bom que vamos repetir.',
      '{@} e eu queremos conhecer vocês.',
    ],
    facts: [
      ['Quando', ['{day}, {hour}', '{day} daqui a duas semanas, {hour}']],
      ['Onde', ['Café da Praça, {city}', 'Biblioteca Municipal, {city}', 'no parque, perto do coreto']],
      ['Levar', ['algo para dividir', 'nada, já tem tudo', 'perguntas']],
      ['Preço', ['de graça', 'uma contribuição para o café']],
    ],
    close: ['Avisem se vierem.', 'Crianças e cachorros são bem-vindos.', 'Quem vem? ✋'],
  },
  announcement: {
    notices: [
      {
        titles: ['Boas-vindas! (rodada {2-40})', 'Já somos {k=100-900}!'],
        bodies: [
          'Que bom ter vocês aqui! Apresentem-se quando quiserem. Três coisas deixam o lugar agradável: **gentileza**, **contexto** nas perguntas e **contar o que funcionou** no fim.',
        ],
      },
      {
        titles: ['Tema do mês: {thing}'],
        bodies: ['A partir da semana que vem teremos um tema por mês. O primeiro: **{thing}**. Contem tudo, inclusive o que deu errado.'],
      },
    ],
    close: ['A moderação', 'Dúvidas? Aqui embaixo.', 'Boa semana!'],
  },
  poll: {
    titles: ['', '', 'Enquete: ', 'Enquete rápida: ', 'Enquete da semana ({2-99}): '],
    open: [
      'Não chegamos a um acordo {time*}, então vamos contar.',
      'Pura curiosidade, não existe resposta errada.',
      'Votem e digam por quê.',
    ],
    close: ['Motivos nos comentários!', 'Daqui a uma semana eu resumo.', ''],
  },
  hello: {
    titles: ['Olá de {city}!', 'Novo por aqui', 'Me apresentando ({city})', 'Um oi de {city}'],
    bodies: lines(`
      Oi! Leio vocês há {span*} e já era hora de dizer olá. Tenho {24-68} anos, moro em {city} e vim por causa do assunto: {thing}. Prazer!
      Olá de {city}. {Buddy*} me falou deste lugar. Sei pouco, mas quero {goal}. Tenham paciência!
      Em resumo: {city}, {24-68} anos, dois filhos, pouco tempo. {Thing}, é disso que eu gosto 👋`),
  },
  status: lines(`
    {Time*} {did}. [Só queria contar.|É isso.]
    Dia {2-60} tentando {goal}. [Nada ainda.|Aos poucos.|Hoje deu certo!]
    Bom dia de {city}! O que vocês têm para hoje?
    {Buddy*} perguntou o que eu vejo nisso. Falei {20-90/5} minutos.
    Aprendi hoje: {tip*}
    Obrigado {@} pela dica. Funcionou!`),
  replies: {
    short: [
      'Obrigado!',
      'Valeu, {op}!',
      'Que lindo!',
      'Exatamente.',
      'Aqui também.',
      '👍',
      '❤️',
      'Parabéns! 🎉',
      'Boa sorte!',
      'Salvei.',
      'Kkkk, conheço bem 😄',
      'Boa pergunta.',
      'E aí, como terminou?',
      'Interessante!',
      'Vou testar.',
      'Muito bom.',
    ],
    any: lines(`
      Li duas vezes e vou tentar {day*}.
      Nunca tinha pensado assim sobre {thing}.
      Comigo, depois de {span*}, foi o contrário.
      Conta mais sobre {thing}?
      {Buddy*} faz assim e adora.
      Depende. {Where*} eu [faria igual|pensaria duas vezes].
      Funciona também {where*}?
      Talvez {@} saiba mais.
      É por isso que gosto daqui.
      Estou na mesma: {problem*}, {where}.
      Com foto, por favor!
      Quanto tempo levou no fim?
      Isso merece ir para a lista de links.`),
    lead: ['', '', 'Por experiência:', 'Minha regra:', 'Resumindo:'],
    question: [
      'Passei por isso há {span*}. Paciência.',
      'O que você já tentou?',
      'Aposto nisto: {problem*}.',
      'Tem foto? Assim fica difícil.',
      'Não sei, mas vou acompanhar.',
      'Mude só uma coisa de cada vez.',
    ],
    show: [
      'Ficou lindo!',
      'Pode ter orgulho.',
      'Quanto tempo levou?',
      'Minha primeira tentativa foi bem pior.',
      'Deu vontade!',
      'Mais fotos, por favor 📷',
    ],
    event: ['Tô dentro!', 'Somos dois.', 'Que pena, nesse dia não posso.', 'Ainda tem vaga?', 'Eu levo o bolo.'],
    hello: ['Boas-vindas!', 'Boas-vindas, {op}! 👋', 'Abraço de {city*}!', 'Que bom ter você aqui.'],
    opinion: ['Concordo totalmente.', 'Discordo, mas bem argumentado.', 'Eu também pensava assim.', 'A verdade está no meio.'],
    back: [
      '{op} obrigado, vou fazer.',
      '{op} boa.',
      '{op} era isso mesmo que eu queria dizer.',
      '{op} vejo um pouco diferente.',
      'Verdade, tinha esquecido.',
      '{op} onde você achou?',
      '😄',
      '{op} comigo não ajudou, infelizmente.',
      '{op} até {day*}!',
    ],
    solved: [
      'Atualização: deu certo! 🙏',
      '{op} tento {day*} e conto.',
      '{op} já tentei, sem sorte.',
      '{op} faz umas semanas, acho.',
      'No fim era o que {op} disse. Obrigado!',
    ],
    author: [
      '{op} 😂',
      '{op} que gentileza.',
      'Tá bom, me convenceram.',
      '{op} verdade.',
      'Obrigado a todos, quantas ideias!',
      '{op} boa pergunta. Umas {2-9} horas, com pausas.',
      'As fotos vêm, prometo.',
      '{op} sim, {where}.',
    ],
  },
  bios: [
    '{Hobby}, {hobby2} e café demais.',
    'De {city}. Aqui para aprender.',
    'Leio mais do que escrevo.',
    '{Hobby} desde {1990-2022}.',
    'Sempre começando de novo.',
  ],
}
