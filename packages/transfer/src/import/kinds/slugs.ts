import { slugify } from '@lyceum/content'
import { batchStatement } from '../../../../server/src/db/index.ts'
import type { Run } from '../run.ts'

/** Tables that share unique slugs, with the maximum length and reserved words. */
interface SlugPlace {
  readonly name: string
  readonly tables: readonly string[]
  readonly longest: number
  readonly reserved: ReadonlySet<string>
}

interface WantedSlug {
  readonly kind: string
  readonly id: string
  /** Slug at the source, if any. */
  readonly slug: string | undefined
  /** Words to derive the slug from if the source has none. */
  readonly words: string
  readonly fallback: string
  /** Whether the slug must be unguessable, so it gets a suffix. */
  readonly hidden: boolean
}

const statements = new Map<string, ReturnType<typeof batchStatement<{ slug: string }>>>()

const takenIn = ({ name, tables }: SlugPlace) => {
  const known =
    statements.get(name) ??
    batchStatement<{ slug: string }>({ slug: 'text' }, (rows) =>
      tables.map((table) => `select t.slug from ${rows} d cross join ${table} t where t.slug = d.slug`).join(' union '),
    )
  statements.set(name, known)
  return known
}

const LETTERS = /^[a-z0-9][a-z0-9_-]*$/
/** Suffix of unguessable slugs; see `randomSuffix`. */
const UNGUESSABLE = /-[a-z2-7]{6}$/

const baseOf = ({ slug = '', words, fallback }: WantedSlug, longest: number): string => {
  const lower = slug.trim().toLowerCase()
  if (LETTERS.test(lower) && lower.length <= longest) return lower
  return slugify(slug, longest) || slugify(words, Math.min(longest, 80)) || fallback
}

/** An unused slug for each object: the source slug, with a suffix if needed that is the same in each import. */
export const freeSlugs = async (run: Run, place: SlugPlace, wanted: readonly WantedSlug[]): Promise<string[]> => {
  const keyOf = (slug: string) => `slug:${place.name}:${slug}`
  /** Reserves the unused slugs; of equal ones, the first. */
  const take = async (slugs: readonly string[]): Promise<boolean[]> => {
    const asked = [...new Set(slugs)].filter((slug) => slug !== '')
    const used = new Set((await takenIn(place)(run.services.database.read, asked)).map(({ slug }) => slug))
    const claimed = await run.memory.taken(asked.map(keyOf))
    return slugs.map((slug) => {
      if (slug === '' || used.has(slug) || claimed.has(keyOf(slug))) return false
      claimed.add(keyOf(slug))
      run.memory.take(keyOf(slug))
      return true
    })
  }
  const bases = wanted.map((one) => baseOf(one, place.longest))
  const isUsable = (base: string, hidden: boolean) => !place.reserved.has(base) && (!hidden || UNGUESSABLE.test(base))
  const taken = await take(wanted.map(({ hidden }, i) => (isUsable(bases[i] as string, hidden) ? (bases[i] as string) : '')))
  const others = wanted.flatMap(({ kind, id }, i) => {
    if (taken[i]) return []
    const suffix = run.derived.suffix(kind, id)
    const cut = bases[i]?.slice(0, place.longest - suffix.length - 1).replace(/-+$/, '')
    return [{ i, slug: `${cut}-${suffix}`, again: () => run.derived.suffix('again', `${kind} ${id}`) }]
  })
  const areFree = await take(others.map(({ slug }) => slug))
  const slugs = bases
  for (const [n, { i, slug, again }] of others.entries()) {
    slugs[i] = areFree[n] ? slug : `${slug}-${again()}`
    if (!areFree[n]) run.memory.take(keyOf(slugs[i] as string))
  }
  return slugs
}
