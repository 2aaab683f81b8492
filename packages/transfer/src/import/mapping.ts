import type { Db } from '../../../server/src/db/index.ts'

const PRIVACIES = ['public', 'private', 'secret'] as const
type Privacy = (typeof PRIVACIES)[number]

/** Thrown if an import cannot start. The message is shown to the person who started it. */
export class ImportRefused extends Error {
  override name = 'ImportRefused'
}

/** The operator's choices. Keys are source ids of spaces and people, or source slugs of spaces. */
export interface Mapping {
  /** Slug of an existing space; null excludes the space. */
  readonly spaces?: Readonly<Record<string, string | null>>
  /** Username of an existing member. */
  readonly people?: Readonly<Record<string, string>>
  /** The privacy of a new space. */
  readonly privacy?: Readonly<Record<string, Privacy>>
}

/** The mapping with resolved ids. */
export interface ResolvedMapping {
  /** Undefined: not mapped; null: excluded. */
  readonly space: (record: {
    readonly id: string
    readonly slug: string
  }) => { readonly id: number; readonly slug: string } | null | undefined
  readonly person: (id: string) => number | undefined
  readonly privacy: (record: { readonly id: string; readonly slug: string }) => Privacy | undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const entriesOf = <T>(value: unknown, name: string, isValid: (one: unknown) => one is T): Record<string, T> => {
  if (value === undefined) return {}
  if (!isObject(value)) throw new ImportRefused(`the mapping: ${name} must be an object`)
  for (const [key, one] of Object.entries(value))
    if (!isValid(one)) throw new ImportRefused(`the mapping: ${name}.${key} has an invalid value`)
  return value as Record<string, T>
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isPrivacy = (value: unknown): value is Privacy => PRIVACIES.includes(value as Privacy)

/** @throws ImportRefused */
export const readMapping = (text: string): Mapping => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ImportRefused('the mapping is not valid JSON')
  }
  if (!isObject(value)) throw new ImportRefused('the mapping must be a JSON object')
  const unknown = Object.keys(value).filter((name) => !['spaces', 'people', 'privacy'].includes(name))
  if (unknown.length > 0) throw new ImportRefused(`the mapping: unknown key ${unknown[0]}; keys are spaces, people and privacy`)
  return {
    spaces: entriesOf(value['spaces'], 'spaces', isTextOrNull),
    people: entriesOf(value['people'], 'people', isText),
    privacy: entriesOf(value['privacy'], 'privacy', isPrivacy),
  }
}

const own = <T>(map: Readonly<Record<string, T>>, ...keys: readonly string[]): T | undefined => {
  for (const key of keys) if (Object.hasOwn(map, key)) return map[key]
  return undefined
}

/** Resolves the mapping. @throws ImportRefused for a space or member that does not exist */
export const resolveMapping = async (db: Db, { spaces = {}, people = {}, privacy = {} }: Mapping): Promise<ResolvedMapping> => {
  const spaceIds = new Map<string, { readonly id: number; readonly slug: string }>()
  for (const slug of new Set(Object.values(spaces).filter((one) => one !== null))) {
    const space = await db.selectFrom('spaces').select(['id', 'slug']).where('slug', '=', slug.toLowerCase()).executeTakeFirst()
    if (!space) throw new ImportRefused(`the mapping: the space ${slug} does not exist`)
    spaceIds.set(slug, space)
  }
  const personIds = new Map<string, number>()
  for (const [id, username] of Object.entries(people)) {
    const person = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username.toLowerCase())
      .where('status', '<>', 'deleted')
      .executeTakeFirst()
    if (!person) throw new ImportRefused(`the mapping: the member ${username} does not exist`)
    personIds.set(id, person.id)
  }
  return {
    space: ({ id, slug }) => {
      const wanted = own(spaces, id, slug)
      return wanted === undefined || wanted === null ? wanted : spaceIds.get(wanted)
    },
    person: (id) => personIds.get(id),
    privacy: ({ id, slug }) => own(privacy, id, slug),
  }
}
