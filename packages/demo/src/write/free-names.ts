import { randomSuffix } from '@lyceum/content'
import type { Db } from '../../../server/src/db/index.ts'
import { mix } from '../random.ts'

const ASKED_AT_ONCE = 500
const LONGEST_USERNAME = 30

const portions = function* <T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += ASKED_AT_ONCE) yield list.slice(at, at + ASKED_AT_ONCE)
}

/** Returns the slugs that are in use. */
const takenSlugs = async (db: Db, table: 'feeds' | 'spaces', slugs: readonly string[]): Promise<Set<string>> => {
  const taken = new Set<string>()
  for (const some of portions(slugs)) {
    const rows = await db.selectFrom(table).select('slug').where('slug', 'in', some).execute()
    for (const row of rows) taken.add(row.slug)
  }
  return taken
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const ending = (number: number) => Array.from({ length: 5 }, (_, i) => BASE32[(number >>> (5 * i)) & 31]).join('')

/** A slug with a suffix derived from its position in the generated data. */
const endedSlug = (slug: string, place: number): string => `${slug}-${ending(mix(place, 0x51ab))}`

/**
 * A free slug for each wanted one, deterministic on an empty database. `from` is the position of the first one in the generated data. A taken
 * slug gets a suffix derived from its position, or a random one if that is taken too. `known`: all taken slugs, if they are known; the new
 * ones are added.
 */
export const freeSlugs = async (
  db: Db,
  table: 'feeds' | 'spaces',
  wanted: readonly string[],
  from: number,
  known?: Set<string>,
): Promise<string[]> => {
  const ended = wanted.map((slug, i) => endedSlug(slug, from + i))
  const taken = known ?? (await takenSlugs(db, table, [...wanted, ...ended]))
  return wanted.map((slug, i) => {
    const free = [slug, ended[i] ?? slug].find((candidate) => !taken.has(candidate)) ?? `${slug}-${randomSuffix()}`
    taken.add(free)
    return free
  })
}

export interface Renaming {
  /** New usernames by generated username. */
  readonly renamed: ReadonlyMap<string, string>
  /** The actual username of a generated one. */
  readonly username: (generated: string) => string
  /** Replaces generated usernames in mentions. */
  readonly text: (generated: string) => string
  /** All actual usernames of the generated members. */
  readonly everybody: ReadonlySet<string>
}

const MENTION = /@([a-z0-9_-]{3,30})/g

/** Finds new usernames for generated ones that are taken. */
export const renameTaken = async (db: Db, generated: readonly string[]): Promise<Renaming> => {
  const here = new Set<string>()
  const lookUp = async (names: readonly string[]) => {
    for (const some of portions(names)) {
      const emails = some.flatMap((name) => ['org', 'com', 'net'].map((ending) => `${name}@example.${ending}`))
      const byName = await db.selectFrom('users').select('username').where('username', 'in', some).execute()
      const byEmail = await db.selectFrom('users').select('email').where('email', 'in', emails).execute()
      for (const { username } of byName) here.add(username)
      for (const { email } of byEmail) here.add(email.slice(0, email.indexOf('@')))
    }
  }
  await lookUp(generated)
  const everybody = new Set(generated)
  const renamed = new Map<string, string>()
  let open = generated.filter((name) => here.has(name))
  for (let number = 2; open.length > 0; number++) {
    const numbered = (name: string) => `${name.slice(0, LONGEST_USERNAME - 1 - String(number).length)}-${number}`
    await lookUp(open.map(numbered))
    open = open.filter((name) => {
      const candidate = numbered(name)
      if (here.has(candidate) || everybody.has(candidate)) return true
      renamed.set(name, candidate)
      everybody.add(candidate)
      return false
    })
  }
  return renamingOf(generated, renamed)
}

/** The same for known renamings. */
export const renamingOf = (generated: readonly string[], renamed: ReadonlyMap<string, string>): Renaming => {
  const everybody = new Set([...generated.filter((name) => !renamed.has(name)), ...renamed.values()])
  const username = (name: string) => renamed.get(name) ?? name
  return {
    renamed,
    username,
    everybody,
    text: (text) => {
      if (renamed.size === 0 || !text.includes('@')) return text
      return text.replace(MENTION, (whole, name: string) => {
        const bare = name.replace(/[_-]+$/, '')
        const known = [name, bare].find((candidate) => renamed.has(candidate))
        return known ? `@${username(known)}${name.slice(known.length)}` : whole
      })
    },
  }
}
