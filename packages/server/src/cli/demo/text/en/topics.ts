import type { Topic } from '../types.ts'
import { astronomy } from './topics/astronomy.ts'
import { boardgames } from './topics/boardgames.ts'
import { books } from './topics/books.ts'
import { career } from './topics/career.ts'
import { cooking } from './topics/cooking.ts'
import { cycling } from './topics/cycling.ts'
import { gardening } from './topics/gardening.ts'
import { hiking } from './topics/hiking.ts'
import { languages } from './topics/languages.ts'
import { lounge } from './topics/lounge.ts'
import { moreCases } from './topics/more-cases.ts'
import { music } from './topics/music.ts'
import { opensource } from './topics/opensource.ts'
import { parenting } from './topics/parenting.ts'
import { photography } from './topics/photography.ts'
import { running } from './topics/running.ts'
import { startups } from './topics/startups.ts'
import { typescript } from './topics/typescript.ts'
import { woodworking } from './topics/woodworking.ts'

const topics: Topic[] = [
  lounge,
  gardening,
  typescript,
  photography,
  cooking,
  running,
  boardgames,
  books,
  astronomy,
  music,
  languages,
  cycling,
  woodworking,
  startups,
  parenting,
  opensource,
  hiking,
  career,
]

export const englishTopics = topics.map((topic) => ({ ...topic, cases: [...topic.cases, ...(moreCases[topic.key] ?? [])] }))
