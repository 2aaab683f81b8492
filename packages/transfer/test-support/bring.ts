import type { World } from '#test/world.ts'
import { importSource } from '../src/import/import-source.ts'
import type { ImportOptions, ReportLine } from '../src/import/types.ts'
import { memorySource, type Records, type SourceOptions } from './memory-source.ts'

/** Imports records, and returns the result with what was reported about single records. */
export const bring = async (
  world: World,
  records: Records,
  { source = {}, ...options }: ImportOptions & { source?: SourceOptions } = {},
) => {
  const lines: ReportLine[] = []
  const imported = await importSource(world.app.services, memorySource(records, source), { ...options, onLine: (line) => lines.push(line) })
  return {
    ...imported,
    lines,
    reasons: Object.fromEntries(lines.map(({ kind, id, outcome, reason }) => [`${kind} ${id}`, `${outcome}: ${reason}`])),
  }
}

/** The records of a community with a space, two members, and posts with these texts. */
export const community = (texts: readonly string[] = [], more: Records = {}): Records => ({
  people: [person('ana'), person('bob')],
  spaces: [{ id: 's', title: 'Garden', slug: 'garden', privacy: 'public', status: 'published', created_at: AT }],
  posts: texts.map((message, i) => post(`p${i + 1}`, { message })),
  ...more,
})

export const AT = '2024-05-01 10:00:00'

export const person = (id: string, more: object = {}) =>
  ({ id, username: id, email: `${id}@old.example`, status: 'active', created_at: AT, ...more }) as const

export const post = (id: string, more: object = {}) =>
  ({ id, author: 'ana', space: 's', message: `Text ${id}`, status: 'published', privacy: 'public', created_at: AT, ...more }) as const

export const comment = (id: string, more: object = {}) =>
  ({ id, author: 'bob', post: 'p1', message: `Comment ${id}`, status: 'published', created_at: AT, ...more }) as const
