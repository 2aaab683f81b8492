import { slugify } from '@lyceum/content'
import { batchStatement } from '../../../../server/src/db/index.ts'
import type { Run } from '../run.ts'

/** Slugs that are unique in these tables, with their longest length and the words that have another meaning. */
interface SlugPlace {
  readonly name: string
  readonly tables: readonly string[]
  readonly longest: number
  readonly reserved: ReadonlySet<string>
}

interface WantedSlug {
  readonly kind: string
  readonly id: string
  /** The slug at the source, if there is one. */
  readonly slug: string | undefined
  /** The slug is derived from these words if there is none. */
  readonly words: string
  readonly fallback: string
  /** Whether others must not guess the slug: it gets a suffix. */
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
/** The end of slugs that cannot be guessed; see `randomSuffix`. */
const UNGUESSABLE = /-[a-z2-7]{6}$/

const baseOf = ({ slug = '', words, fallback }: WantedSlug, longest: number): string => {
  const lower = slug.trim().toLowerCase()
  if (LETTERS.test(lower) && lower.length <= longest) return lower
  return slugify(slug, longest) || slugify(words, Math.min(longest, 80)) || fallback
}

/** A free slug for each object: that at the source, or one with a suffix that is the same in each import. */
export const freeSlugs = async (run: Run, place: SlugPlace, wanted: readonly WantedSlug[]): Promise<string[]> => {
  const pairs = wanted.map((one) => {
    const base = baseOf(one, place.longest)
    const suffix = run.derived.suffix(one.kind, one.id)
    const cut = base.slice(0, place.longest - suffix.length - 1).replace(/-+$/, '')
    const isUsable = !place.reserved.has(base) && (!one.hidden || UNGUESSABLE.test(base))
    return { slug: isUsable ? base : '', withSuffix: `${cut}-${suffix}` }
  })
  const asked = [...new Set(pairs.flatMap(({ slug, withSuffix }) => (slug === '' ? [withSuffix] : [slug, withSuffix])))]
  const used = new Set((await takenIn(place)(run.services.database.read, asked)).map(({ slug }) => slug))
  const keyOf = (slug: string) => `slug:${place.name}:${slug}`
  const claimed = await run.memory.taken(asked.map(keyOf))
  return pairs.map(({ slug, withSuffix }, i) => {
    const isFree = (one: string) => one !== '' && !used.has(one) && !claimed.has(keyOf(one))
    const again = `${withSuffix}-${run.derived.suffix('again', `${wanted[i]?.kind} ${wanted[i]?.id}`)}`
    const free = [slug, withSuffix].find(isFree) ?? again
    claimed.add(keyOf(free))
    run.memory.take(keyOf(free))
    return free
  })
}
