import type { Topic } from '../types.ts'
import { lines, words } from '../words.ts'

const musica: Topic = {
  key: 'musica',
  language: 'pt',
  lists: {
    thing: words(
      'o violão, a gravação em casa, o ritmo, a voz, o choro, as rodas de samba, a mixagem, a teoria, as letras, os ensaios, o cavaquinho, o piano depois dos quarenta',
    ),
    gear: words(
      'um microfone, uma interface de áudio, um metrônomo, um amplificador pequeno, um pedal de reverb, um violão de estudo, um par de monitores',
    ),
    problem: words(
      'a falta de tempo, os vizinhos, a pestana, o ruído na gravação, a vergonha de cantar, o grave embolado, a corda que desafina',
    ),
    doing: words('estudar devagar'),
    did: words(
      'gravei minha primeira música, toquei para nove pessoas, troquei as cordas sozinho, aprendi a pestana, terminei uma letra antiga, consertei o amplificador, fui a uma roda de choro',
    ),
    where: words('num apartamento pequeno, com fones, no quarto, com vizinhos ao lado, no ônibus, com meia hora por dia'),
    goal: words(
      'tocar sem olhar para a mão, gravar voz em casa, terminar uma música, estudar todo dia, cantar sem vergonha, entender harmonia, tocar com outras pessoas',
    ),
    hobby: words('violão, canto, discos'),
  },
  cases: [
    {
      titles: ['Voz com som de caixa: como gravar melhor?', 'Gravar voz {where}: o que fazer?'],
      story: lines(`
        O quarto tem {2-4} por {3-5} metros, paredes nuas, e a voz parece dentro de um balde. Tenho {gear} e um edredom.
        Canto a {10-40} cm do microfone. Perto demais embola, longe demais entra a rua inteira.`),
      ask: ['O que ajuda mais, gastando pouco?', 'O truque do guarda-roupa funciona?'],
      answers: lines(`
        O edredom vai atrás de quem canta, não atrás do microfone.
        Microfone dinâmico, bem perto, e metade do quarto some.
        Guarda-roupa soa como guarda-roupa. Melhor no meio do quarto.
        Desliga a geladeira e deixa a chave do carro lá dentro, para lembrar de ligar depois.
        Interpretação vale mais que acústica.`),
    },
    {
      titles: ['{k=10-90} começos, nenhuma música pronta', 'Nunca termino uma música'],
      story: lines(`
        Tenho {k=10-90} arquivos, todos com oito compassos, quase todos [bons|promissores]. Aí começo o próximo.
        Toda noite faço um trecho novo, mexo nele uma hora e fecho tudo. Já são {k=10-90}.`),
      ask: ['Como vocês saem disso?', 'Vocês planejam a forma antes?'],
      answers: lines(`
        Termine uma ruim. Noventa minutos no relógio. A segunda é mais fácil.
        Encha os oito compassos com tudo, copie por quatro minutos e vá apagando.
        Copie a forma de uma música que você ama, compasso por compasso.
        Nada de mixar antes de existir um final.`),
    },
    {
      titles: ['Começar {thing} aos {k=35-70}: é tarde?', 'Aprender música aos {k=35-70}'],
      story: ['Tenho {k=35-70} anos e sempre quis tocar. Faz {span*} que tento sozinho e empaco sempre na mesma coisa: {problem}.'],
      ask: ['Professor, curso ou vídeo?', 'Quem começou tarde, como foi?'],
      answers: lines(`
        Tarde nada. Comecei aos sessenta e dois e toco todo sábado.
        Cinco aulas com professor valem um ano de vídeo.
        Quinze minutos por dia, sempre na mesma hora.
        Toque com gente o quanto antes, mesmo errando.`),
    },
  ],
  shows: lines(`
    {70-150} bpm, {2-5} minutos, e o melhor som é um erro.
    A voz saiu numa tomada só, de madrugada, sussurrando por causa dos vizinhos.
    Foram {14-240} audições, metade minha.
    Tremi do começo ao fim e ninguém percebeu.`),
  details: [
    'As cordas são novas, o violão tem trinta anos.',
    'O reverb é a escada do prédio.',
    'Gravei tudo em uma semana.',
    'Dá para ouvir um ônibus no fim.',
  ],
  tips: lines(`
    Estude devagar, bem devagar.
    Grave todo ensaio, nem que seja no celular.
    Afine antes de reclamar.
    Mixe baixinho e confira alto por dez segundos.
    Cante o baixo de tudo que ouvir.
    Pare quando a mão doer.`),
  opinions: [
    'Limite faz música melhor do que opção.',
    'A demo costuma ser melhor que a versão final.',
    'Ninguém precisa de mais um plugin, precisa de um prazo.',
    'Roda de choro ensina mais que curso.',
  ],
  replies: [
    'Que timbre bonito! Qual microfone?',
    'Subiria a voz um pouquinho.',
    'Ouvi três vezes seguidas.',
    'Lança logo. Não mexe mais.',
    'Dá para ouvir que você se divertiu.',
    'Tem a cifra?',
  ],
  polls: [
    { question: 'Por onde vocês começam uma música?', options: ['Harmonia', 'Melodia', 'Letra', 'Ritmo'] },
    { question: 'Quanto tempo de estudo por dia?', options: ['Menos de 15 min', '15 a 45 min', 'Mais', 'Só no fim de semana'] },
  ],
  resources: [
    ['Salas pequenas, graves grandes', 'acústica com fita métrica'],
    ['Como terminar músicas', 'um livrinho para quem tem começos'],
    ['História do cavaquinho', 'da viagem ao samba'],
  ],
}

