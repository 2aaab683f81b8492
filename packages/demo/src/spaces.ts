import { createRandom, mix } from './random.ts'
import { TOPICS } from './text/data.ts'
import { slug } from './text/library.ts'

export interface Group {
  title: string
  slug: string
  description: string
  position: number
}

export interface SpaceProfile {
  title: string
  slug: string
  description: string
  privacy: 'public' | 'private' | 'secret'
  /** Index of its group. */
  group: number
  emoji: string
  /** Index into TOPICS. */
  topic: number
}

export const GROUPS: Group[] = [
  ['Community', 'community', 'Meet each other, news, everything without a place of its own'],
  ['Home & kitchen', 'home-and-kitchen', 'Growing, cooking, family life'],
  ['Making', 'making', 'Pictures, music, wood and other things one makes'],
  ['Code & work', 'code-and-work', 'Programming, open source, jobs and small companies'],
  ['Outside', 'outside', 'On foot, by bike, under the stars'],
  ['Minds & games', 'minds-and-games', 'Books, languages, board games'],
  ['World', 'world', 'Spaces in other languages'],
].map(([title, slug, description], position) => ({ title: title!, slug: slug!, description: description!, position }))

interface Design {
  topic: string
  group: number
  emoji: string
  titles: string[]
  description: string
  privacy?: 'private' | 'secret'
}

function design(topic: string, group: number, emoji: string, titles: string, description: string, privacy?: Design['privacy']): Design {
  return { topic, group, emoji, titles: titles.split(', '), description, privacy }
}

/** In the order in which a community gets its spaces; further ones take the later titles. */
const DESIGNS: Design[] = [
  design(
    'lounge',
    0,
    '🛋️',
    'The Lounge, Introductions, Neighbours, Good news only, Night owls',
    'Everything and nothing. Come in, sit down, tell us how you are.',
  ),
  design(
    'gardening',
    1,
    '🌱',
    'Gardening, Balcony gardens, Vegetable growers, Allotments, Compost club',
    'Beds, balconies and compost heaps: questions, failures and the first strawberries.',
  ),
  design(
    'typescript',
    3,
    '🧩',
    'TypeScript, TypeScript at work, Type puzzles, Frontend corner',
    'Types, tooling and migrations, from the first strict flag to the last any.',
  ),
  design(
    'lounge',
    0,
    '🔑',
    'Founding members, Regulars’ table',
    'For those who have been here from the start, and those they bring along.',
    'private',
  ),
  design(
    'photography',
    2,
    '📷',
    'Photography, Film photographers, Street photography, Weekly photo challenge',
    'Show your pictures, ask for honest feedback, learn to see.',
  ),
  design(
    'garten',
    6,
    '🌻',
    'Garten & Balkon, Schrebergarten, Gemüse vom Balkon',
    'Alles, was wächst, und alles, was daran frisst. Auf Deutsch.',
  ),
  design(
    'cooking',
    1,
    '🍲',
    'Cooking, Bread & sourdough, Weeknight dinners, Fermentation, Cooking on a budget',
    'What is for dinner? Recipes, rescues and the eternal onion.',
  ),
  design(
    'running',
    4,
    '🏃',
    'Running, Beginner runners, Trail running, Marathon training',
    'Slow, fast, injured or just starting: everybody who puts one foot before the other.',
  ),
  design(
    'boardgames',
    5,
    '🎲',
    'Board games, Games for two, Game designers, Solo gamers',
    'Rules questions, recommendations and the search for a fourth player.',
  ),
  design(
    'cocina',
    6,
    '🥘',
    'Cocina de casa, Pan y masa madre, Recetas de la abuela',
    'Recetas, dudas y discusiones sobre la cebolla. En español.',
  ),
  design('lounge', 0, '🧭', 'Moderators’ table, Organisers', 'Where those who look after this place talk about it.', 'secret'),
  design(
    'books',
    5,
    '📚',
    'Book club, Classics slowly, Short stories, Non-fiction shelf',
    'One book a month, and all the others that we read instead.',
  ),
  design(
    'astronomy',
    4,
    '🔭',
    'Astronomy, Deep-sky imaging, Visual observers, Beginners under the stars',
    'Clear skies! Observing reports, telescopes and the patience in between.',
  ),
  design('photo', 6, '🎞️', 'Photo & images, Argentique, Photo de rue', 'Partager ses images, progresser, discuter. En français.'),
  design('shashin', 6, '🎏', '写真と散歩, フィルム部, 猫写真', '日本語の写真部屋です。初心者の方も歓迎します。'),
  design(
    'opensource',
    3,
    '🛠️',
    'Open source, Maintainers, First contributions, Self-hosting',
    'For those who give away their code, and those who keep it running.',
  ),
  design(
    'cycling',
    4,
    '🚲',
    'Cycling, Bike commuters, Bikepacking, Bike repair',
    'Commuters, tourers and tinkerers. Creaks diagnosed daily.',
  ),
  design('musica', 6, '🎶', 'Música em casa, Violão, Gravação caseira', 'Tocar, gravar, ouvir. Em português.'),
  design(
    'music',
    2,
    '🎛️',
    'Music production, Bedroom producers, Songwriting, Synth corner',
    'From the eight-bar loop to a finished song, with or without neighbours.',
  ),
  design(
    'languages',
    5,
    '🗣️',
    'Language learning, Tandem exchange, Polyglot corner, Exam preparation',
    'Vocabulary, courage and the right to make mistakes.',
  ),
  design('chufang', 6, '🥟', '家常厨房, 面食, 火锅爱好者', '菜谱、翻车现场和厨房小技巧，中文交流。'),
  design('woodworking', 2, '🪵', 'Woodworking, Hand tools, First projects, Spoon carvers', 'Sawdust, joints and never enough clamps.'),
  design('shakhmaty', 6, '♟️', 'Шахматы, Шахматы для детей, Эндшпиль', 'Партии, задачи и долгие разговоры. По-русски.'),
  design(
    'parenting',
    1,
    '🧸',
    'Parenting, Teenagers, Babies & toddlers, Single parents',
    'No perfect families here, only tired and friendly ones.',
  ),
  design('career', 3, '🤝', 'Salary circle, Managers among themselves', 'Honest numbers, which stay here.', 'private'),
  design('hiking', 4, '🏕️', 'Summer tour crew, Winter tour crew', 'Planning for those who have signed up.', 'private'),
  design('opensource', 3, '🔒', 'Security team, Release crew', 'Reports and fixes before they are public.', 'secret'),
  design(
    'startups',
    3,
    '🚀',
    'Small startups, Bootstrappers, Founders’ table, First customers',
    'Small companies, honest numbers, first customers.',
  ),
  design('matbakh', 6, '🫖', 'مطبخ البيت, الخبز والمعجنات, وصفات الجدات', 'وصفات وأسئلة وحكايات من المطبخ، بالعربية.'),
  design('hiking', 4, '🥾', 'Hiking, Hut to hut, Light packs, Walks with children', 'Paths, huts, weather and feet.'),
  design('rasoi', 6, '🍛', 'रसोई, टिफ़िन, मसालों की बातें', 'घर का खाना, सवाल और क़िस्से। हिन्दी में।'),
  design(
    'career',
    3,
    '💼',
    'Work & career, Remote work, Career changers, Freelancers',
    'Pay, managers, home offices and the courage to ask.',
  ),
  design('rad', 6, '🚴', 'Radfahren, Radreisen, Pendeln mit dem Rad', 'Touren, Technik und Gegenwind. Auf Deutsch.'),
  design('lectura', 6, '📖', 'Club de lectura, Poesía, Novela negra', 'Libros que nos gustan y libros que abandonamos. En español.'),
  design('potager', 6, '🥕', 'Potager & balcon, Jardins partagés, Compost', 'Semis, limaces et premières fraises. En français.'),
  design('ryori', 6, '🍙', '料理と台所, お弁当部, 味噌と漬物', '毎日のごはんの話をする部屋です。'),
  design('viagem', 6, '🎒', 'Viagens e trilhas, Mochilão, De trem', 'Caminhos, malas leves e histórias. Em português.'),
  design('yuedu', 6, '📕', '读书会, 古典文学, 推理小说', '一起读书，一起吵架，中文交流。'),
  design('dacha', 6, '🏡', 'Дача и балкон, Рассада, Заготовки', 'Грядки, урожай и борьба со слизнями. По-русски.'),
  design('kutub', 6, '📜', 'نادي القراءة, الشعر, أدب الرحلات', 'كتب نحبها وكتب تركناها في منتصف الطريق.'),
]