const viagem: Topic = {
  key: 'viagem',
  language: 'pt',
  lists: {
    thing: words(
      'as viagens de trem, as trilhas, o mochilão, as cidades pequenas, as viagens com crianças, os albergues, a comida de feira, o litoral fora de época, as viagens sozinho, os cadernos de viagem',
    ),
    gear: words('uma mochila de 40 litros, uma barraca leve, um filtro de água, uma garrafa térmica, um mapa de papel, uma rede'),
    problem: words('a mala pesada, a chuva, as bolhas no pé, o jet lag, o roteiro apertado, a fila do museu, a bateria que acaba'),
    doing: words('andar sem rumo'),
    did: words(
      'atravessei a serra a pé, viajei uma semana só com mochila pequena, dormi numa rede no barco, fui de trem até o mar, perdi o último ônibus e fiz amigos, subi o pico antes do sol',
    ),
    where: words('na serra, com duas crianças, fora de temporada, sem carro, no interior, com pouco dinheiro, debaixo de chuva'),
    goal: words(
      'viajar leve, evitar bolhas, viajar sozinho sem medo, gastar menos, planejar sem exagerar, levar as crianças junto, dormir bem na barraca',
    ),
    hobby: words('trilha, trem, cadernos'),
  },
  cases: [
    {
      titles: ['{k=8-18} kg para {k2=3-9} dias: pesado demais?', 'Ajudem a tirar peso da minha mochila'],
      story: lines(`
        Minha mochila para {k2=3-9} dias pesa {k=8-18} kg com água e comida, {where}. Todo mundo fala em oito e eu não sei o que tirar.
        Vão ser {k2=3-9} dias e estou com {k=8-18} kg. O joelho já reclama só de olhar.`),
      ask: ['Por onde vocês começariam?', 'O que vale o peso?'],
      answers: lines(`
        Barraca, saco de dormir, mochila. O resto é detalhe.
        Pese tudo numa lista. A bolsinha de miudezas assusta.
        Segunda calça fora, segundo tênis fora.
        Quinhentos gramas de comida por dia e ninguém passa fome.`),
    },
    {
      titles: ['Primeira viagem sozinha, {k=3-12} dias', 'Viajar sozinho: como perder o medo?'],
      story: [
        '{k=3-12} dias por minha conta, {where}, pela primeira vez. De dia fico animado; de noite, na cama, penso em tudo que pode dar errado.',
      ],
      ask: ['O que ajudou vocês no começo?', 'O que contam para a família?'],
      answers: lines(`
        A primeira noite é ruim, a segunda é boa, a terceira ninguém quer companhia.
        Deixe o roteiro com alguém e combine uma hora para dar notícia.
        Converse na padaria. Em dois dias a cidade sabe seu nome.
        Comece com uma noite perto de casa.`),
    },
  ],
  shows: [
    '{9-34} km, {400-1800/10} metros de subida e {2-9} pessoas no caminho.',
    'Choveu {2-4} dias e nunca ri tanto.',
    'O último ônibus já tinha ido. Voltamos na caçamba de uma caminhonete.',
    'Custou menos que um fim de semana em casa.',
  ],
  details: [
    'A trilha é marcada, menos onde importa.',
    'Fomos e voltamos de trem.',
    'A previsão errou a nosso favor.',
    'O café da manhã valeu a viagem.',
  ],
  tips: [
    'Comece cedo, a tempestade vem depois do almoço.',
    'Mantenha seco o saco de dormir.',
    'Volte enquanto a decisão ainda é sua.',
    'Coma um pouco a cada hora.',
    'Cumprimente todo mundo.',
    'Leve seu lixo e mais um.',
  ],
  opinions: [
    'Roteiro demais estraga a viagem.',
    'A melhor vista fica na metade da subida.',
    'Cidade pequena em dia de feira vale mais que museu.',
    'O caminho de volta faz parte.',
  ],
  replies: [
    'Que lugar é esse?',
    'Fez frio à noite?',
    'Dá para ir sem carro?',
    'Quanto pesou a mochila?',
    'Está na minha lista para o ano que vem.',
    'E o café, ainda é bom?',
  ],
  polls: [
    { question: 'Barraca, rede ou pousada?', options: ['Barraca', 'Rede', 'Pousada', 'Minha cama'] },
    { question: 'Sozinho ou acompanhado?', options: ['Sozinho', 'A dois', 'Em grupo', 'Com cachorro'] },
  ],
  resources: [
    ['Nove quilos', 'uma lista com cada grama explicado'],
    ['De trem até o fim da linha', 'quarenta viagens sem carro'],
    ['Caderno de feiras', 'o que comer e onde sentar'],
  ],
}

export const portugueseTopics = [musica, viagem]