const CITIES = [
  'Leeds',
  'Utrecht',
  'Toronto',
  'Lisbon',
  'Nairobi',
  'Vienna',
  'Austin',
  'Oslo',
  'Melbourne',
  'Cork',
  'Lyon',
  'Pune',
  'Osaka',
  'Bogotá',
  'Gdańsk',
  'Porto',
]

/** The first `count` spaces of this community: always the lounge first, mostly public ones. */
export function spaceProfiles(count: number, seed: number): SpaceProfile[] {
  const random = createRandom(mix(seed, 0x5bace))
  const used = new Set<string>()
  return Array.from({ length: count }, (_, index) => {
    const design = DESIGNS[index % DESIGNS.length]!
    const round = Math.floor(index / DESIGNS.length)
    const title = titleOf(design, round)
    // a title in another script has no letters for a slug
    const plain = /^a-\d+$/.test(slug(title)) ? `${design.topic}${round > 0 ? `-${round + 1}` : ''}` : slug(title)
    let name = plain
    while (used.has(name)) name = `${plain}-${random.int(2, 9999)}`
    used.add(name)
    return {
      title,
      slug: name,
      description: round < design.titles.length ? design.description : `${design.description} ${CITIES[round % CITIES.length]}.`,
      privacy: design.privacy ?? privacyOf(design.topic, round, random.float()),
      group: design.group,
      emoji: design.emoji,
      topic: TOPICS.findIndex((topic) => topic.key === design.topic),
    }
  })
}

function titleOf(design: Design, round: number): string {
  if (round < design.titles.length) return design.titles[round]!
  const extra = round - design.titles.length
  const place = CITIES[extra % CITIES.length]!
  const again = Math.floor(extra / CITIES.length)
  return `${design.titles[0]} · ${place}${again > 0 ? ` ${again + 1}` : ''}`
}

/** Spaces with a door of their own say so in their name; of the later ones in English some have one as well. */
function privacyOf(topic: string, round: number, luck: number): SpaceProfile['privacy'] {
  const { language } = TOPICS.find(({ key }) => key === topic)!
  if (round === 0 || topic === 'lounge' || language !== 'en') return 'public'
  if (luck < 0.15) return 'private'
  return luck < 0.2 ? 'secret' : 'public'
}
